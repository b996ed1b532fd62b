"""Bounds heard one after the other, the most surprising first, each given all that was heard before.

Heard all at once, many bounds on correlated values would push them up as many times. One after the other they
do not, and so this is how propagation begins, and how it goes on while it is far from rest.

==========  ==========  =============================================================================
symbol      shape       meaning
==========  ==========  =============================================================================
mean        (m,)        of the values, given what was heard so far; only of those still to be heard
covariance  (m, m)      of the values before the first one is heard, in the order of hearing
pulls       (m, m)      what each bound took off the covariance: given the first k, it is
                        covariance - (pulls[:, :k] signs[:k]) pulls[:, :k]'
signs       (m,)        -1 where hearing a bound again made its site blunter
==========  ==========  =============================================================================
"""

from math import copysign, sqrt

import numpy as np
from numpy.typing import NDArray

from tightrope.gp.sites import Bounds, Sites, match_one

Floats = NDArray[np.float64]

_SMALLEST_VARIANCE = 1e-300
_SMALLEST_SHARE = 1e-9  # of a cavity's variance: a site that leaves less is too sharp to be taken out


def hear_in_turn(mean: Floats, covariance: Floats, *, sites: Sites, bounds: Bounds) -> Sites:
    """Replace each site by one that is given all others, in a belief that has this mean and covariance."""
    order = np.argsort((mean - bounds.values) / np.sqrt(bounds.noise_variance + covariance.diagonal()))
    mean, covariance = mean[order], covariance[np.ix_(order, order)]
    values = bounds.values[order].tolist()
    precisions, shifts = sites.precision[order], sites.shift[order]
    pulls, signs = np.zeros_like(covariance), np.ones_like(mean)
    for k in range(mean.size):
        column = covariance[k, k:] - pulls[k:, :k] @ (signs[:k] * pulls[k, :k])
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
        sharper = precision - old_precision
        narrowing = 1.0 + variance * sharper
        mean[k:] += column * ((shift - old_shift - sharper * centre) / narrowing)
        pulls[k:, k] = column * sqrt(abs(sharper) / narrowing)
        signs[k] = copysign(1.0, sharper)
        precisions[k], shifts[k] = precision, shift
    back = np.argsort(order)
    return Sites(precisions[back], shifts[back])
