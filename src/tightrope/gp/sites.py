"""Sites: normal approximations to the likelihoods of lower bounds.

=========  ======  ====================================================================================
symbol     shape   meaning
=========  ======  ====================================================================================
values     (m,)    bounds: f plus normal noise is known to be at least this
cavity     (m,)    mean and variance of a normal belief about f that leaves its own bound out
a          (m,)    bound standardised by cavity and noise
precision  (m,)    a site is proportional to exp(shift f - precision f^2 / 2)
shift      (m,)
=========  ======  ====================================================================================

The likelihood of a bound is Phi((f - bound) / noise). Its product with the cavity has the moments of a
truncated normal. The site that gives the same moments is computed without loss of digits, however far the
bound lies above or below the belief.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from tightrope import truncated

Floats = NDArray[np.float64]

SMALLEST_PRECISION = 1e-60  # of a site without information; the reciprocal of its root is still finite


@dataclass(frozen=True, slots=True)
class Bounds:
    """Lower bounds: f plus noise of this variance is at least the value."""

    values: Floats
    noise_variance: float


@dataclass(frozen=True, slots=True)
class Sites:
    """Normal approximations to the likelihoods."""

    precision: Floats
    shift: Floats


@dataclass(frozen=True, slots=True)
class Match:
    """Sites, and the moments of likelihood times cavity that they reproduce."""

    sites: Sites
    mean: Floats
    variance: Floats


def match(cavity_mean: Floats, cavity_variance: Floats, *, bounds: Bounds) -> Match:
    """Find the site of each bound, given its cavity."""
    total = bounds.noise_variance + cavity_variance
    spread = np.sqrt(total)
    hazard, excess, left = truncated.standard_moments((bounds.values - cavity_mean) / spread)
    remainder = bounds.noise_variance + cavity_variance * left
    precision = hazard * excess / remainder + SMALLEST_PRECISION
    pull = hazard / spread
    return Match(
        Sites(precision, precision * cavity_mean + pull * (total / remainder)),
        mean=cavity_mean + cavity_variance * pull,
        variance=cavity_variance * (remainder / total),
    )


def match_one(
    cavity_mean: float, cavity_variance: float, *, value: float, noise_variance: float
) -> tuple[float, float]:
    """Compute precision and shift of a single site: as `match`, without the overhead of arrays."""
    total = noise_variance + cavity_variance
    spread = sqrt(total)
    moments = truncated.standard_moments(np.array([(value - cavity_mean) / spread]))
    hazard, excess, left = (float(moment[0]) for moment in moments)
    remainder = noise_variance + cavity_variance * left
    precision = hazard * excess / remainder + SMALLEST_PRECISION
    return precision, precision * cavity_mean + hazard * spread / remainder


def log_probability(cavity_mean: Floats, cavity_variance: Floats, *, bounds: Bounds) -> tuple[Floats, Floats]:
    """Compute the log probability of each bound given its cavity, and its slope in the noise variance."""
    total = bounds.noise_variance + cavity_variance
    a = (bounds.values - cavity_mean) / np.sqrt(total)
    hazard, _, _ = truncated.standard_moments(a)
    return np.asarray(log_ndtr(-a)), 0.5 * hazard * a / total
