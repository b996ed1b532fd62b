"""The likelihood of responses of which some are only known to lie in an interval.

========  ==============================================================
symbol    meaning
========  ==============================================================
lower     lower end of what is known about each row; -inf if nothing
upper     upper end; equal to `lower` where the response was observed
mean, s   of the normal belief about each row
========  ==============================================================
"""

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_ndtr

from tightrope.forest.responses import Floats

_HALF_LOG_2_PI = 0.5 * np.log(2.0 * np.pi)
_FLOORS = np.append(1e-6, np.geomspace(1e-4, 8.0, 60))  # candidates of the floor, in units of the variance
_TINY = np.finfo(np.float64).tiny


def log_likelihoods(lower: Floats, upper: Floats, *, mean: Floats, s: Floats) -> Floats:
    """Return each row's log density where it was observed, and log probability of its interval elsewhere."""
    a, b = (lower - mean) / s, (upper - mean) / s
    observed = lower == upper
    density = -0.5 * np.where(observed, a, 0.0) ** 2 - np.log(s) - _HALF_LOG_2_PI
    return np.asarray(np.where(observed, density, _log_probability(a, b, observed=observed)))


def _log_probability(a: Floats, b: Floats, *, observed: Floats) -> Floats:
    """Return log(Phi(b) - Phi(a)), computed in the tail that the interval lies in."""
    flip = a > -b
    a, b = np.where(flip, -b, a), np.where(flip, -a, b)
    larger, smaller = log_ndtr(b), log_ndtr(a)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(observed, -np.inf, smaller - larger)
        return np.asarray(np.where(observed, 0.0, larger + np.log1p(-np.exp(np.minimum(share, -_TINY)))))


def best_floor(
    lower: Floats, upper: Floats, *, mean: Floats, variance: Floats, weights: Floats | None = None
) -> float:
    """Return the floor of the variance under which the rows are most likely."""
    unit = float(np.var(_points(lower, upper)) + np.mean(variance)) or 1.0
    scores = [
        float(
            np.average(
                log_likelihoods(lower, upper, mean=mean, s=np.sqrt(np.maximum(variance, floor * unit))),
                weights=weights,
            )
        )
        for floor in _FLOORS
    ]
    return float(_FLOORS[int(np.argmax(scores))] * unit)


def fit_normal(lower: Floats, upper: Floats, *, weights: Floats | None = None) -> tuple[float, float]:
    """Return mean and standard deviation of the normal distribution under which the rows are most likely."""
    known = _points(lower, upper)
    centre, scale = float(np.mean(known)), float(np.std(known))
    if scale == 0.0:  # all are equal, or the squares of their differences are too small for a number
        return float(np.median(known)), 0.0

    def loss(at: Floats) -> float:
        s = scale * np.exp(at[1])
        rows = log_likelihoods(
            lower, upper, mean=np.full(lower.size, centre + scale * at[0]), s=np.full(lower.size, s)
        )
        return -float(np.average(rows, weights=weights))

    found = minimize(loss, np.zeros(2), method="L-BFGS-B", bounds=((-10.0, 10.0), (-10.0, 3.0)))
    return centre + scale * float(found.x[0]), scale * float(np.exp(found.x[1]))


def _points(lower: Floats, upper: Floats) -> Floats:
    """Return a point of each interval that has a finite end: its middle, or that end."""
    bounded = np.isfinite(lower) | np.isfinite(upper)
    lower, upper = lower[bounded], upper[bounded]
    below, above = np.where(np.isfinite(lower), lower, upper), np.where(np.isfinite(upper), upper, lower)
    return below / 2 + above / 2 if bounded.any() else np.zeros(1)
