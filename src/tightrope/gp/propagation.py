"""Expectation propagation: a normal approximation to jointly normal values of which bounds are known.

Each likelihood is replaced by a site such that the moments of each value are right when its site alone is
exchanged for its likelihood again.

==========  =========  ================================================================================
symbol      shape      meaning
==========  =========  ================================================================================
mean        (m,)       prior mean of the values f
covariance  (m, m)     prior covariance of f, called C below
root        (m,)       square roots of the sites' precisions; S = diag(root)
B           (m, m)     I + S C S, well conditioned whatever the precisions; `lower` is its Cholesky factor
diagonal    (m,)       diagonal of the inverse of B: posterior variance over cavity variance
target      (m,)       shift / root - root * mean
beta        (m,)       B^-1 target; the posterior mean is mean + C S beta
cavity      (m,)       mean and variance of f_i given all sites but its own
==========  =========  ================================================================================

Nothing is formed as a difference of nearly equal numbers where a site is much sharper or much blunter than
its cavity.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dpotri, dpotrs, dtrtrs

from tightrope.gp.parallel import Stride
from tightrope.gp.sequential import hear_in_turn
from tightrope.gp.sites import Bounds, Match, Sites, log_probability, match

Floats = NDArray[np.float64]

TOLERANCE = 1e-6  # largest mismatch of moments, in standard deviations
_ROUNDING = 1e-8  # the mean is not known better than this times the tolerance, relatively
_FAR = 1.0  # mismatch above which the bounds are heard in turn
_CYCLE = 5  # every so many rounds all at once nevertheless: rounding, or a circle, may hold up those in turn
_MOST_ROUNDS = 100
_SMALLEST_VARIANCE = 1e-300


@dataclass(frozen=True, slots=True)
class Prior:
    """What is believed before the bounds are heard."""

    mean: Floats
    covariance: Floats


@dataclass(frozen=True, slots=True)
class Posterior:
    """What prior and sites imply; see the glossary."""

    root: Floats
    lower: Floats
    diagonal: Floats
    target: Floats
    beta: Floats
    mean: Floats
    variance: Floats
    cavity_mean: Floats
    cavity_variance: Floats


@dataclass(frozen=True, slots=True)
class Approximation:
    """The fixed point, or the last round if it was not reached."""

    sites: Sites
    posterior: Posterior
    log_evidence: float
    noise_slope: float  # derivative of the log evidence by the noise variance
    n_rounds: int
    converged: bool


def propagate(
    prior: Prior, bounds: Bounds, *, start: Sites | None = None, tolerance: float = TOLERANCE
) -> Approximation:
    """Find the sites: in turn while they are far from rest, and then all at once in each round.

    A start from which one round leads far is worse than none: then the bounds are heard afresh.
    """
    sites = _hear_first(prior, bounds) if start is None else start
    stride = Stride(prior.covariance.diagonal())
    n_rounds = 0
    while True:
        n_rounds += 1
        posterior = condition(prior, sites)
        wanted = match(posterior.cavity_mean, posterior.cavity_variance, bounds=bounds)
        mismatch = _mismatch(posterior, wanted)
        if mismatch < tolerance or n_rounds == _MOST_ROUNDS:
            break
        if mismatch < _FAR or n_rounds % _CYCLE == 0:
            sites = stride.next(sites, wanted.sites, mismatch=mismatch)
        elif n_rounds == 1 and start is not None:
            sites = _hear_first(prior, bounds)
        else:
            sites = _hear_again(prior, posterior, sites=sites, bounds=bounds)
    value, noise_slope = _log_evidence(posterior, bounds)
    return Approximation(sites, posterior, value, noise_slope, n_rounds, mismatch < tolerance)


def condition(prior: Prior, sites: Sites) -> Posterior:
    """Posterior and cavities, given the sites."""
    root = np.sqrt(sites.precision)
    matrix = root[:, np.newaxis] * prior.covariance
    matrix *= root
    matrix.flat[:: root.size + 1] += 1.0
    lower, failure = dpotrf(matrix.T, lower=1, clean=1, overwrite_a=1)
    if failure:
        raise np.linalg.LinAlgError("the prior covariance of the bounded values is not positive semidefinite")
    inverse, _ = dpotri(lower, lower=1)
    inverse = inverse + inverse.T  # it was lower triangular
    inverse.flat[:: root.size + 1] *= 0.5
    target = sites.shift / root - root * prior.mean
    beta, _ = dpotrs(lower, target, lower=1)
    mean = prior.mean + prior.covariance @ (root * beta)
    diagonal = inverse.diagonal().copy()
    # The diagonal of C S B^-1 S^-1, which is also that of C - C S B^-1 S C.
    variance = np.einsum("ij,ij->i", prior.covariance * root, inverse) / root
    variance = np.maximum(variance, _SMALLEST_VARIANCE)
    cavity_variance = variance / diagonal
    return Posterior(
        root=root,
        lower=lower,
        diagonal=diagonal,
        target=target,
        beta=beta,
        mean=mean,
        variance=variance,
        cavity_mean=mean - cavity_variance * root * beta,
        cavity_variance=cavity_variance,
    )


def _mismatch(posterior: Posterior, wanted: Match) -> float:
    spread = np.sqrt(posterior.variance) + _ROUNDING * np.abs(posterior.mean)
    mean_gap = np.abs(wanted.mean - posterior.mean) / spread
    variance_gap = np.abs(wanted.variance / posterior.variance - 1.0)
    return float(max(mean_gap.max(), variance_gap.max()))


def _log_evidence(posterior: Posterior, bounds: Bounds) -> tuple[float, float]:
    """Log of the probability of all bounds together, and its derivative by the noise variance."""
    logs, slopes = log_probability(posterior.cavity_mean, posterior.cavity_variance, bounds=bounds)
    quadratic = posterior.beta @ (posterior.beta / posterior.diagonal - posterior.target)
    determinants = np.log(posterior.diagonal).sum() + 2.0 * np.log(posterior.lower.diagonal()).sum()
    return float(logs.sum() + 0.5 * (quadratic - determinants)), float(slopes.sum())


def _hear_first(prior: Prior, bounds: Bounds) -> Sites:
    nothing = np.zeros_like(prior.mean)
    return hear_in_turn(prior.mean, prior.covariance, sites=Sites(nothing, nothing), bounds=bounds)


def _hear_again(prior: Prior, posterior: Posterior, *, sites: Sites, bounds: Bounds) -> Sites:
    known, _ = dtrtrs(posterior.lower, posterior.root[:, np.newaxis] * prior.covariance, lower=1)
    return hear_in_turn(posterior.mean, prior.covariance - known.T @ known, sites=sites, bounds=bounds)
