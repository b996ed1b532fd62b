"""The working ceiling: the longest run that a race pays for, at most the user's ceiling."""

from collections.abc import Collection
from math import inf
from typing import Final

from tightrope.race.objective import Objective, Score

SHARE: Final = 1.0 / 250.0  # of the budget may go into one run, so that hundreds of runs fit
LAST_SHARE: Final = 1.0 / 50.0  # of what is left, when only configs that are known compete for it
_MEANS = 3.0  # times the incumbent's mean: most good runs end below it
_LEAST = 1.0 / 10.0  # of the user's ceiling, which tells about the scale of costs
_FEW = 2  # runs that may reach it before it is raised
_STEP = 4.0  # by which it is raised, so that all lower levels together cost less than the last one
_REACHED = 0.999  # of the ceiling: timers round


def working_ceiling(
    scores: Collection[Score], objective: Objective, *, longest: float, n_tasks: float = inf
) -> float:
    """Return the working ceiling, given the incumbent's scores and how much of the budget a run may take.

    It is at least three times the mean of the incumbent's runs that ended, and is raised while more runs
    reach it than end: a few on different tasks, or as many as there are.
    """
    longest = max(longest, _LEAST * objective.ceiling)
    solved = [score.cost for score in scores if score.exact and score.cost < objective.ceiling]
    if solved:
        longest = max(longest, _MEANS * sum(solved) / len(solved))
    bounds = [score for score in scores if not score.exact]
    few = min(_FEW, n_tasks - 1)
    while longest < objective.ceiling:
        n_reached = sum(has_reached(bound, longest) for bound in bounds)
        # Before any run has ended, one more that reaches a raised ceiling is enough.
        if n_reached <= max(few, len(solved)) and (solved or n_reached == 0 or len(bounds) <= few):
            break
        longest *= _STEP
    return min(longest, objective.ceiling)


def has_reached(score: Score, ceiling: float) -> bool:
    """Whether a run went on to this ceiling."""
    return score.cost >= _REACHED * ceiling
