"""Moments and quantiles of the normal distribution truncated from below, accurate far out in the tail.

========  ==============================================================
symbol    meaning
========  ==============================================================
mu, s     mean and standard deviation before truncation
bound     lower limit of the truncated distribution
a         standardised bound, (bound - mu) / s
excess    value less the bound
p         probability, 0 < p < 1
depth     -log(1 - p), the cumulative hazard between the bound and the quantile
mills     (1 - Phi(a)) / phi(a), the reciprocal of the hazard
hazard    phi(a) / (1 - Phi(a)), the mean of the standard normal truncated at a
========  ==============================================================

All arguments broadcast against each other. Terms that depend only on the bound are computed once per bound,
so many quantiles of few distributions are cheap: give the bounds shape (n, 1), or assign quantiles to
distributions by `owner`. Excesses have a relative accuracy of 1e-10 from forty s below mu to a million s
above it; adding them to the bound rounds them to the bound's last digit. With s = 0 the distribution is the
single value max(mu, bound).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import erfcx, log_ndtr, ndtri_exp

__all__ = [
    "mean",
    "mean_between",
    "mean_excess",
    "quantile",
    "quantile_between",
    "quantile_excess",
    "standard_moments",
]

Floats = NDArray[np.float64]

_SQRT_2 = np.sqrt(2.0)
_SQRT_HALF_PI = np.sqrt(np.pi / 2.0)
_FRACTION_FROM = 20.0  # above it hazard - a loses digits; the continued fraction does not
_FRACTION_TERMS = 16
_SERIES_BELOW = 2e-3  # relative step below which inverting the tail loses digits, and the series is exact
_SERIES_FROM = 1e3  # above it every step is short: the depth never exceeds 37 in double precision
_SERIES_ORDER = 5
_LEVELS = 64
_WHOLE = 40.0  # standard deviations below the mean that stand for minus infinity
_NO_SERIES_BELOW = -30.0  # mills overflows below -37, where truncation has no effect


def mean(bound: ArrayLike, *, mu: ArrayLike, s: ArrayLike) -> Floats:
    """Return the mean of the normal (mu, s) truncated to values of at least `bound`."""
    return np.asarray(bound, dtype=np.float64) + mean_excess(bound, mu=mu, s=s)


def mean_excess(bound: ArrayLike, *, mu: ArrayLike, s: ArrayLike) -> Floats:
    """Return the mean of the truncated normal less `bound`; about s^2 / (bound - mu) far out."""
    a, scale, certain = _standardise(bound, mu=mu, s=s)
    return certain + scale * _standard_mean_excess(a)


def standard_moments(a: Floats) -> tuple[Floats, Floats, Floats]:
    """Return hazard, mean excess and variance of the standard normal truncated to values of at least a.

    The variance is 1 - hazard * excess, computed without the loss of digits of this formula far out.
    """
    hazard = _hazard(a)
    excess = np.asarray(hazard - a)
    variance = np.asarray(1.0 - hazard * excess)
    far = a > _FRACTION_FROM
    if far.any():
        fraction = _far_fraction(a[far])
        excess[far] = 1.0 / (a[far] + fraction)
        variance[far] = excess[far] * (fraction - excess[far])
    return hazard, excess, variance


def quantile(p: ArrayLike, bound: ArrayLike, *, mu: ArrayLike, s: ArrayLike) -> Floats:
    """Return quantile p of the normal (mu, s) truncated to values of at least `bound`."""
    return np.asarray(bound, dtype=np.float64) + quantile_excess(p, bound, mu=mu, s=s)


def quantile_excess(
    p: ArrayLike, bound: ArrayLike, *, mu: ArrayLike, s: ArrayLike, owner: NDArray[np.intp] | None = None
) -> Floats:
    """Return quantile p of the truncated normal less `bound`.

    With `owner`, an array of the shape of p, p[i] refers to the (flattened) distribution owner[i].
    """
    a, scale, certain = _standardise(bound, mu=mu, s=s)
    depth = -np.log1p(-np.asarray(p, dtype=np.float64))
    if owner is None:
        numbered = np.arange(a.size).reshape(a.shape)
        owner = np.broadcast_to(numbered, np.broadcast_shapes(numbered.shape, depth.shape))
    excess = _standard_quantile_excess(depth, a.ravel(), owner=owner)
    return certain.ravel()[owner] + scale.ravel()[owner] * excess


def _standardise(bound: ArrayLike, *, mu: ArrayLike, s: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Return a, s and a constant excess, which is nonzero only where a is not finite (s = 0 or nearly so)."""
    scale = np.asarray(s, dtype=np.float64)
    distance = np.asarray(bound, dtype=np.float64) - np.asarray(mu, dtype=np.float64)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        a = np.asarray(distance / scale)
    point = ~np.isfinite(a)
    certain = np.where(point, np.maximum(-distance, 0.0), 0.0)
    return np.where(point, 0.0, a), np.where(point, 0.0, scale), certain


def _mills(a: Floats) -> Floats:
    return np.asarray(_SQRT_HALF_PI * erfcx(a / _SQRT_2))


def _hazard(a: Floats) -> Floats:
    """Compute the reciprocal of mills directly: far below the mean, mills itself overflows first."""
    return np.asarray(1.0 / _SQRT_HALF_PI / erfcx(a / _SQRT_2))


def _standard_mean_excess(a: Floats) -> Floats:
    """Return the hazard less a."""
    excess = np.asarray(_hazard(a) - a)
    far = a > _FRACTION_FROM
    if far.any():
        excess[far] = 1.0 / (a[far] + _far_fraction(a[far]))
    return excess


def _far_fraction(a: Floats) -> Floats:
    """Return 2/(a + 3/(a + ...)): hazard less a is 1/(a + this), by Laplace's continued fraction."""
    denominator = a
    for term in range(_FRACTION_TERMS, 2, -1):
        denominator = a + term / denominator
    return 2.0 / denominator


def _standard_quantile_excess(depth: Floats, a: Floats, *, owner: NDArray[np.intp]) -> Floats:
    """Solve log(1 - Phi(a + excess)) = log(1 - Phi(a)) - depth for the excess; a is that of the owner."""
    excess = np.asarray(-ndtri_exp(log_ndtr(-a)[owner] - depth) - a[owner])
    # Subtracting a loses digits where the step is short compared with a (or, below mu, with the 1/|a| over
    # which the density changes). The series is used there.
    shortest = _SERIES_BELOW * np.where(a > 1.0, a, 1.0 / np.maximum(1.0, -a))
    shortest[a > _SERIES_FROM] = np.inf
    shortest[a < _NO_SERIES_BELOW] = -np.inf
    short = excess < shortest[owner]
    if short.any():
        depth = np.broadcast_to(depth, excess.shape)
        excess[short] = _short_step(depth[short], a, owner=owner[short])
    return np.maximum(excess, 0.0)


def _short_step(depth: Floats, a: Floats, *, owner: NDArray[np.intp]) -> Floats:
    """Compute the excess by its Taylor series in the depth."""
    needed = np.zeros(a.size, dtype=bool)
    needed[owner] = True
    coefficients = _series(a[needed])
    owner = (np.cumsum(needed) - 1)[owner]
    excess = coefficients[-1][owner]
    for coefficient in reversed(coefficients[:-1]):
        excess = excess * depth + coefficient[owner]
    return excess * depth


def _series(a: Floats) -> list[Floats]:
    """Return the coefficients of x(depth) - a, from the linear one on.

    The quantile x solves x' = mills(x), and mills' = x mills - 1: both power series follow term by term.
    """
    x = [a]
    mills = [_mills(a)]
    slope = [a * mills[0] - 1.0]
    for k in range(1, _SERIES_ORDER + 1):
        x.append(mills[k - 1] / k)
        mills.append(_product_term(slope, mills, k - 1) / k)
        slope.append(_product_term(x, mills, k))
    return x[1:]


def _product_term(left: list[Floats], right: list[Floats], k: int) -> Floats:
    """Return coefficient k of the product of two power series."""
    term = left[0] * right[k]
    for i in range(1, k + 1):
        term = term + left[i] * right[k - i]
    return term


def mean_between(lower: Floats, upper: Floats, *, mu: Floats, s: Floats) -> Floats:
    """Return the mean of the normal (mu, s) truncated to [lower, upper]; either end may be infinite.

    It is exact for one-sided truncation, and otherwise the mean of 64 evenly spaced quantiles.
    """
    levels = (np.arange(_LEVELS) + 0.5) / _LEVELS
    owner = np.repeat(np.arange(lower.size), _LEVELS)
    values = quantile_between(np.tile(levels, lower.size), lower, upper, mu=mu, s=s, owner=owner)
    result: Floats = values.reshape(lower.size, _LEVELS).mean(axis=1)
    above, below = np.isposinf(upper), np.isneginf(lower)
    above, below = above & ~below, below & ~above
    result[above] = mean(lower[above], mu=mu[above], s=s[above])
    result[below] = -mean(-upper[below], mu=-mu[below], s=s[below])
    free = np.isneginf(lower) & np.isposinf(upper)
    result[free] = mu[free]
    return result


def quantile_between(
    p: Floats, lower: Floats, upper: Floats, *, mu: Floats, s: Floats, owner: NDArray[np.intp]
) -> Floats:
    """Return quantile p[i] of the normal truncated to [lower, upper] number owner[i], shape (n,) each.

    Where the interval lies below mu, both are reflected, so that the tail is always computed from its near
    end.
    """
    flip = np.where(np.isneginf(lower) | ((upper < mu) & ~np.isposinf(upper)), -1.0, 1.0)
    near, far = np.where(flip < 0, -upper, lower), np.where(flip < 0, -lower, upper)
    centre = flip * mu
    p = np.where(flip[owner] < 0, 1.0 - p, p)
    # The quantile p of the part below `far` is the quantile p * (1 - S(far)/S(near)) of all above `near`.
    with np.errstate(divide="ignore", invalid="ignore"):
        tails = log_ndtr((centre - far) / s) - log_ndtr((centre - near) / s)
    share = np.where(np.isposinf(far), 1.0, -np.expm1(np.where(np.isnan(tails), -np.inf, tails)))
    start = np.where(np.isneginf(near), centre - _WHOLE * np.maximum(s, 0.0), near)
    excess = quantile_excess(p * share[owner], start, mu=centre, s=s, owner=owner)
    return np.asarray(flip[owner] * np.minimum(start[owner] + excess, far[owner]))
