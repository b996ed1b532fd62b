"""Scores of beliefs about costs, where the cost is known and where only a bound is known."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from lib.treatments.problem import Floats

Mask = NDArray[np.bool_]


def errors(truth: Floats, mean: Floats, *, known: Mask) -> Floats:
    """Return prediction minus truth; where the truth is a lower bound, predictions above it have no error."""
    error = mean - truth
    return np.where(known, error, np.minimum(error, 0.0))


def root_mean_square(error: Floats) -> float:
    """Return the root mean square; NaN if there are no errors."""
    return float(np.sqrt(np.mean(error**2))) if error.size else float("nan")


def log_likelihoods(truth: Floats, mean: Floats, *, std: Floats, known: Mask) -> Floats:
    """Return the log density of the truth under a normal belief; for a lower bound the log mass above it."""
    z = (truth - mean) / std
    return np.where(known, -0.5 * z**2 - np.log(std) - 0.5 * np.log(2.0 * np.pi), log_ndtr(-z))


def log_likelihoods_of_log10(cost: Floats, mean: Floats, *, std: Floats, known: Mask) -> Floats:
    """Return log likelihoods of log10 cost under a normal belief about cost."""
    derivative = cost * np.log(10.0)  # of cost with respect to log10 cost
    return log_likelihoods(cost, mean, std=std, known=known) + np.where(known, np.log(derivative), 0.0)
