import numpy as np
import pytest
from scipy.special import log_ndtr
from scipy.stats import multivariate_normal

from tightrope.gp.evidence import Observations, condition, evaluate
from tightrope.gp.hyperparameters import Hyperparameters
from tightrope.gp.kernel import matern

RNG = np.random.default_rng(7)
X = RNG.uniform(size=(9, 2))
HYPERPARAMETERS = Hyperparameters(np.array([0.4, 0.9]), signal=1.3, noise=0.2, mean=0.4)
COVARIANCE = 1.3**2 * matern(X / HYPERPARAMETERS.lengths, X / HYPERPARAMETERS.lengths)
VALUES = RNG.normal(size=8)


def test_a_bound_beside_values_is_exact() -> None:
    """Given the values, a single bound is one probability: nothing is approximated."""
    bound = 0.8
    total = COVARIANCE + 0.2**2 * np.eye(9)
    pull = np.linalg.solve(total[:8, :8], total[:8, 8])
    mean = 0.4 + pull @ (VALUES - 0.4)
    spread = np.sqrt(total[8, 8] - pull @ total[:8, 8])
    exact = multivariate_normal.logpdf(VALUES, np.full(8, 0.4), total[:8, :8])
    exact += float(log_ndtr((mean - bound) / spread))
    process = condition(Observations(X, VALUES, np.array([bound])), HYPERPARAMETERS)
    assert process.log_evidence == pytest.approx(exact, abs=1e-9)


def test_without_bounds_the_evidence_is_the_density_of_the_values() -> None:
    process = condition(Observations(X[:8], VALUES, np.empty(0)), HYPERPARAMETERS)
    total = COVARIANCE[:8, :8] + 0.2**2 * np.eye(8)
    exact = multivariate_normal.logpdf(VALUES, np.full(8, 0.4), total)
    assert process.log_evidence == pytest.approx(exact, abs=1e-10)


def test_the_belief_at_points_with_bounds_is_that_of_the_propagation() -> None:
    process = condition(Observations(X, VALUES[:4], np.linspace(-1, 2, 5)), HYPERPARAMETERS)
    assert process.approximation is not None
    mean, std = process.belief(X[4:])
    np.testing.assert_allclose(mean, process.approximation.posterior.mean, atol=1e-6)
    np.testing.assert_allclose(std**2, process.approximation.posterior.variance, rtol=1e-6)


def test_the_mean_alone_is_the_mean_of_the_belief() -> None:
    process = condition(Observations(X, VALUES[:4], np.linspace(-1, 2, 5)), HYPERPARAMETERS)
    new = RNG.uniform(size=(5000, 2))
    np.testing.assert_allclose(process.mean(new), process.belief(new)[0], rtol=1e-12)


def test_evaluating_with_a_gradient_gives_the_same_process() -> None:
    observations = Observations(X, VALUES[:4], np.linspace(-1, 2, 5))
    plain, (process, _) = condition(observations, HYPERPARAMETERS), evaluate(observations, HYPERPARAMETERS)
    assert process.log_evidence == pytest.approx(plain.log_evidence, abs=1e-10)
    np.testing.assert_allclose(process.weights, plain.weights, rtol=1e-8)
    np.testing.assert_allclose(process.lower, plain.lower, atol=1e-10)


def test_starting_at_the_sites_of_an_earlier_process_converges_at_once() -> None:
    observations = Observations(X, VALUES[:4], np.linspace(-1, 2, 5))
    first = condition(observations, HYPERPARAMETERS)
    again = condition(observations, HYPERPARAMETERS, start=first.sites)
    assert again.approximation is not None
    assert again.approximation.n_rounds == 1


def test_a_noise_too_small_for_the_points_is_named() -> None:
    same = np.zeros((3, 1))
    hyperparameters = Hyperparameters(np.ones(1), signal=1.0, noise=1e-12, mean=0.0)
    with pytest.raises(np.linalg.LinAlgError, match=r"noise=1e-12 is too small"):
        condition(Observations(same, np.zeros(3), np.empty(0)), hyperparameters)
