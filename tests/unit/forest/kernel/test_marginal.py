"""Marginals over instances: collapsed trees equal walking every pair."""

import numpy as np
import pytest
from numpy.typing import NDArray

from kernel_forest import kernel_forest
from reference.problems import Problem, new_rows, random_problem, reference_forest

Floats = NDArray[np.float64]


def configs_and_instances(problem: Problem, *, seed: int) -> tuple[Floats, Floats]:
    """Cut the columns somewhere: from none to all belong to configs."""
    rng = np.random.default_rng(seed)
    n_config_columns = int(rng.integers(0, problem.X.shape[1] + 1))
    configs = new_rows(problem, rng, int(rng.integers(1, 12)))[:, :n_config_columns]
    instances = new_rows(problem, rng, int(rng.integers(1, 40)))[:, n_config_columns:]
    return np.ascontiguousarray(configs), np.ascontiguousarray(instances)


@pytest.mark.parametrize("cost", [False, True])
@pytest.mark.parametrize("n", [5, 40, 200])
@pytest.mark.parametrize("seed", range(8))
def test_collapsed_trees_equal_all_pairs_and_the_reference(seed: int, n: int, cost: bool) -> None:
    problem = random_problem(seed, n=n, d=2 + seed % 6)
    forest = kernel_forest(problem)
    configs, instances = configs_and_instances(problem, seed=seed)
    expected = reference_forest(problem).marginal(configs, instances, cost=cost)
    collapsed = forest.marginal(configs, instances, 1, cost)
    np.testing.assert_allclose(collapsed, expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(
        forest.marginal_by_pairs(configs, instances, 1, cost), expected, rtol=1e-9, atol=1e-9
    )


@pytest.mark.parametrize("n_instances", [1, 63, 64, 65, 1000])
def test_any_number_of_instances_equals_all_pairs(n_instances: int) -> None:
    problem = random_problem(5, n=400, d=8)
    forest = kernel_forest(problem)
    rng = np.random.default_rng(0)
    configs = np.ascontiguousarray(new_rows(problem, rng, 30)[:, :4])
    instances = np.ascontiguousarray(new_rows(problem, rng, n_instances)[:, 4:])
    np.testing.assert_allclose(
        forest.marginal(configs, instances, 1),
        forest.marginal_by_pairs(configs, instances, 1),
        rtol=1e-9,
        atol=1e-9,
    )


@pytest.mark.parametrize("seed", range(4))
def test_factors_multiply_what_is_predicted_for_an_instance(seed: int) -> None:
    problem = random_problem(seed, n=200, d=6)
    forest = kernel_forest(problem)
    configs, instances = configs_and_instances(problem, seed=seed)
    factors = np.random.default_rng(seed).uniform(0.1, 50.0, len(instances))
    each = [forest.marginal(configs, instances[i : i + 1], 1) for i in range(len(instances))]
    expected = np.tensordot(factors, each, axes=1) / len(instances)
    for marginal in (forest.marginal, forest.marginal_by_pairs):
        np.testing.assert_allclose(marginal(configs, instances, 1, factors=factors), expected, rtol=1e-9)


def test_factors_that_are_not_one_for_each_instance_are_refused() -> None:
    problem = random_problem(0, n=40, d=4)
    configs, instances = configs_and_instances(problem, seed=0)
    with pytest.raises(ValueError, match="a factor for each instance"):
        kernel_forest(problem).marginal(configs, instances, 1, factors=np.ones(len(instances) + 1))


def test_the_number_of_threads_does_not_change_a_marginal() -> None:
    problem = random_problem(5, n=400, d=8, n_trees=7)
    forest = kernel_forest(problem)
    rows = new_rows(problem, np.random.default_rng(0), 300)
    configs, instances = np.ascontiguousarray(rows[:, :4]), np.ascontiguousarray(rows[:, 4:])
    for walk in (forest.marginal, forest.marginal_by_pairs):
        assert walk(configs, instances, 1).tobytes() == walk(configs, instances, 3).tobytes()


def test_repeating_every_instance_changes_nothing() -> None:
    problem = random_problem(7, n=100, d=6)
    forest = kernel_forest(problem)
    configs, instances = configs_and_instances(problem, seed=1)
    np.testing.assert_allclose(
        forest.marginal(configs, np.repeat(instances, 3, axis=0), 1),
        forest.marginal(configs, instances, 1),
        rtol=1e-12,
    )


def test_configs_and_instances_of_a_wrong_width_are_refused() -> None:
    forest = kernel_forest(random_problem(7, n=20, d=4))
    for walk in (forest.marginal, forest.marginal_by_pairs):
        with pytest.raises(ValueError, match="5 columns"):
            walk(np.ones((2, 2)), np.ones((2, 3)), 1)


def test_an_empty_set_of_instances_is_refused() -> None:
    forest = kernel_forest(random_problem(7, n=20, d=4))
    for walk in (forest.marginal, forest.marginal_by_pairs):
        with pytest.raises(ValueError, match="at least one row"):
            walk(np.ones((2, 2)), np.ones((0, 2)), 1)
