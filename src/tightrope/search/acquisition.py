"""Expected improvement: how much a config is expected to undercut the best cost.

=======  =====================================================================  ======
symbol   meaning                                                                shape
=======  =====================================================================  ======
mean, s  belief about each config: mean and standard deviation                  (n,)
best     the cost to undercut, on the scale of costs
u        (best - mean) / s, on the model's scale                                (n,)
=======  =====================================================================  ======

Both functions return improvements on the scale of costs, shape (n,).
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

Floats = NDArray[np.float64]

_SQRT_TWO_PI = np.sqrt(2.0 * np.pi)


def expected_improvement(mean: Floats, s: Floats, *, best: float) -> Floats:
    """Improvement of a normal belief (the paper's equation): s (u Phi(u) + phi(u))."""
    u = _standardise(best, mean, s)
    with np.errstate(invalid="ignore"):  # inf * 0 where there is no doubt
        doubtful = s * (u * ndtr(u) + np.exp(-0.5 * u * u) / _SQRT_TWO_PI)
    return np.where(np.isfinite(u), np.maximum(doubtful, 0.0), np.maximum(best - mean, 0.0))


def expected_improvement_log(mean: Floats, s: Floats, *, best: float) -> Floats:
    """Improvement of a lognormal belief, whose logarithm has this mean and standard deviation.

    With c = exp(z), z normal: E[max(best - c, 0)] = best Phi(u) - exp(mean + s^2/2) Phi(u - s).
    """
    u = _standardise(np.log(best), mean, s)
    finite = np.isfinite(u)
    v = np.where(finite, u, 0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        doubtful = best * ndtr(v) - np.exp(mean + 0.5 * s * s) * ndtr(v - s)
    certain = best - np.exp(np.minimum(mean, np.log(best)))
    return np.where(finite, np.maximum(np.nan_to_num(doubtful), 0.0), certain)


def _standardise(best: float, mean: Floats, s: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((best - mean) / s)
