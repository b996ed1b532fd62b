"""How good a belief about logarithms of costs is where the truth is known, and where a bound is."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from treatments.problem import Floats


def rmse(truth: Floats, mean: Floats) -> float:
    """Root of the mean squared error."""
    return float(np.sqrt(np.mean((truth - mean) ** 2)))


def log_likelihoods(truth: Floats, mean: Floats, *, std: Floats, known: NDArray[np.bool_]) -> Floats:
    """Log density of each truth under a normal belief; where only a bound is known, log of the mass above it."""
    z = (truth - mean) / std
    return np.where(known, -0.5 * z**2 - np.log(std) - 0.5 * np.log(2.0 * np.pi), log_ndtr(-z))
