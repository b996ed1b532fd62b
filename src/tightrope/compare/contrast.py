"""What a config costs, and how many times less than another, each with an interval of confidence.

Both intervals are t-intervals on the logarithm over what was drawn: instances. Their standard errors come
from leaving out one instance after the other (the jackknife).

    A_g, B_g   cost of the one and of the other on all tasks of instance g of m, summed: seeds of one instance
               are no new instances; for the mean of one config, A_g is its number of tasks
    r          log(sum B / sum A): the ratio of means is what tuning makes large, not the mean of ratios
    r_g        the same without instance g
    s          sqrt((m - 1) / m * sum of (r_g - their mean) squared): standard error of r
    interval   exp(r -+ t s), where t is the quantile of Student's distribution with m - 1 degrees of freedom

Costs of solvers have heavy tails, so that few instances make up most of a sum. The delta method does not see
what happens without them: for 6 to 24 instances with lognormal costs (sigma 1.5), 74 to 84 % of its intervals
held the truth, 86 to 90 % of these, and 89 to 91 % of those from resampling, which take much longer.

A run that was stopped counts as its bound. Where that makes the ratio a lower bound, so is the lower end of
its interval: costs cut off at their caps have a mean below that of the costs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import exp, inf, log, nan, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from tightrope.race.objective import Objective, Score
from tightrope.records import Task

Floats = NDArray[np.float64]
Interval = tuple[float, float]

CONFIDENCE = 0.95
_FEWEST = 3  # tasks, or instances: with fewer an interval says nothing
_FEWEST_INSTANCES = 5  # fewer are taken to be all there are: then seeds are what was drawn


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean cost of a config over tasks.

    `n_unsolved` of the runs reached the ceiling or failed and count as ceiling x par; if `is_bound`, runs
    were stopped below the ceiling, and the mean is a lower bound. Too few tasks have no interval.
    """

    mean: float
    n_tasks: int
    interval: Interval | None = None
    n_unsolved: int = 0
    is_bound: bool = False


class Claim(Enum):
    """What can be said of two configs."""

    SAME = "same"  # they are the same config
    OPEN = "open"  # nothing: no task in common, or too many runs were stopped
    RATIO = "ratio"
    AT_LEAST = "at least"  # the ratio is a lower bound


@dataclass(frozen=True, slots=True)
class Contrast:
    """How many times less one config costs than another, on the tasks that both were run on.

    Attributes
    ----------
    claim : Claim
        What can be said.
    n_tasks : int
        How many tasks they have in common.
    ratio : float
        The other's mean cost divided by the one's; NaN if nothing can be said.
    interval : (float, float) or None
        Where the ratio is with a confidence of 95 %; its upper end is infinite if the ratio is a lower bound.
    n_cut : int
        How many runs of the other were stopped, and count as their bound, or reached the ceiling.
    is_score : bool
        Whether it is not costs that are compared but scores, in which timeouts and failures count as
        ceiling x par: so it has to be where the one has such runs, or the other failed.
    """

    claim: Claim
    n_tasks: int
    ratio: float = nan
    interval: Interval | None = None
    n_cut: int = 0
    is_score: bool = False


def estimate(scores: Mapping[Task, Score], objective: Objective) -> Estimate:
    """Return the mean of what a config's runs count for."""
    if not scores:
        return Estimate(inf, 0, is_bound=True)
    charges = np.array([objective.charge(score) for score in scores.values()])
    mean = float(charges.mean())
    return Estimate(
        mean,
        len(scores),
        _interval(np.ones_like(charges), charges, list(scores)),
        sum(score.cost >= objective.ceiling for score in scores.values()),
        not all(objective.is_settled(score) for score in scores.values()),
    )


def contrast(
    one: Mapping[Task, Score], other: Mapping[Task, Score], objective: Objective, *, is_same: bool = False
) -> Contrast:
    """Say how many times less the one costs than the other.

    A ratio of costs needs all runs of the one to have finished, and none of the other to have failed: runs of
    the other that were stopped, be it at the ceiling, make it a lower bound. Otherwise scores are compared.
    """
    tasks = [task for task in one if task in other]
    if is_same or not tasks:
        return Contrast(Claim.SAME if is_same else Claim.OPEN, len(tasks))
    ones, others = [one[task] for task in tasks], [other[task] for task in tasks]
    n_cut = sum(_is_cut(score, objective) for score in others)
    is_score = any(_is_cut(score, objective) for score in ones) or any(
        score.cost == inf for score in [*ones, *others]
    )
    is_bound = n_cut > 0
    if is_score:
        is_bound = not all(objective.is_settled(score) for score in others)
        ones, others = _charged(ones, objective), _charged(others, objective)
    a, b = np.array([score.cost for score in ones]), np.array([score.cost for score in others])
    is_open = is_score and not all(objective.is_settled(one[task]) for task in tasks)
    if is_open or min(a.mean(), b.mean()) <= 0 or (is_bound and a.mean() > b.mean()):
        return Contrast(Claim.OPEN, len(tasks), n_cut=n_cut, is_score=is_score)
    ratio = float(b.mean() / a.mean())
    interval = _interval(a, b, tasks, is_bound=is_bound)
    claim = Claim.AT_LEAST if is_bound else Claim.RATIO
    return Contrast(claim, len(tasks), ratio, interval, n_cut, is_score)


def _is_cut(score: Score, objective: Objective) -> bool:
    return not score.exact or score.cost >= objective.ceiling


def _charged(scores: Sequence[Score], objective: Objective) -> list[Score]:
    return [Score(objective.charge(score), score.exact) for score in scores]


def _interval(a: Floats, b: Floats, tasks: Sequence[Task], *, is_bound: bool = False) -> Interval | None:
    """Return the interval of sum b / sum a; None if there are too few, or one is all there is of a sum."""
    groups = _groups(tasks)
    m = int(groups.max()) + 1
    sum_a, sum_b = (np.bincount(groups, weights=costs) for costs in (a, b))
    rest_a, rest_b = sum_a.sum() - sum_a, sum_b.sum() - sum_b
    if m < _FEWEST or min(rest_a.min(), rest_b.min()) <= 0:
        return None
    left_out = np.log(rest_b / rest_a)
    s = sqrt((m - 1) / m * float(((left_out - left_out.mean()) ** 2).sum()))
    tail = 1.0 - CONFIDENCE if is_bound else (1.0 - CONFIDENCE) / 2.0
    reach = float(stdtrit(m - 1, 1.0 - tail)) * s
    center = log(sum_b.sum() / sum_a.sum())
    return exp(center - reach), inf if is_bound else exp(center + reach)


def _groups(tasks: Sequence[Task]) -> NDArray[np.int64]:
    """Return the number of each task's instance, or of each task if there are hardly any instances."""
    number: dict[object, int] = {}
    if len({task.instance for task in tasks}) < _FEWEST_INSTANCES:
        return np.arange(len(tasks), dtype=np.int64)
    return np.array([number.setdefault(task.instance, len(number)) for task in tasks], dtype=np.int64)
