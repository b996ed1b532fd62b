"""Caps as tuning sets them: slack x the best cost so far on the same instance."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.treatments.problem import Floats, Runs


@dataclass(frozen=True, slots=True)
class Capped:
    """Runs under caps: y is a bound where censored."""

    y: Floats
    censored: NDArray[np.bool_]


def cap_runs(runs: Runs, *, slack: float, ceiling: float) -> Capped:
    """Stop each run, in order, at slack x the smallest cost finished before it on its instance.

    The cap is at most the ceiling, and equals it until a run has finished on the instance. With infinite
    slack every cap is the ceiling. A run that needs exactly its cap has finished.
    """
    best: dict[int, float] = {}
    y = np.empty_like(runs.cost)
    censored = np.empty(runs.cost.size, dtype=bool)
    for i, (cost, instance, known) in enumerate(zip(runs.cost, runs.instance, runs.known, strict=True)):
        cap = min(slack * best.get(instance, np.inf), ceiling)
        censored[i] = cost > cap or not known
        y[i] = min(cost, cap)
        if not censored[i]:
            best[instance] = min(cost, best.get(instance, np.inf))
    return Capped(y, censored)
