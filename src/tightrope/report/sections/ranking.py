"""The order of configs: by their cost relative to the best config's on common tasks."""

import numpy as np
from numpy.typing import NDArray

from tightrope.report.tuning import Tuning

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


_DOUBT = 2.0  # tasks that the typical config's ratio counts as, in the order of configs


def best_first(costs: Floats, tuning: Tuning) -> Ints:
    """Return the places of configs, best first; those without a relative cost are left out.

    A config with one lucky run is not among the best: ratios of few runs are moved towards the typical one.
    """
    (known,) = np.nonzero(np.isfinite(costs) & (costs > 0))
    n = np.bincount(tuning.columns.config, minlength=costs.size)[known]
    logs = np.log(costs[known])
    typical = float(np.median(logs)) if logs.size else 0.0
    return np.asarray(known[np.argsort((n * logs + _DOUBT * typical) / (n + _DOUBT), kind="stable")])


def relative_costs(tuning: Tuning) -> Floats:
    """Return each config's cost over the best config's on their common tasks; NaN without any.

    Cut runs count as their bound, so that the ratio is a lower bound.
    """
    columns = tuning.columns
    to_beat = np.full(len(columns.tasks), np.nan)
    own = np.flatnonzero(columns.config == tuning.index_of(tuning.progress.config))
    to_beat[columns.task[own]] = tuning.bounded[own]
    theirs, cost = to_beat[columns.task], tuning.bounded
    known = np.isfinite(theirs) & np.isfinite(cost)
    n = len(columns.configs)
    sums = np.bincount(columns.config[known], weights=cost[known], minlength=n)
    base = np.bincount(columns.config[known], weights=theirs[known], minlength=n)
    ratios: Floats = np.divide(sums, base, out=np.full(n, np.nan), where=base > 0)
    return ratios
