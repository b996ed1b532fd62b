"""One step of imputation: from a belief to values of censored copies."""

import numpy as np
import pytest

from tightrope import truncated
from tightrope.forest.bootstrap import assign_quantiles
from tightrope.forest.imputation import Rules, impute


def test_mean_imputation_gives_all_copies_the_mean_of_the_truncated_belief() -> None:
    copies = assign_quantiles(np.array([[2, 1], [0, 3]], dtype=np.uint16), positions="paper")
    bounds, mu, s = np.array([1.0, 2.0]), np.array([0.0, 3.0]), np.array([1.0, 0.5])
    means, values = impute(copies, bounds, mu=mu, s=s, ceiling=np.inf, rules=Rules(treatment="mean"))
    np.testing.assert_array_equal(means, truncated.mean(bounds, mu=mu, s=s))
    np.testing.assert_array_equal(values, means[[0, 0, 1, 1, 1, 1]])


def test_mean_imputation_stops_at_the_ceiling() -> None:
    copies = assign_quantiles(np.ones((2, 1), dtype=np.uint16), positions="paper")
    rules = Rules(treatment="mean")
    means, _ = impute(
        copies, np.array([1.0]), mu=np.array([3.0]), s=np.array([1.0]), ceiling=2.5, rules=rules
    )
    assert means[0] == 2.5


def test_the_mean_of_a_point_in_no_tree_is_that_of_the_truncated_belief() -> None:
    copies = assign_quantiles(np.array([[0, 1]], dtype=np.uint16), positions="paper")
    bounds, mu, s = np.array([1.0, 2.0]), np.array([0.0, 3.0]), np.array([1.0, 0.5])
    means, values = impute(copies, bounds, mu=mu, s=s, ceiling=np.inf, rules=Rules())
    assert means[0] == pytest.approx(truncated.mean(1.0, mu=0.0, s=1.0))
    assert values.size == 1


def test_imputation_without_spread_takes_the_larger_of_mean_and_bound() -> None:
    copies = assign_quantiles(np.ones((3, 2), dtype=np.uint16), positions="paper")
    bounds, mu = np.array([1.0, 2.0]), np.array([0.0, 3.0])
    _, values = impute(copies, bounds, mu=mu, s=np.zeros(2), ceiling=np.inf, rules=Rules())
    np.testing.assert_array_equal(values, [1.0, 1.0, 1.0, 3.0, 3.0, 3.0])
