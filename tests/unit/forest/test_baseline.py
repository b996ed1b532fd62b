"""CensoredForest's baseline: responses as multiples of a typical value."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tightrope import CensoredForest

Floats = NDArray[np.float64]


def grow(y: Floats, *, censored: NDArray[np.bool_] | None = None, **options: object) -> CensoredForest:
    """Grow a forest on rows of (config, instance): 0 0, 0 1, 1 0, 1 1, ten times."""
    baseline = options.pop("baseline", None)
    X = np.array([[c, i] for c in (0.0, 1.0) for i in (0.0, 1.0)] * 10)
    forest = CensoredForest(20, log=True, random_state=0, bootstrap=False, **options)
    return forest.fit(X, y, censored, baseline=baseline)


def test_predictions_are_multiples_of_the_baseline() -> None:
    baseline = np.array([1.0, 100.0, 1.0, 100.0] * 10)
    forest = grow(baseline * np.array([2.0, 2.0, 3.0, 3.0] * 10), baseline=baseline)
    np.testing.assert_allclose(forest.predict([[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), [2.0, 2.0, 3.0])


def test_a_marginal_belief_is_about_the_mean_cost() -> None:
    baseline = np.array([1.0, 100.0, 1.0, 100.0] * 10)
    forest = grow(baseline * np.array([2.0, 3.0, 5.0, 0.5] * 10), baseline=baseline)
    mean, _ = forest.belief_marginal([[0.0], [1.0]], [[0.0], [1.0]], baseline=[1.0, 100.0])
    np.testing.assert_allclose(np.exp(mean), [(2.0 + 300.0) / 2.0, (5.0 + 50.0) / 2.0])


def test_a_baseline_of_one_changes_nothing() -> None:
    y = np.linspace(1.0, 9.0, 40)
    censored = np.arange(40) % 3 == 0
    plain = grow(y, censored=censored, ceiling=10.0, par=10.0)
    other = grow(y, censored=censored, ceiling=10.0, par=10.0, baseline=np.ones(40))
    rows, instances = [[0.0], [1.0]], [[0.0], [1.0]]
    np.testing.assert_array_equal(other.imputed_, plain.imputed_)
    np.testing.assert_array_equal(
        other.belief_marginal(rows, instances, baseline=np.ones(2)), plain.belief_marginal(rows, instances)
    )


def test_the_ceiling_limits_costs_and_not_multiples() -> None:
    baseline = np.array([1.0, 50.0, 1.0, 50.0] * 10)
    y = np.array([2.0, 90.0, 2.0, 99.0] * 10)
    censored = np.array([False, True, False, True] * 10)
    forest = grow(y, censored=censored, ceiling=100.0, baseline=baseline)
    assert (forest.imputed_ * baseline[censored] <= 100.0 * (1 + 1e-12)).all()
    assert (forest.imputed_ * baseline[censored] >= 90.0 * (1 - 1e-12)).all()


@pytest.mark.parametrize("par", [1.0, 10.0])
def test_a_row_at_the_ceiling_counts_par_times_the_ceiling(par: float) -> None:
    baseline = np.array([1.0, 50.0, 1.0, 50.0] * 10)
    y = np.array([2.0, 100.0, 2.0, 100.0] * 10)
    censored = np.array([False, True, False, True] * 10)
    forest = grow(y, censored=censored, ceiling=100.0, par=par, baseline=baseline)
    mean, _ = forest.belief_marginal([[0.0]], [[0.0], [1.0]], baseline=[1.0, 50.0])
    assert np.exp(mean[0]) == pytest.approx((2.0 + 100.0 * par) / 2.0, rel=1e-6)


def test_rows_of_weight_zero_take_their_baseline_with_them() -> None:
    X = np.array([[0.0], [0.0], [1.0], [1.0]])
    forest = CensoredForest(5, log=True, ceiling=9.0, random_state=0, bootstrap=False)
    forest.fit(
        X,
        [8.0, 2.0, 6.0, 6.0],
        [False, False, False, True],
        sample_weight=[0.0, 1.0, 1.0, 1.0],
        baseline=[8.0, 1.0, 2.0, 2.0],
    )
    assert forest.predict([[0.0]])[0] == pytest.approx(2.0)
    assert 3.0 - 1e-9 <= forest.imputed_[0] <= 4.5


def test_a_baseline_without_log_is_refused() -> None:
    with pytest.raises(ValueError, match=r"baseline needs log=True"):
        CensoredForest(2).fit([[0.0], [1.0]], [1.0, 2.0], baseline=[1.0, 1.0])


@pytest.mark.parametrize(
    ("baseline", "message"),
    [
        ([1.0], r"baseline must have shape \(2,\), got \(1,\)"),
        ([1.0, 0.0], "baseline must be positive and finite"),
        ([1.0, np.nan], "baseline must be positive and finite"),
    ],
)
def test_an_invalid_baseline_is_refused(baseline: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CensoredForest(2, log=True).fit([[0.0], [1.0]], [1.0, 2.0], baseline=baseline)
    forest = grow(np.ones(40))
    with pytest.raises(ValueError, match=message):
        forest.belief_marginal([[0.0]], [[0.0], [1.0]], baseline=baseline)
