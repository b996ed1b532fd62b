"""Sequential updates of expectation propagation: one site after the other, the most surprising bound first.

A parallel update of many bounds on correlated values would push the values up once for every bound.
Sequential updates do not, because each site sees the sites updated before it. Propagation therefore begins
with them, and uses them while it is far from convergence.

===========  ==========  ============================================================================
symbol       shape       meaning
===========  ==========  ============================================================================
mean         (m,)        of the values, given the sites updated so far; valid for the rest only
covariance   (m, m)      of the values before the first update, in the order of the updates
downdates    (m, m)      what each update subtracts from the covariance: after k updates it is
                         covariance - (downdates[:, :k] signs[:k]) downdates[:, :k]'
signs        (m,)        -1 where an update lowered the precision of its site
===========  ==========  ============================================================================
"""

from math import copysign, sqrt

import numpy as np
from numpy.typing import NDArray

from tightrope.gp.sites import Bounds, Sites, match_one

Floats = NDArray[np.float64]

_SMALLEST_VARIANCE = 1e-300
_SMALLEST_SHARE = 1e-9  # of a cavity's variance: a site that leaves less is too sharp to be removed


def update_in_turn(mean: Floats, covariance: Floats, *, sites: Sites, bounds: Bounds) -> Sites:
    """Update each site given all others, starting from a belief with this mean and covariance."""
    order = np.argsort((mean - bounds.values) / np.sqrt(bounds.noise_variance + covariance.diagonal()))
    mean, covariance = mean[order], covariance[np.ix_(order, order)]
    values = bounds.values[order].tolist()
    precisions, shifts = sites.precision[order], sites.shift[order]
    downdates, signs = np.zeros_like(covariance), np.ones_like(mean)
    for k in range(mean.size):
        column = covariance[k, k:] - downdates[k:, :k] @ (signs[:k] * downdates[k, :k])
        centre, variance = float(mean[k]), max(float(column[0]), _SMALLEST_VARIANCE)
        old_precision, old_shift = float(precisions[k]), float(shifts[k])
        share = 1.0 - variance * old_precision
        if share < _SMALLEST_SHARE:
            continue
        precision, shift = match_one(
            (centre - variance * old_shift) / share,
            variance / share,
            value=values[k],
            noise_variance=bounds.noise_variance,
        )
        gained = precision - old_precision
        narrowing = 1.0 + variance * gained  # old variance over new variance
        mean[k:] += column * ((shift - old_shift - gained * centre) / narrowing)
        downdates[k:, k] = column * sqrt(abs(gained) / narrowing)
        signs[k] = copysign(1.0, gained)
        precisions[k], shifts[k] = precision, shift
    back = np.argsort(order)
    return Sites(precisions[back], shifts[back])
