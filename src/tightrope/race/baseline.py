"""Baseline costs of instances, which make costs on different instances comparable."""

from math import inf

import numpy as np
from numpy.typing import NDArray

from tightrope.race.race import Race

Floats = NDArray[np.float64]

_FEWEST_PAIRS = 20  # of costs needed to estimate the slope


def baseline_costs(race: Race, n: int, *, floor: float) -> Floats:
    """Return a baseline cost for each of n instances, from the incumbent's costs.

    An instance that the incumbent has not run gets the mean.

    The cost of a single run is partly noise. The exact costs of other configs show how much of it belongs to
    the instance: the slope of their log costs over the incumbent's on the same tasks.
    """
    to_beat = race.to_beat
    instance = np.array([race.tasks.instance(task) for task in to_beat], dtype=np.int64)
    logs = np.log(np.maximum(np.array(list(to_beat.values())), floor))
    counts = np.bincount(instance, minlength=n)
    sums = np.bincount(instance, weights=logs, minlength=n)
    mean = np.divide(sums, counts, out=np.full(n, logs.mean()), where=counts > 0)
    baseline: Floats = np.exp(_slope(race, floor=floor) * mean)
    return baseline


def _slope(race: Race, *, floor: float) -> float:
    """Return the slope of log costs over the incumbent's log costs, between 0 and 1."""
    pairs = [
        (race.to_beat[task], score.cost)
        for number, task, score in race.evidence.items()
        if number != race.incumbent and score.exact and task in race.to_beat and score.cost < inf
    ]
    if len(pairs) < _FEWEST_PAIRS:
        return 1.0
    x, y = np.log(np.maximum(np.array(pairs), floor)).T
    spread = float(x.var())
    return float(np.clip(np.cov(x, y, bias=True)[0, 1] / spread, 0.0, 1.0)) if spread > 0 else 1.0
