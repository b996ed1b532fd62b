"""What an instance usually costs, so that costs on different instances can be compared."""

from math import inf

import numpy as np
from numpy.typing import NDArray

from tightrope.race.race import Race

Floats = NDArray[np.float64]

_FEWEST_PAIRS = 20  # of costs, to say anything about a slope


def usual_costs(race: Race, n: int, *, floor: float) -> Floats:
    """Return what each of n instances usually costs, by what it costs the incumbent.

    Where that is unknown it is taken to be average.

    What one run cost is partly luck. How much of it is usual is told by the exact costs of others: by the
    slope of their logarithms over those of the incumbent's on the same task.
    """
    to_beat = race.to_beat
    instance = np.array([race.tasks.instance(task) for task in to_beat], dtype=np.int64)
    logs = np.log(np.maximum(np.array(list(to_beat.values())), floor))
    counts = np.bincount(instance, minlength=n)
    sums = np.bincount(instance, weights=logs, minlength=n)
    mean = np.divide(sums, counts, out=np.full(n, logs.mean()), where=counts > 0)
    usual: Floats = np.exp(_slope(race, floor=floor) * mean)
    return usual


def _slope(race: Race, *, floor: float) -> float:
    """Return by how much costs grow with the incumbent's, on logarithmic scales: 1 if they are as unequal."""
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
