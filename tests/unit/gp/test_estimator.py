import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern
from sklearn.utils.estimator_checks import parametrize_with_checks

from tightrope.gp import CensoredProcess, Hyperparameters

Arrays = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]
RNG = np.random.default_rng(11)
NEW = RNG.uniform(size=(50, 2))


def capped(n: int = 40, *, noise: float = 0.05, cap: float = 1.0) -> Arrays:
    """Return responses to two columns; a good third of them exceed the cap."""
    X = np.random.default_rng(0).uniform(size=(n, 2))
    y = truth(X) + np.random.default_rng(1).normal(scale=noise, size=n)
    return X, np.minimum(y, cap), y > cap


def truth(X: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(2.0 * np.sin(3.0 * X[:, 0]) - X[:, 1])


@parametrize_with_checks([CensoredProcess(max_iter=5), CensoredProcess(noise=0.1, n_restarts=0, max_iter=5)])
def test_it_passes_the_checks_of_scikit_learn(estimator: CensoredProcess, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e4])
def test_with_nothing_censored_it_is_an_ordinary_process(scale: float) -> None:
    X, y, _ = capped(cap=np.inf)
    y = scale * y
    lengths = np.array([0.5, 0.8])
    fixed = Hyperparameters(lengths, signal=1.5 * scale, noise=0.1 * scale, mean=0.3 * scale)
    ours = CensoredProcess(max_iter=0).fit(X, y, start=fixed)
    kernel = ConstantKernel((1.5 * scale) ** 2) * Matern(lengths, nu=2.5)
    theirs = GaussianProcessRegressor(kernel, alpha=(0.1 * scale) ** 2, optimizer=None).fit(
        X, y - 0.3 * scale
    )
    mean, std = theirs.predict(NEW, return_std=True)
    np.testing.assert_allclose(ours.belief(NEW)[0], mean + 0.3 * scale, atol=1e-8 * scale)
    np.testing.assert_allclose(ours.belief(NEW)[1], std, rtol=1e-8)
    assert ours.log_evidence_ == pytest.approx(theirs.log_marginal_likelihood_value_, abs=1e-8)


def test_fitted_hyperparameters_explain_the_data_as_well_as_those_of_scikit_learn() -> None:
    """Our priors cost about one unit of log evidence for each hyperparameter that they disagree with."""
    X, y, _ = capped(100, cap=np.inf)
    ours = CensoredProcess(random_state=0).fit(X, y)
    kernel = ConstantKernel() * Matern([1.0, 1.0], nu=2.5)
    theirs = GaussianProcessRegressor(kernel, alpha=0.05**2, random_state=0).fit(X, y)
    assert ours.log_evidence_ > theirs.log_marginal_likelihood_value_ - 6.0
    assert ours.hyperparameters_.noise == pytest.approx(0.05, rel=0.3)


@pytest.mark.parametrize("noise", [0.05, 0.2, 0.5])
def test_noise_is_not_mistaken_for_signal(noise: float) -> None:
    X, y, _ = capped(100, noise=noise, cap=np.inf)
    process = CensoredProcess(n_restarts=0).fit(X, y)
    assert process.hyperparameters_.noise == pytest.approx(noise, rel=0.25)


def test_bounds_reveal_more_than_leaving_them_out_or_taking_them_as_values() -> None:
    X, y, censored = capped(80)
    above = truth(NEW) > 1.0
    ours = CensoredProcess(random_state=0).fit(X, y, censored)
    without = CensoredProcess(random_state=0).fit(X[~censored], y[~censored])
    as_values = CensoredProcess(random_state=0).fit(X, y)
    errors = [
        np.sqrt(np.mean((process.predict(NEW[above]) - truth(NEW[above])) ** 2))
        for process in (ours, without, as_values)
    ]
    assert errors[0] < 0.7 * min(errors[1:])


def test_a_log_model_equals_a_model_of_logarithms() -> None:
    X, y, censored = capped()
    logs = CensoredProcess(random_state=0).fit(X, y, censored)
    costs = CensoredProcess(log=True, random_state=0).fit(X, np.exp(y), censored)
    np.testing.assert_allclose(costs.belief(NEW), logs.belief(NEW), rtol=1e-6)
    np.testing.assert_allclose(costs.predict(NEW), np.exp(costs.belief(NEW)[0]), rtol=1e-12)


def test_predictions_come_with_standard_deviations() -> None:
    X, y, censored = capped()
    process = CensoredProcess(random_state=0).fit(X, y, censored)
    np.testing.assert_array_equal(process.predict(NEW, return_std=True), process.belief(NEW))


def test_the_same_seed_gives_the_same_process() -> None:
    X, y, censored = capped()
    first, second = (CensoredProcess(random_state=3).fit(X, y, censored).belief(NEW) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_a_fixed_noise_is_kept() -> None:
    X, y, censored = capped()
    process = CensoredProcess(noise=0.3, random_state=0).fit(X, y, censored)
    assert process.hyperparameters_.noise == pytest.approx(0.3, rel=1e-12)


def test_fixing_the_noise_where_it_was_found_changes_nothing_else() -> None:
    X, y, censored = capped()
    free = CensoredProcess(random_state=0).fit(X, y, censored)
    fixed = CensoredProcess(noise=free.hyperparameters_.noise, random_state=0).fit(X, y, censored)
    assert fixed.log_evidence_ == pytest.approx(free.log_evidence_, abs=0.2)
    np.testing.assert_allclose(fixed.hyperparameters_.lengths, free.hyperparameters_.lengths, rtol=0.1)


def test_a_fixed_noise_of_zero_is_raised_to_the_smallest_allowed() -> None:
    X, y, censored = capped(noise=0.0)
    process = CensoredProcess(noise=0.0, random_state=0).fit(X, y, censored)
    assert process.hyperparameters_.noise == pytest.approx(1e-4 * y.std(), rel=1e-12)
    np.testing.assert_allclose(process.predict(X[~censored]), y[~censored], atol=1e-3)


def test_a_noise_too_small_for_the_signal_is_raised() -> None:
    """The points lie so close together that the linear algebra would fail otherwise."""
    X = 1e-9 * np.arange(12.0)[:, np.newaxis] + np.repeat([0.0, 1.0], 6)[:, np.newaxis]
    start = Hyperparameters(np.ones(1), signal=1e7, noise=0.0, mean=0.0)
    process = CensoredProcess(max_iter=0, noise=0.0).fit(X, np.arange(12.0), start=start)
    assert process.hyperparameters_.noise == pytest.approx(50.0, rel=1e-12)


def test_without_iterations_the_start_is_used_unchanged() -> None:
    X, y, censored = capped()
    start = Hyperparameters(np.array([0.3, 2.0]), signal=2.0, noise=0.2, mean=-1.0)
    found = CensoredProcess(max_iter=0).fit(X, y, censored, start=start).hyperparameters_
    np.testing.assert_allclose(found.lengths, start.lengths, rtol=1e-12)
    assert (found.signal, found.noise, found.mean) == pytest.approx((2.0, 0.2, -1.0), rel=1e-12)


def test_without_iterations_a_fixed_noise_takes_precedence_over_the_start() -> None:
    X, y, censored = capped()
    start = Hyperparameters(np.array([0.3, 2.0]), signal=2.0, noise=0.2, mean=-1.0)
    process = CensoredProcess(max_iter=0, noise=0.5).fit(X, y, censored, start=start)
    assert process.hyperparameters_.noise == pytest.approx(0.5, rel=1e-12)


def test_a_search_that_starts_at_the_optimum_stays_there() -> None:
    X, y, censored = capped()
    first = CensoredProcess(n_restarts=0).fit(X, y, censored)
    again = CensoredProcess(n_restarts=0).fit(X, y, censored, start=first.hyperparameters_)
    assert again.log_evidence_ == pytest.approx(first.log_evidence_, abs=0.05)
    np.testing.assert_allclose(again.predict(NEW), first.predict(NEW), atol=0.02)


def test_restarts_find_what_a_bad_start_misses() -> None:
    """With long lengths and much noise the objective is flat: a fast oscillation looks like noise."""
    X = np.linspace(0, 1, 40)[:, None]
    y = np.sin(40 * X[:, 0]) + np.random.default_rng(0).normal(scale=0.1, size=40)
    bad = Hyperparameters(np.array([90.0]), signal=0.1, noise=1.0, mean=0.0)
    stuck = CensoredProcess(n_restarts=0).fit(X, y, start=bad)
    freed = CensoredProcess(n_restarts=4, random_state=0).fit(X, y, start=bad)
    assert freed.log_evidence_ > stuck.log_evidence_ + 10.0


def test_many_points_are_searched_on_a_subset_first() -> None:
    X, y, censored = capped(600, cap=1.2)
    process = CensoredProcess(random_state=0).fit(X, y, censored)
    assert process.converged_
    assert process.hyperparameters_.noise == pytest.approx(0.05, rel=0.15)
    np.testing.assert_allclose(process.predict(NEW), truth(NEW), atol=0.15)


def test_a_search_from_an_earlier_optimum_uses_all_points_at_once() -> None:
    X, y, censored = capped(600, cap=1.2)
    first = CensoredProcess(random_state=0).fit(X, y, censored)
    again = CensoredProcess(n_restarts=0).fit(X, y, censored, start=first.hyperparameters_)
    assert again.n_iter_ <= 3
    assert first.n_iter_ > 10


def test_a_single_value_is_enough() -> None:
    process = CensoredProcess().fit([[1.0]], [3.0])
    mean, std = process.belief([[1.0], [100.0]])
    np.testing.assert_allclose(mean, 3.0, rtol=1e-3)
    assert std[0] < 0.1 * std[1]


def test_a_single_bound_is_enough() -> None:
    mean, std = CensoredProcess().fit([[1.0]], [3.0], [True]).belief([[1.0], [100.0]])
    assert 3.0 < mean[0] < 9.0
    assert std.min() > 0


@pytest.mark.parametrize("log", [False, True])
def test_equal_responses_are_predicted_everywhere(log: bool) -> None:
    X = np.linspace(0, 1, 8)[:, None]
    mean, std = CensoredProcess(log=log, random_state=0).fit(X, np.full(8, 5.0)).belief(X + 0.05)
    np.testing.assert_allclose(mean, np.log(5.0) if log else 5.0, rtol=0.01)
    assert std.max() < 0.5


def test_bounds_alone_give_a_belief_above_them_but_not_far_above() -> None:
    X = np.linspace(0, 1, 12)[:, None]
    bounds = 2.0 + X[:, 0]
    mean, std = CensoredProcess(random_state=0).fit(X, bounds, np.ones(12, dtype=bool)).belief(X)
    assert (mean > bounds).all()
    assert (mean < bounds + 10 * bounds.std()).all()
    assert (std > 0).all()


def test_propagation_that_does_not_converge_is_reported() -> None:
    """Bounds ten million standard deviations above the prior leave no digits to converge in."""
    rng = np.random.default_rng(0)
    X, bounds = rng.uniform(size=(30, 2)), rng.normal(loc=1e7, scale=0.3, size=30)
    start = Hyperparameters(np.full(2, 3.0), signal=1.0, noise=1e-4, mean=0.0)
    process = CensoredProcess(max_iter=0)
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        process.fit(X, bounds, np.ones(30, dtype=bool), start=start)
    assert not process.converged_
    assert np.isfinite(process.belief(X)).all()


def test_a_value_and_bounds_at_one_point_are_taken_together() -> None:
    X = [[0.0], [0.5], [0.5], [0.5], [1.0]]
    y, censored = [1.0, 2.0, 1.5, 0.5, 1.2], [False, False, True, True, False]
    process = CensoredProcess(random_state=0).fit(X, y, censored)
    assert process.converged_
    assert process.predict([[0.5]])[0] == pytest.approx(2.0, abs=0.3)


def test_a_bound_that_contradicts_a_value_gives_a_compromise() -> None:
    start = Hyperparameters(np.ones(1), signal=1.0, noise=0.01, mean=0.0)
    process = CensoredProcess(max_iter=0)
    process.fit([[0.0], [0.0], [1.0]], [0.0, 1.0, 0.5], [False, True, False], start=start)
    assert process.converged_
    assert 0.4 < process.predict([[0.0]])[0] < 0.6


@pytest.mark.parametrize("scale", [1e-200, 1e-20, 1e20, 1e200])
def test_the_scale_of_responses_does_not_matter(scale: float) -> None:
    X, y, censored = capped()
    plain = CensoredProcess(random_state=0).fit(X, y, censored)
    scaled = CensoredProcess(random_state=0).fit(X, scale * y, censored)
    np.testing.assert_allclose(scaled.belief(NEW)[0] / scale, plain.belief(NEW)[0], rtol=1e-6)
    np.testing.assert_allclose(scaled.belief(NEW)[1] / scale, plain.belief(NEW)[1], rtol=1e-6)


@pytest.mark.parametrize("scale", [1e-200, 1e-20, 1e20, 1e200])
def test_the_scale_of_inputs_does_not_matter(scale: float) -> None:
    X, y, censored = capped()
    factors = np.array([scale, 1.0])
    plain = CensoredProcess(random_state=0).fit(X, y, censored)
    scaled = CensoredProcess(random_state=0).fit(X * factors, y, censored)
    np.testing.assert_allclose(scaled.belief(NEW * factors), plain.belief(NEW), rtol=1e-6)
    np.testing.assert_allclose(
        scaled.hyperparameters_.lengths / factors, plain.hyperparameters_.lengths, rtol=1e-6
    )


@pytest.mark.parametrize("rounding", [0.0, 1e-15])
def test_a_column_that_changes_by_no_more_than_rounding_has_no_effect(rounding: float) -> None:
    X, y, censored = capped()
    wide = np.column_stack([X, 7.0 + rounding * np.arange(len(X))])
    process = CensoredProcess(n_restarts=0).fit(wide, y, censored)
    new = np.column_stack([NEW, np.full(len(NEW), 7.0)])
    np.testing.assert_allclose(
        process.predict(new), process.predict(new + np.array([0.0, 0.0, 1e-13])), atol=1e-6
    )
    assert process.hyperparameters_.lengths[2] > 0.3


def test_it_can_be_cloned_and_pickled() -> None:
    X, y, censored = capped()
    process = CensoredProcess(noise=0.1, log=False, random_state=0).fit(X, y, censored)
    assert clone(process).get_params() == process.get_params()
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(process)).predict(NEW), process.predict(NEW))
