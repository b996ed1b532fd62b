"""Expectation propagation compared with quadrature, Monte Carlo and exact results.

How far it is off is stated where it is tested. With one bound it is exact. The harder the bounds (small
noise) and the more alike the values, the more it errs: several bounds on one value count for a little more
than they should, and the belief is too narrow.
"""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtr, ndtri
from scipy.stats import multivariate_normal

from tightrope.gp.kernel import matern
from tightrope.gp.propagation import Approximation, Prior, condition, propagate
from tightrope.gp.sites import Bounds, Sites

Floats = NDArray[np.float64]


def integrate(
    mean: Floats, covariance: Floats, bounds: Floats, *, noise: float, n_nodes: int
) -> tuple[float, Floats, Floats]:
    """Log evidence, posterior means and variances, by the trapezoidal rule in whitened coordinates.

    The integrand is smooth and vanishes at the ends, nine standard deviations out: with several nodes for
    each width of noise the error is far below all tolerances used here.
    """
    nodes = np.linspace(-9.0, 9.0, n_nodes)
    white = np.stack(np.meshgrid(*[nodes] * len(mean), indexing="ij"), axis=-1).reshape(-1, len(mean))
    f = mean + white @ np.linalg.cholesky(covariance).T
    logs = log_ndtr((f - bounds) / noise).sum(axis=1) - 0.5 * (white**2).sum(axis=1)
    weights = np.exp(logs - logs.max())
    volume = (nodes[1] - nodes[0]) / np.sqrt(2 * np.pi)
    total = weights.sum()
    posterior_mean = weights @ f / total
    evidence = float(logs.max() + np.log(total) + len(mean) * np.log(volume))
    return evidence, posterior_mean, weights @ (f - posterior_mean) ** 2 / total


def approximate(mean: Floats, covariance: Floats, bounds: Floats, *, noise: float) -> Approximation:
    found = propagate(Prior(mean, covariance), Bounds(bounds, noise**2))
    assert found.converged
    return found


def pair(correlation: float) -> Floats:
    return np.array([[1.0, correlation], [correlation, 1.0]])


@pytest.mark.parametrize("bound", [-3.0, 0.0, 1.5, 5.0])
@pytest.mark.parametrize("noise", [0.1, 1.0])
def test_a_single_bound_is_exact(bound: float, noise: float) -> None:
    mean, covariance, bounds = np.array([0.3]), np.array([[2.0]]), np.array([bound])
    evidence, posterior_mean, variance = integrate(mean, covariance, bounds, noise=noise, n_nodes=20001)
    found = approximate(mean, covariance, bounds, noise=noise)
    assert found.log_evidence == pytest.approx(evidence, abs=1e-9)
    np.testing.assert_allclose(found.posterior.mean, posterior_mean, atol=1e-9)
    np.testing.assert_allclose(found.posterior.variance, variance, rtol=1e-8)


def test_bounds_on_independent_values_are_exact() -> None:
    mean, bounds = np.array([0.0, 1.0]), np.array([1.0, -1.0])
    evidence, posterior_mean, variance = integrate(mean, np.eye(2), bounds, noise=0.3, n_nodes=801)
    found = approximate(mean, np.eye(2), bounds, noise=0.3)
    assert found.log_evidence == pytest.approx(evidence, abs=1e-8)
    np.testing.assert_allclose(found.posterior.mean, posterior_mean, atol=1e-7)
    np.testing.assert_allclose(found.posterior.variance, variance, rtol=1e-7)


@pytest.mark.parametrize("correlation", [-0.5, 0.5])
@pytest.mark.parametrize("bounds", [(-1.0, -1.0), (0.0, 1.0), (3.0, 2.0)])
def test_two_values_loosely_tied_are_right_to_a_hundredth(
    correlation: float, bounds: tuple[float, float]
) -> None:
    mean = np.zeros(2)
    exact = integrate(mean, pair(correlation), np.array(bounds), noise=0.2, n_nodes=801)
    found = approximate(mean, pair(correlation), np.array(bounds), noise=0.2)
    assert found.log_evidence == pytest.approx(exact[0], abs=0.01)
    np.testing.assert_allclose(found.posterior.mean, exact[1], atol=0.01 * np.sqrt(exact[2].min()))
    np.testing.assert_allclose(np.sqrt(found.posterior.variance), np.sqrt(exact[2]), rtol=0.01)


@pytest.mark.parametrize("correlation", [0.9, 0.99])
@pytest.mark.parametrize("bounds", [(-1.0, -1.0), (0.0, 0.3), (3.0, 2.5)])
def test_two_values_closely_tied_are_right_to_a_tenth(
    correlation: float, bounds: tuple[float, float]
) -> None:
    mean = np.zeros(2)
    exact = integrate(mean, pair(correlation), np.array(bounds), noise=0.2, n_nodes=1201)
    found = approximate(mean, pair(correlation), np.array(bounds), noise=0.2)
    assert found.log_evidence == pytest.approx(exact[0], abs=0.06)
    np.testing.assert_allclose(found.posterior.mean, exact[1], atol=0.05 * np.sqrt(exact[2].min()))
    np.testing.assert_allclose(np.sqrt(found.posterior.variance), np.sqrt(exact[2]), rtol=0.12)


@pytest.mark.parametrize("length", [0.3, 1.0])
def test_three_values_are_right_to_a_few_hundredths(length: float) -> None:
    X = np.array([[0.0], [0.4], [1.0]]) / length
    mean, bounds = np.array([0.2, -0.1, 0.0]), np.array([0.5, -0.3, 1.0])
    exact = integrate(mean, matern(X, X), bounds, noise=0.3, n_nodes=121)
    found = approximate(mean, matern(X, X), bounds, noise=0.3)
    assert found.log_evidence == pytest.approx(exact[0], abs=0.03)
    np.testing.assert_allclose(found.posterior.mean, exact[1], atol=0.03 * np.sqrt(exact[2].min()))
    np.testing.assert_allclose(np.sqrt(found.posterior.variance), np.sqrt(exact[2]), rtol=0.06)


def sample(
    mean: Floats, covariance: Floats, bounds: Floats, *, noise: float, n_sweeps: int
) -> tuple[Floats, Floats, Floats]:
    """Posterior means, their standard errors, and posterior standard deviations, by Gibbs sampling.

    What is sampled is the noisy response z, a multivariate normal truncated at the bounds, one entry at a
    time; f given z is normal. 400 chains run side by side: they are independent, and so the errors are known.
    """
    rng = np.random.default_rng(0)
    total = covariance + noise**2 * np.eye(len(mean))
    precision = np.linalg.inv(total)
    z = np.tile(np.maximum(mean, bounds) + 0.1, (400, 1))
    sums, squares = np.zeros_like(z), np.zeros_like(z)
    to_f = covariance @ precision
    for sweep in range(n_sweeps):
        for i in range(len(mean)):
            spread = 1 / np.sqrt(precision[i, i])
            others = (z - mean) @ precision[i] - (z[:, i] - mean[i]) * precision[i, i]
            centre = mean[i] - others / precision[i, i]
            above = ndtr((centre - bounds[i]) / spread)
            z[:, i] = centre - spread * ndtri(above * rng.uniform(size=len(z)))
        if sweep >= n_sweeps // 5:
            f = mean + (z - mean) @ to_f.T
            sums += f
            squares += f**2
    n_kept = n_sweeps - n_sweeps // 5
    means = sums / n_kept
    spread_of_centres = squares.mean(axis=0) / n_kept - means.mean(axis=0) ** 2
    variance = spread_of_centres + np.diag(covariance - to_f @ covariance)
    return means.mean(axis=0), means.std(axis=0) / np.sqrt(len(means)), np.sqrt(variance)


def test_a_dozen_values_agree_with_monte_carlo() -> None:
    rng = np.random.default_rng(5)
    X = rng.uniform(size=(12, 2)) / 0.5
    mean, bounds = rng.normal(scale=0.3, size=12), rng.normal(loc=0.5, scale=0.5, size=12)
    exact_mean, error, std = sample(mean, matern(X, X), bounds, noise=0.3, n_sweeps=500)
    found = approximate(mean, matern(X, X), bounds, noise=0.3)
    # Propagation errs by up to 0.05 standard deviations; four standard errors are for the sampler.
    assert error.max() < 0.01
    assert (np.abs(found.posterior.mean - exact_mean) < 0.05 * std + 4 * error).all()
    np.testing.assert_allclose(np.sqrt(found.posterior.variance), std, rtol=0.12)


@pytest.mark.parametrize("n", [5, 10])
def test_the_evidence_agrees_with_the_distribution_function_of_the_multivariate_normal(n: int) -> None:
    rng = np.random.default_rng(n)
    X = rng.uniform(size=(n, 2)) / 0.4
    bounds, noise = rng.normal(loc=0.3, scale=0.5, size=n), 0.3
    covariance = matern(X, X)
    probability = multivariate_normal.cdf(
        -bounds, cov=covariance + noise**2 * np.eye(n), maxpts=100_000, rng=rng
    )
    found = approximate(np.zeros(n), covariance, bounds, noise=noise)
    assert found.log_evidence == pytest.approx(np.log(probability), abs=0.1)


def test_repeated_hard_bounds_make_the_belief_too_narrow() -> None:
    """A known weakness: ten equal bounds should count as one."""
    once = approximate(np.zeros(1), np.ones((1, 1)), np.ones(1), noise=0.01)
    often = approximate(np.zeros(10), np.ones((10, 10)), np.ones(10), noise=0.01)
    np.testing.assert_allclose(often.posterior.mean, once.posterior.mean[0], atol=0.1)
    ratio = np.sqrt(often.posterior.variance / once.posterior.variance[0])
    assert (ratio > 0.5).all()
    assert (ratio < 0.7).all()


@pytest.mark.parametrize("bound", [50.0, 1e3])
@pytest.mark.parametrize("noise", [1e-4, 1e-2, 1.0])
@pytest.mark.parametrize("length", [0.05, 0.5, 50.0])
def test_bounds_far_above_the_prior_are_met(bound: float, noise: float, length: float) -> None:
    rng = np.random.default_rng(1)
    X = rng.uniform(size=(15, 2)) / length
    bounds = bound + rng.normal(scale=0.3, size=15)
    found = approximate(np.zeros(15), matern(X, X), bounds, noise=noise)
    assert np.isfinite(found.log_evidence)
    # The prior pulls a value below its bound by at most its share of the noise variance.
    assert (found.posterior.mean > bounds * (1 - 1.01 * noise**2 / (1 + noise**2)) - 3 * noise).all()
    assert (found.posterior.variance > 0).all()


def test_bounds_far_below_the_prior_leave_it_alone() -> None:
    covariance = pair(0.7)
    found = approximate(np.array([1.0, 2.0]), covariance, np.array([-50.0, -1e6]), noise=0.1)
    np.testing.assert_array_equal(found.posterior.mean, [1.0, 2.0])
    np.testing.assert_allclose(found.posterior.variance, 1.0, rtol=1e-15)
    assert found.log_evidence == 0.0


def crowd(seed: int, *, length: float, level: float, n: int) -> tuple[Floats, Floats]:
    """Return the covariance of many nearly equal values, and bounds about a level."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(n, 2)) / length
    return matern(X, X), rng.normal(loc=level, scale=0.3, size=n)


@pytest.mark.parametrize("noise", [1e-4, 1e-2, 1.0])
@pytest.mark.parametrize("length", [0.3, 3.0, 100.0])
@pytest.mark.parametrize("level", [-2.0, 0.0, 3.0])
def test_it_converges_soon_for_many_nearly_equal_values(noise: float, length: float, level: float) -> None:
    covariance, bounds = crowd(2, length=length, level=level, n=60)
    assert approximate(np.zeros(60), covariance, bounds, noise=noise).n_rounds < 40


@pytest.mark.parametrize(("seed", "level"), [(0, 5.0), (1, 1.0)])
def test_it_does_not_cycle(seed: int, level: float) -> None:
    """Data sets on which shortening the step after an extrapolation took a hundred rounds and more."""
    covariance, bounds = crowd(seed, length=100.0, level=level, n=30)
    assert approximate(np.zeros(30), covariance, bounds, noise=0.01).n_rounds < 40


@pytest.mark.parametrize(("seed", "length"), [(32, 3.0), (27, 3.0), (37, 3.0), (21, 0.3), (18, 100.0)])
def test_it_converges_for_bounds_ten_thousand_deviations_out(seed: int, length: float) -> None:
    """Early extrapolation, damped steps, sequential updates alone and lost digits all failed here."""
    covariance, bounds = crowd(seed, length=length, level=1e4, n=30)
    assert approximate(np.zeros(30), covariance, bounds, noise=1e-4).n_rounds < 40


def test_the_fixed_point_does_not_depend_on_the_start() -> None:
    rng = np.random.default_rng(4)
    X = rng.uniform(size=(20, 2)) / 0.4
    bounds = Bounds(rng.normal(size=20), 0.01)
    start = propagate(Prior(np.full(20, 2.0), 0.3 * matern(X, X)), bounds).sites
    prior = Prior(np.zeros(20), matern(X, X))
    cold, warm = propagate(prior, bounds), propagate(prior, bounds, start=start)
    assert warm.log_evidence == pytest.approx(cold.log_evidence, abs=1e-9)
    np.testing.assert_allclose(warm.posterior.mean, cold.posterior.mean, atol=1e-5)


def test_a_covariance_that_is_not_positive_semidefinite_is_refused() -> None:
    with pytest.raises(np.linalg.LinAlgError, match="not positive semidefinite"):
        condition(Prior(np.zeros(2), pair(9.0)), Sites(np.ones(2), np.ones(2)))
