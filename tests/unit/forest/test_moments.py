"""Spread across trees, noise within leaves, and what beliefs make of them."""

import numpy as np
import pytest

from small_forest import X, fitted
from tightrope import CensoredForest


def noisy(n: int = 400) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    X = rng.uniform(size=(n, 2))
    return X, X[:, 0] + np.where(X[:, 0] > 0.5, 2.0, 0.2) * rng.normal(size=n)


def test_a_belief_about_a_response_has_the_noise_and_the_same_mean() -> None:
    X, y = noisy()
    forest = CensoredForest(50, random_state=0).fit(X, y)
    mean, spread = forest.belief([[0.2, 0.5], [0.8, 0.5]])
    same, std = forest.belief([[0.2, 0.5], [0.8, 0.5]], of="response")
    np.testing.assert_array_equal(mean, same)
    assert (std > spread).all()


def test_noise_may_differ_from_row_to_row() -> None:
    X, y = noisy()
    forest = CensoredForest(50, min_samples_leaf=20, random_state=0).fit(X, y)
    _, std = forest.belief([[0.2, 0.5], [0.8, 0.5]], of="response")
    assert std[1] > 3 * std[0]


def test_the_noise_is_the_unbiased_variance_within_a_leaf() -> None:
    y = np.array([1.0, 2.0, 4.0, 9.0])
    forest = CensoredForest(3, bootstrap=False, max_features=1).fit(np.zeros((4, 1)), y)
    _, std = forest.belief([[0.0]], of="response")
    assert std[0] == pytest.approx(y.std(ddof=1))


def test_without_the_noise_model_both_beliefs_are_the_same() -> None:
    forest = fitted(noise=False, min_variance=0.01)
    np.testing.assert_array_equal(forest.belief(X), forest.belief(X, of="response"))


def test_what_a_belief_is_about_is_one_of_two() -> None:
    with pytest.raises(ValueError, match="of must be one of 'mean', 'response', got 'median'"):
        fitted().belief(X, of="median")


def test_intervals_cover_noisy_responses() -> None:
    X, y = noisy(1000)
    forest = CensoredForest(50, random_state=0).fit(X[:500], y[:500])
    low, high = forest.predict_quantile(X[500:], [0.05, 0.95]).T
    assert 0.85 < np.mean((low < y[500:]) & (y[500:] < high)) < 0.95


def test_imputed_values_of_noisy_rows_do_not_follow_the_order_of_the_trees() -> None:
    rng = np.random.default_rng(0)
    X, y = np.zeros((200, 1)), rng.normal(size=200)
    censored = np.arange(200) < 100
    samples = CensoredForest(40, random_state=0).fit(X, y, censored).imputed_samples_
    rises = [np.mean(np.diff(column[~np.isnan(column)]) > 0) for column in samples.T]
    assert 0.4 < np.mean(rises) < 0.6


def test_a_leaf_is_deeper_than_allowed_by_no_split() -> None:
    X, y = noisy()
    forest = CensoredForest(5, max_depth=2, min_samples_leaf=1, random_state=0).fit(X, y)
    assert np.unique(forest.apply(X)[:, 0]).size <= 4
    deeper = CensoredForest(5, min_samples_leaf=1, random_state=0).fit(X, y)
    assert np.unique(deeper.apply(X)[:, 0]).size > 4


def test_rows_of_the_same_leaf_have_the_same_prediction() -> None:
    X, y = noisy()
    forest = CensoredForest(5, random_state=0).fit(X, y)
    leaves, trees = forest.apply(X)[:, 2], forest.predict_trees(X)[:, 2]
    for leaf in np.unique(leaves):
        assert np.unique(trees[leaves == leaf]).size == 1


def test_each_tree_is_grown_from_as_many_draws_as_asked() -> None:
    X, y = noisy(100)
    forest = CensoredForest(5, max_samples=0.1, min_samples_leaf=1, random_state=0).fit(X, y)
    assert max(forest.forest_.nodes(tree)["points"][0] for tree in range(5)) <= 10
