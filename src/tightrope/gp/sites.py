"""Bounds on normal values, and the normal densities that stand in for their likelihoods.

=========  ======  ====================================================================================
symbol     shape   meaning
=========  ======  ====================================================================================
values     (m,)    bounds: f plus normal noise is known to be at least this
cavity     (m,)    mean and variance of a normal belief about f, from all that is known but its bound
a          (m,)    bound standardised by cavity and noise
precision  (m,)    a site is proportional to exp(shift f - precision f^2 / 2)
shift      (m,)
=========  ======  ====================================================================================

The likelihood of a bound is Phi((f - bound) / noise). Times the cavity it has known moments, those of a
truncated normal; the site that gives the same moments is written so that no digits are lost, however far
above or below the belief the bound lies.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from tightrope import truncated

Floats = NDArray[np.float64]

SMALLEST_PRECISION = 1e-60  # of a site that says nothing; the reciprocal of its root is still finite


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is known: f plus noise of this variance is at least the value."""

    values: Floats
    noise_variance: float


@dataclass(frozen=True, slots=True)
class Sites:
    """Normal stand-ins for the likelihoods."""

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
    """Precision and shift of a single site: as `match`, without what arrays cost."""
    total = noise_variance + cavity_variance
    spread = sqrt(total)
    moments = truncated.standard_moments(np.array([(value - cavity_mean) / spread]))
    hazard, excess, left = (float(moment[0]) for moment in moments)
    remainder = noise_variance + cavity_variance * left
    precision = hazard * excess / remainder + SMALLEST_PRECISION
    return precision, precision * cavity_mean + hazard * spread / remainder


def log_probability(cavity_mean: Floats, cavity_variance: Floats, *, bounds: Bounds) -> tuple[Floats, Floats]:
    """Log of the probability of each bound given its cavity, and the derivative by the noise variance."""
    total = bounds.noise_variance + cavity_variance
    a = (bounds.values - cavity_mean) / np.sqrt(total)
    hazard, _, _ = truncated.standard_moments(a)
    return np.asarray(log_ndtr(-a)), 0.5 * hazard * a / total
