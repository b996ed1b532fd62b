"""A process given its hyperparameters: log evidence, its gradient, and the belief at new points.

The observed values are exact: they condition the bounded ones, and expectation propagation then runs on the
bounded ones alone.

=========  ==================  ========================================================================
symbol     shape               meaning
=========  ==================  ========================================================================
X          (n, d)              points, the n_o observed before the m bounded
K          (n, n)              signal^2 times the Matern kernel
T          (n, n)              diagonal: noise^2 of observed points, 1 / precision of the sites of bounded
scale      (n,)                1 for observed points, root of the site's precision for bounded; its diagonal
                               matrix is D
lower      (n, n)              Cholesky factor of D (K + T) D, finite also where a site has no precision
weights    (n,)                (K + T)^-1 (values, or the sites' values for bounded points, less the mean)
white      (n_o,), (n_o, m)    residuals of the observed, and K between observed and bounded, both multiplied
                               by the inverse Cholesky factor of the observed block
=========  ==================  ========================================================================
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dpotri, dtrtrs

from tightrope.gp.hyperparameters import Hyperparameters
from tightrope.gp.kernel import length_gradient, matern, matern_and_slope
from tightrope.gp.propagation import TOLERANCE, Approximation, Prior, propagate
from tightrope.gp.sites import Bounds, Sites

Floats = NDArray[np.float64]

_LOG_2_PI = float(np.log(2.0 * np.pi))
_ROUNDING = 1e-12  # error of a variance given the observed values, as a share of the signal's variance
_ROWS_AT_ONCE = 512  # of new points: few enough for the cache of a core


@dataclass(frozen=True, slots=True)
class Observations:
    """Points, those with values before those with bounds."""

    X: Floats
    values: Floats
    bounds: Floats


@dataclass(frozen=True, slots=True)
class Process:
    """A process conditioned on observations; the module docstring explains the symbols."""

    X: Floats
    hyperparameters: Hyperparameters
    lower: Floats
    scale: Floats
    weights: Floats
    log_evidence: float
    approximation: Approximation | None  # None if nothing is bounded

    @property
    def sites(self) -> Sites | None:
        """Sites that the next propagation may start from."""
        return None if self.approximation is None else self.approximation.sites

    def belief(self, X: Floats) -> tuple[Floats, Floats]:
        """Return mean and standard deviation of f at new points."""
        mean, variance = np.empty(len(X)), np.empty(len(X))
        for first in range(0, len(X), _ROWS_AT_ONCE):
            rows = slice(first, first + _ROWS_AT_ONCE)
            kernel = self._kernel(X[rows])
            mean[rows] = kernel @ self.weights
            kernel *= self.scale
            white, _ = dtrtrs(self.lower, kernel.T, lower=1, overwrite_b=1)
            variance[rows] = np.einsum("ij,ij->j", white, white)
        prior = self.hyperparameters.signal**2
        left = np.maximum(prior - variance, _ROUNDING * prior)
        return mean + self.hyperparameters.mean, np.sqrt(left)

    def mean(self, X: Floats) -> Floats:
        """Return the mean of f at new points; cheaper than `belief`."""
        rows = range(0, len(X), _ROWS_AT_ONCE)
        parts = [self._kernel(X[first : first + _ROWS_AT_ONCE]) @ self.weights for first in rows]
        return np.concatenate([np.empty(0), *parts]) + self.hyperparameters.mean

    def _kernel(self, X: Floats) -> Floats:
        lengths = self.hyperparameters.lengths
        return self.hyperparameters.signal**2 * matern(X / lengths, self.X / lengths)


def condition(
    observations: Observations, hyperparameters: Hyperparameters, *, start: Sites | None = None
) -> Process:
    """Condition the process on the observations."""
    scaled = observations.X / hyperparameters.lengths
    kernel = hyperparameters.signal**2 * matern(scaled, scaled)
    return _condition(observations, hyperparameters, kernel=kernel, start=start, tolerance=TOLERANCE)


def evaluate(
    observations: Observations,
    hyperparameters: Hyperparameters,
    *,
    start: Sites | None = None,
    tolerance: float = TOLERANCE,
) -> tuple[Process, Floats]:
    """Condition the process on the observations, and differentiate the log evidence.

    The gradient is by the logarithms of lengths, signal and noise and by the mean, in this order. At the
    fixed point of the propagation the log evidence is stationary in the sites: they count as constants.
    """
    signal, noise = hyperparameters.signal, hyperparameters.noise
    scaled = observations.X / hyperparameters.lengths
    kernel, slope = matern_and_slope(scaled, scaled)
    kernel *= signal**2
    slope *= signal**2
    process = _condition(observations, hyperparameters, kernel=kernel, start=start, tolerance=tolerance)
    weights = process.weights
    inverse, _ = dpotri(process.lower, lower=1)
    diagonal = inverse.diagonal().copy()
    n_observed = len(observations.values)
    by_noise = np.sum(weights[:n_observed] ** 2 - diagonal[:n_observed])
    if process.approximation is not None:
        by_noise += 2.0 * process.approximation.noise_slope
    explained = len(diagonal) - noise**2 * diagonal[:n_observed].sum() - diagonal[n_observed:].sum()
    by_signal = weights @ (kernel @ weights) - explained
    by_lengths = length_gradient(slope, scaled, weights=weights, inverse=inverse, scale=process.scale)
    return process, np.array([*by_lengths, by_signal, noise**2 * by_noise, weights.sum()])


def _condition(
    observations: Observations,
    hyperparameters: Hyperparameters,
    *,
    kernel: Floats,
    start: Sites | None,
    tolerance: float,
) -> Process:
    n, n_observed = len(kernel), len(observations.values)
    observed, bounded = slice(0, n_observed), slice(n_observed, n)
    noise, residuals = hyperparameters.noise, observations.values - hyperparameters.mean
    lower = np.zeros((n, n), order="F")
    lower[observed, observed] = _cholesky(kernel[observed, observed], noise=noise)
    white = _solve(lower[observed, observed], residuals)
    log_evidence = -0.5 * (white @ white + n_observed * _LOG_2_PI) - np.log(lower.diagonal()[observed]).sum()
    scale, weights, approximation = np.ones(n), np.empty(n), None
    if n > n_observed:
        cross = _solve(lower[observed, observed], kernel[observed, bounded])
        covariance = kernel[bounded, bounded] - cross.T @ cross
        diagonal = np.maximum(covariance.diagonal(), _ROUNDING * hyperparameters.signal**2)
        np.fill_diagonal(covariance, diagonal)
        approximation = propagate(
            Prior(hyperparameters.mean + white @ cross, covariance),
            Bounds(observations.bounds, noise**2),
            start=start,
            tolerance=tolerance,
        )
        scale[bounded] = approximation.posterior.root
        lower[bounded, observed] = (cross * scale[bounded]).T
        lower[bounded, bounded] = approximation.posterior.lower
        weights[bounded] = scale[bounded] * approximation.posterior.beta
        white = white - cross @ weights[bounded]
        log_evidence += approximation.log_evidence
    weights[observed] = _solve(lower[observed, observed], white, transposed=True)
    return Process(observations.X, hyperparameters, lower, scale, weights, float(log_evidence), approximation)


def _cholesky(kernel: Floats, *, noise: float) -> Floats:
    if not kernel.size:
        return kernel
    matrix = kernel.copy(order="F")
    matrix.flat[:: len(matrix) + 1] += noise**2
    lower, failure = dpotrf(matrix, lower=1, clean=1, overwrite_a=1)
    if failure:
        raise np.linalg.LinAlgError(f"noise={noise} is too small for a signal of this size and these points")
    return np.asarray(lower)


def _solve(lower: Floats, right: Floats, *, transposed: bool = False) -> Floats:
    if not lower.size:
        return right
    return np.asarray(dtrtrs(lower, right, lower=1, trans=int(transposed))[0])
