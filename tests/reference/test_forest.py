"""The reference forest."""

import numpy as np
import pytest

from reference.forest import Forest, grow_forest, samples_from_counts
from reference.tree import Rules, Table


@pytest.fixture
def forest() -> Forest:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(25, 4)), rng.normal(size=25)
    counts = rng.multinomial(25, np.full(25, 1 / 25), size=6).astype(np.uint16)
    samples = samples_from_counts(counts, np.tile(y, (6, 1)), costs=np.tile(np.exp(y), (6, 1)))
    return grow_forest(Table(X, [False] * 4), samples, seed=3, rules=Rules(2, min_samples_leaf=2))


def test_belief_is_the_mean_and_population_variance_of_the_trees(forest: Forest) -> None:
    X = np.random.default_rng(2).normal(size=(5, 4))
    trees = forest.predict_trees(X)
    mean, variance = forest.predict(X)
    np.testing.assert_allclose(mean, trees.sum(axis=0) / 6)
    np.testing.assert_allclose(variance, (trees**2).sum(axis=0) / 6 - mean**2)


@pytest.mark.parametrize("cost", [False, True])
def test_a_marginal_is_the_mean_over_instances_of_each_tree(forest: Forest, cost: bool) -> None:
    rng = np.random.default_rng(3)
    configs, instances = rng.normal(size=(3, 1)), rng.normal(size=(7, 3))
    marginal = forest.marginal(configs, instances, cost=cost)
    assert marginal.shape == (6, 3)
    rows = np.column_stack([np.full(7, configs[2, 0]), instances])
    np.testing.assert_allclose(marginal[:, 2], forest.predict_trees(rows, cost=cost).mean(axis=1))


def test_points_with_no_count_or_no_weight_are_not_in_the_tree() -> None:
    counts = np.array([[2, 0, 1, 3]], dtype=np.uint16)
    (sample,) = samples_from_counts(counts, np.array([[1.0, 2, 3, 4]]), weights=np.array([0.5, 1, 0, 1]))
    assert [(copy.point, copy.weight) for copy in sample] == [(0, 1.0), (3, 3.0)]


def test_gains_sum_to_the_squared_error_of_a_fully_grown_tree() -> None:
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(20, 3)), rng.normal(size=20)
    samples = samples_from_counts(np.ones((1, 20), dtype=np.uint16), y[np.newaxis])
    forest = grow_forest(Table(X, [False] * 3), samples, seed=3, rules=Rules(2))
    assert forest.gains().sum() == pytest.approx(20 * y.var())
