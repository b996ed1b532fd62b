"""The result of a solver's run, and whether its answer is correct."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class SolverResult:
    """A solver's answer, None if its limit stopped it; the cost that it counted; and CPU time."""

    answer: str | None
    cost: float
    cpu_s: float


class Outcome(StrEnum):
    """How a run ended; a failure is a wrong answer, a crash, or an exit without an answer."""

    DONE = "done"
    TIMEOUT = "timeout"
    FAILED = "failed"


class Solver(Protocol):
    """A solver that can be run on an instance and counts its cost."""

    def solve(self, config: Mapping[str, Any], instance: Path, *, ceiling: float) -> SolverResult:
        """Run until there is an answer, or the counter has reached the ceiling."""
        ...


def classify(result: SolverResult, *, expected: str, ceiling: float) -> Outcome:
    """Return how the run ended; a correct answer at or beyond the ceiling counts as a timeout."""
    if result.answer is None or (result.answer == expected and result.cost >= ceiling):
        return Outcome.TIMEOUT
    return Outcome.DONE if result.answer == expected else Outcome.FAILED
