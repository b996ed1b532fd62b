"""CensoredForest's par: the cost of rows at the ceiling in marginal beliefs."""

import numpy as np
import pytest

from tightrope import CensoredForest


def forest_of_two_instances(par: float, *, second: float, censored: bool) -> CensoredForest:
    """Grow a forest on one config whose cost is 1 on the first instance."""
    X = np.array([[0.0, 0.0], [0.0, 1.0]] * 20)
    y = np.array([1.0, second] * 20)
    mask = np.array([False, censored] * 20)
    forest = CensoredForest(20, log=True, ceiling=100.0, par=par, random_state=0)
    return forest.fit(X, y, mask)


@pytest.mark.parametrize("par", [1.0, 10.0])
def test_a_timeout_counts_par_times_the_ceiling(par: float) -> None:
    forest = forest_of_two_instances(par, second=100.0, censored=True)
    mean, _ = forest.belief_marginal([[0.0]], [[0.0], [1.0]])
    assert np.exp(mean[0]) == pytest.approx((1.0 + 100.0 * par) / 2.0, rel=0.02)


def test_costs_below_the_ceiling_are_not_multiplied() -> None:
    forest = forest_of_two_instances(10.0, second=99.0, censored=False)
    mean, _ = forest.belief_marginal([[0.0]], [[0.0], [1.0]])
    assert np.exp(mean[0]) == pytest.approx(50.0, rel=1e-9)


def test_par_does_not_change_single_predictions() -> None:
    plain = forest_of_two_instances(1.0, second=100.0, censored=True)
    penal = forest_of_two_instances(10.0, second=100.0, censored=True)
    rows = [[0.0, 0.0], [0.0, 1.0]]
    assert penal.predict(rows).tolist() == plain.predict(rows).tolist()


def test_par_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match=r"par must be a finite number of at least 1, got 0\.5"):
        forest_of_two_instances(0.5, second=2.0, censored=False)
