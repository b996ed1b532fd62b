"""The order of configs: by their cost relative to the best config's on common tasks."""

import numpy as np
from numpy.typing import NDArray

from tightrope.report.tuning import Tuning

Floats = NDArray[np.float64]


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
