"""Expectation propagation: a normal approximation to jointly normal values with known lower bounds.

Each likelihood is replaced by a normal factor, its site. At the fixed point the moments of each value stay
the same when its site alone is replaced by the exact likelihood.

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

No quantity is a difference of nearly equal numbers, even where a site is much sharper or much blunter than
its cavity.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dpotri, dpotrs, dtrtrs

from tightrope.gp.parallel import AndersonMixing
from tightrope.gp.sequential import update_in_turn
from tightrope.gp.sites import Bounds, Match, Sites, log_probability, match

Floats = NDArray[np.float64]

TOLERANCE = 1e-6  # largest mismatch of moments, in standard deviations
_ROUNDING = 1e-8  # share of the mean that is lost to rounding
_FAR = 1.0  # mismatch above which the updates are sequential
_CYCLE = 5  # every fifth round is parallel even so: sequential ones may stall through rounding or a cycle
_MOST_ROUNDS = 100
_SMALLEST_VARIANCE = 1e-300


@dataclass(frozen=True, slots=True)
class Prior:
    """The belief before the bounds are taken into account."""

    mean: Floats
    covariance: Floats


@dataclass(frozen=True, slots=True)
class Posterior:
    """The belief given the sites; the module docstring explains the symbols."""

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
    """The fixed point, or the last round if the rounds did not converge."""

    sites: Sites
    posterior: Posterior
    log_evidence: float
    noise_slope: float  # derivative of the log evidence by the noise variance
    n_rounds: int
    converged: bool


def propagate(
    prior: Prior, bounds: Bounds, *, start: Sites | None = None, tolerance: float = TOLERANCE
) -> Approximation:
    """Find the sites: by sequential updates while far from convergence, then by parallel ones.

    A start that is far from the fixed point is worse than none: it is discarded after the first round.
    """
    sites = _update_from_prior(prior, bounds) if start is None else start
    mixing = AndersonMixing(prior.covariance.diagonal())
    n_rounds = 0
    while True:
        n_rounds += 1
        posterior = condition(prior, sites)
        matched = match(posterior.cavity_mean, posterior.cavity_variance, bounds=bounds)
        mismatch = _mismatch(posterior, matched)
        if mismatch < tolerance or n_rounds == _MOST_ROUNDS:
            break
        if mismatch < _FAR or n_rounds % _CYCLE == 0:
            sites = mixing.next_sites(sites, matched.sites, mismatch=mismatch)
        elif n_rounds == 1 and start is not None:
            sites = _update_from_prior(prior, bounds)
        else:
            sites = _update_from_posterior(prior, posterior, sites=sites, bounds=bounds)
    value, noise_slope = _log_evidence(posterior, bounds)
    return Approximation(sites, posterior, value, noise_slope, n_rounds, mismatch < tolerance)


def condition(prior: Prior, sites: Sites) -> Posterior:
    """Compute the posterior and the cavities, given the sites."""
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


def _mismatch(posterior: Posterior, matched: Match) -> float:
    spread = np.sqrt(posterior.variance) + _ROUNDING * np.abs(posterior.mean)
    mean_gap = np.abs(matched.mean - posterior.mean) / spread
    variance_gap = np.abs(matched.variance / posterior.variance - 1.0)
    return float(max(mean_gap.max(), variance_gap.max()))


def _log_evidence(posterior: Posterior, bounds: Bounds) -> tuple[float, float]:
    """Log of the probability of all bounds together, and its derivative by the noise variance."""
    logs, slopes = log_probability(posterior.cavity_mean, posterior.cavity_variance, bounds=bounds)
    quadratic = posterior.beta @ (posterior.beta / posterior.diagonal - posterior.target)
    determinants = np.log(posterior.diagonal).sum() + 2.0 * np.log(posterior.lower.diagonal()).sum()
    return float(logs.sum() + 0.5 * (quadratic - determinants)), float(slopes.sum())


def _update_from_prior(prior: Prior, bounds: Bounds) -> Sites:
    zeros = np.zeros_like(prior.mean)
    return update_in_turn(prior.mean, prior.covariance, sites=Sites(zeros, zeros), bounds=bounds)


def _update_from_posterior(prior: Prior, posterior: Posterior, *, sites: Sites, bounds: Bounds) -> Sites:
    half, _ = dtrtrs(posterior.lower, posterior.root[:, np.newaxis] * prior.covariance, lower=1)
    return update_in_turn(posterior.mean, prior.covariance - half.T @ half, sites=sites, bounds=bounds)
