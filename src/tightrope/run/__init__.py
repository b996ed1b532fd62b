"""Running targets: commands under a supervisor that measures, limits and kills whole process trees."""

from tightrope.run.answer import ExitCode, JsonLine, Pattern
from tightrope.run.command import CommandTarget
from tightrope.run.convention import IraceLine, ResultLine, SatSolver
from tightrope.run.target import Process, Target, wait

__all__ = [
    "CommandTarget",
    "ExitCode",
    "IraceLine",
    "JsonLine",
    "Pattern",
    "Process",
    "ResultLine",
    "SatSolver",
    "Target",
    "wait",
]
