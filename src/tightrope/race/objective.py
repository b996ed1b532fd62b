"""What runs count for when configs are compared.

Runs are stopped at a limit: the ceiling, or a lower one while the race is still held at a lower level. What
reaches the limit counts like a timeout, ceiling x par, at every level: configs that are slow on a few tasks
only are those that a mean depends on, and cutting costs at a low limit instead would hide them.
"""

from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from tightrope.records import Outcome, Status


class Score(NamedTuple):
    """What is known of a config on a task: its cost, or a bound of it. A failure costs inf."""

    cost: float
    exact: bool

    def is_settled(self, limit: float) -> bool:
        """Whether it is known what the run counts for, if costs are cut at the limit."""
        return self.exact or self.cost >= limit


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
    """The mean cost over tasks, where a run that reaches the ceiling counts ceiling x par."""

    ceiling: float
    par: float = 1.0

    def charge(self, score: Score, *, limit: float) -> float:
        """Return what a run counts for if runs are stopped at the limit; a failure counts like a timeout."""
        return self.ceiling * self.par if score.cost >= limit else score.cost
