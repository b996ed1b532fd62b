"""Targets and executors: how one trial runs, and how several run at once.

Start with `target.py` (the protocols Target and Process) and `executor.py` (the protocol Executor, and what
executors share). `pool.py` has the executors for this machine. `command.py` is the target for command lines:
`template.py` and `style.py` build the command, `answer.py` and `convention.py` read its output, and
`verdict.py` derives the outcome. `virtual.py` simulates runs. `function/` runs Python functions, `dask/` runs
trials on a cluster, and `supervise/` holds the C++ program that measures and kills every process of a run.
"""

from tightrope.run.answer import ExitCode, JsonLine, Pattern
from tightrope.run.command import CommandTarget
from tightrope.run.convention import IraceLine, ResultLine, SatSolver
from tightrope.run.dask.spec import Dask
from tightrope.run.executor import Executor, ExecutorSpec
from tightrope.run.function.target import FunctionTarget
from tightrope.run.pool import LocalPool, Serial
from tightrope.run.target import Process, Target, wait
from tightrope.run.virtual import Mishap, Virtual

__all__ = [
    "CommandTarget",
    "Dask",
    "Executor",
    "ExecutorSpec",
    "ExitCode",
    "FunctionTarget",
    "IraceLine",
    "JsonLine",
    "LocalPool",
    "Mishap",
    "Pattern",
    "Process",
    "ResultLine",
    "SatSolver",
    "Serial",
    "Target",
    "Virtual",
    "wait",
]
