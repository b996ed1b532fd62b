"""How good beliefs about costs are where the truth is known, and where only a bound is."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from treatments.problem import Floats

Mask = NDArray[np.bool_]


def errors(truth: Floats, mean: Floats, *, known: Mask) -> Floats:
    """Prediction less truth; where the truth is a lower bound, only predictions below it are wrong."""
    error = mean - truth
    return np.where(known, error, np.minimum(error, 0.0))


def root_mean_square(error: Floats) -> float:
    """Root of the mean square, NaN if there is no error to average."""
    return float(np.sqrt(np.mean(error**2))) if error.size else float("nan")


def log_likelihoods(truth: Floats, mean: Floats, *, std: Floats, known: Mask) -> Floats:
    """Log density of the truth under a normal belief; where it is a lower bound, log of the mass above it."""
    z = (truth - mean) / std
    return np.where(known, -0.5 * z**2 - np.log(std) - 0.5 * np.log(2.0 * np.pi), log_ndtr(-z))


def log_likelihoods_of_log10(cost: Floats, mean: Floats, *, std: Floats, known: Mask) -> Floats:
    """Log likelihoods of log10 cost under a normal belief about cost itself."""
    derivative = cost * np.log(10.0)  # of cost with respect to log10 cost
    return log_likelihoods(cost, mean, std=std, known=known) + np.where(known, np.log(derivative), 0.0)
