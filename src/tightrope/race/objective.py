"""What runs count for when configs are compared."""

from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from tightrope.records import Outcome, Status


class Score(NamedTuple):
    """What is known of a config on a task: its cost, or a bound of it. A failure costs inf."""

    cost: float
    exact: bool


def score_of(outcome: Outcome) -> Score:
    """Return what an outcome tells; not of one that was LOST."""
    if outcome.status is Status.FAILED:
        return Score(inf, exact=True)
    return Score(outcome.cost, exact=outcome.status is Status.DONE)


def better_known(old: Score | None, new: Score) -> Score:
    """Return the one that says more about the same run."""
    if old is None or new.exact:
        return new
    return old if old.exact or old.cost >= new.cost else new


@dataclass(frozen=True, slots=True)
class Objective:
    """The mean cost over tasks, where a run that reaches the ceiling or fails counts ceiling x par."""

    ceiling: float
    par: float = 1.0

    def charge(self, score: Score) -> float:
        """Return what a run counts for; what is known only to exceed a bound counts as the bound."""
        return self.ceiling * self.par if score.cost >= self.ceiling else score.cost

    def is_settled(self, score: Score) -> bool:
        """Whether more could not be learnt: the cost is known, or beyond the ceiling."""
        return score.exact or score.cost >= self.ceiling
