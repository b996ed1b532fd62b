"""The working ceiling: the longest run that a race pays for, at most the user's ceiling."""

from collections.abc import Collection
from typing import Final

from tightrope.race.objective import Objective, Score

SHARE: Final = 1.0 / 250.0  # of the budget may go into one run, so that hundreds of runs fit
LAST_SHARE: Final = 1.0 / 50.0  # of what is left, when only configs that are known compete for it
_MEANS = 3.0  # times the incumbent's mean: most good runs end below it
_FEW = 2  # runs that may reach it before it is doubled
_REACHED = 0.999  # of the ceiling: timers round


def working_ceiling(scores: Collection[Score], objective: Objective, *, longest: float) -> float:
    """Return the working ceiling, given the incumbent's scores and how much of the budget a run may take.

    It is at least three times the mean of the incumbent's runs that ended, and doubles as long as more runs
    reach it than end.
    """
    if longest >= objective.ceiling:
        return objective.ceiling
    solved = [score.cost for score in scores if score.exact and score.cost < objective.ceiling]
    if solved:
        longest = max(longest, _MEANS * sum(solved) / len(solved))
    while longest < objective.ceiling:
        n_reached = sum(not score.exact and has_reached(score, longest) for score in scores)
        if n_reached <= max(_FEW, len(solved)):
            break
        longest *= 2.0
    return min(longest, objective.ceiling)


def has_reached(score: Score, ceiling: float) -> bool:
    """Whether a run went on to this ceiling."""
    return score.cost >= _REACHED * ceiling
