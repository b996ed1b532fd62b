"""Running targets: what can be evaluated under a cap, and executors that run several at once."""

from tightrope.run.answer import ExitCode, JsonLine, Pattern
from tightrope.run.command import CommandTarget
from tightrope.run.convention import IraceLine, ResultLine, SatSolver
from tightrope.run.dask.spec import Dask
from tightrope.run.executor import Executor, ExecutorSpec, LocalPool, Serial
from tightrope.run.function.target import FunctionTarget
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
