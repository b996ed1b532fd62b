"""Scores of runs, and the objective that compares configs by them."""

from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from tightrope.records import Outcome, Status


class Score(NamedTuple):
    """Cost of a config on a task, a lower bound unless `exact`. A failure costs inf."""

    cost: float
    exact: bool


def score_of(outcome: Outcome) -> Score:
    """Return the score of an outcome, which must not be LOST."""
    if outcome.status is Status.FAILED:
        return Score(inf, exact=True)
    return Score(outcome.cost, exact=outcome.status is Status.DONE)


def better_known(old: Score | None, new: Score) -> Score:
    """Return the more informative of two scores of the same pair."""
    if old is None or new.exact:
        return new
    return old if old.exact or old.cost >= new.cost else new


@dataclass(frozen=True, slots=True)
class Objective:
    """Mean cost over tasks; a run that reaches the ceiling, or fails, counts as ceiling x par."""

    ceiling: float
    par: float = 1.0

    def charge(self, score: Score) -> float:
        """Return the objective cost of a run; a bound below the ceiling counts as itself."""
        return self.ceiling * self.par if score.cost >= self.ceiling else score.cost

    def is_settled(self, score: Score) -> bool:
        """Whether the score is final: the cost is exact, or at least the ceiling."""
        return score.exact or score.cost >= self.ceiling
