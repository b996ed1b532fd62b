"""The working ceiling: the longest run that a race pays for, at most the user's ceiling."""

from collections.abc import Collection
from math import inf

from tightrope.race.objective import Objective, Score

_SHARE = 1.0 / 250.0  # of the budget may go into one run, so that hundreds of runs fit
_MEANS = 3.0  # times the incumbent's mean: most good runs end below it
_REACHED = 0.999  # of the ceiling: timers round


def working_ceiling(scores: Collection[Score], objective: Objective, *, budget: float) -> float:
    """Return the working ceiling, given the incumbent's scores and the budget in units of cost.

    It doubles as long as more of the incumbent's runs reach it than end.
    """
    if budget == inf:
        return objective.ceiling
    solved = [score.cost for score in scores if score.exact and score.cost < objective.ceiling]
    longest = _SHARE * budget
    if solved:
        longest = max(longest, _MEANS * sum(solved) / len(solved))
    while longest < objective.ceiling and _count_reached(scores, longest) > len(solved):
        longest *= 2.0
    return min(longest, objective.ceiling)


def has_reached(score: Score, ceiling: float) -> bool:
    """Whether a run went on to this ceiling."""
    return score.cost >= _REACHED * ceiling


def _count_reached(scores: Collection[Score], ceiling: float) -> int:
    return sum(not score.exact and has_reached(score, ceiling) for score in scores)
