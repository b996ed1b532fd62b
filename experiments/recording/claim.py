"""What a solver claims after a run, and whether that is true."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Claim:
    """A solver's answer, None if it was stopped by its limit; what its counter showed then; and CPU time."""

    answer: str | None
    cost: float
    cpu_s: float


class Outcome(StrEnum):
    """How a run ended; a failure is a wrong answer, a crash, or none at all."""

    DONE = "done"
    TIMEOUT = "timeout"
    FAILED = "failed"


class Solver(Protocol):
    """Something that can be run on an instance and counts what it does."""

    def solve(self, config: Mapping[str, Any], instance: Path, *, ceiling: float) -> Claim:
        """Run until there is an answer, or the counter has reached the ceiling."""
        ...


def judge(claim: Claim, *, expected: str, ceiling: float) -> Outcome:
    """Tell how the run ended; an answer that came after the ceiling never came."""
    if claim.answer is None or (claim.answer == expected and claim.cost >= ceiling):
        return Outcome.TIMEOUT
    return Outcome.DONE if claim.answer == expected else Outcome.FAILED
