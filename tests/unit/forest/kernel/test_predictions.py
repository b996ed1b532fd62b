"""Predictions of the kernel: threads, pickles, means and variances, levels never seen."""

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest

from kernel_forest import kernel_forest
from reference.problems import Problem, new_rows, random_problem, reference_forest
from reference.tree import Rules
from tightrope.forest import _kernel


@pytest.mark.parametrize("n", [40, 600])
def test_the_number_of_threads_does_not_change_a_bit(n: int) -> None:
    problem = random_problem(4, n=n, d=6, n_trees=11)
    one, three = kernel_forest(problem, threads=1), kernel_forest(problem, threads=3)
    for b in range(11):
        for name, values in one.nodes(b).items():
            assert values.tobytes() == three.nodes(b)[name].tobytes(), name


def test_predictions_do_not_depend_on_the_number_of_threads() -> None:
    problem = random_problem(4, n=100, d=6, n_trees=11)
    forest = kernel_forest(problem)
    rows = new_rows(problem, np.random.default_rng(0), 501)
    for one, three in zip(forest.predict(rows, 1), forest.predict(rows, 3), strict=True):
        assert one.tobytes() == three.tobytes()
    assert forest.predict_trees(rows, 1).tobytes() == forest.predict_trees(rows, 3).tobytes()


@pytest.mark.parametrize("seed", range(6))
def test_a_pickled_forest_predicts_the_same_bits(seed: int) -> None:
    problem = random_problem(seed, n=90, d=7)
    forest = kernel_forest(problem)
    copy = pickle.loads(pickle.dumps(forest))
    rows = new_rows(problem, np.random.default_rng(0), 80)
    assert copy.predict_trees(rows, 1).tobytes() == forest.predict_trees(rows, 1).tobytes()
    assert copy.predict_trees(rows, 1, True).tobytes() == forest.predict_trees(rows, 1, True).tobytes()
    assert copy.gains().tobytes() == forest.gains().tobytes()


@pytest.mark.parametrize("m", [0, 1, 2, 7, 8, 9, 63, 64, 65, 1000])
def test_beliefs_are_mean_and_population_variance_for_any_number_of_rows(m: int) -> None:
    problem = random_problem(2, n=120, d=5, n_trees=7)
    forest = kernel_forest(problem)
    rows = new_rows(problem, np.random.default_rng(m), m)
    trees = forest.predict_trees(rows, 1)
    mean, variance = forest.predict(rows, 1)
    assert trees.shape == (7, m)
    np.testing.assert_allclose(mean, trees.mean(axis=0), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(variance, trees.var(axis=0), rtol=1e-9, atol=1e-12)


def test_variances_survive_a_large_common_offset() -> None:
    problem = random_problem(2, n=120, d=5, n_trees=7)
    far = replace(problem, targets=problem.targets + 1e6, imputed=problem.imputed + 1e6)
    forest = kernel_forest(far)
    rows = new_rows(problem, np.random.default_rng(0), 50)
    # The mean of squares less the square of the mean would be wrong from the fourth digit on.
    np.testing.assert_allclose(
        forest.predict(rows, 1)[1], forest.predict_trees(rows, 1).var(axis=0), rtol=1e-8, atol=1e-12
    )


def test_unseen_levels_reach_the_side_drawn_for_them() -> None:
    X = np.arange(100.0)[:, np.newaxis] % 10
    problem = Problem(
        X=X,
        categorical=np.array([True]),
        counts=np.ones((40, 100), dtype=np.uint16),
        targets=X[:, 0] ** 2,
        imputed_rows=np.empty(0, dtype=np.int64),
        imputed=np.empty((40, 0)),
        weights=None,
        rules=Rules(1),
        seed=1,
    )
    strange = np.array([[10.0], [-1.0], [1e12], [math.nan]])
    found = kernel_forest(problem).predict_trees(strange, 1)
    np.testing.assert_allclose(found, reference_forest(problem).predict_trees(strange))
    assert len(np.unique(found)) > 3  # not always the same side


def test_a_continuous_column_of_two_hundred_thousand_rows_is_fitted() -> None:
    n = 200_000
    X = np.random.default_rng(0).random((n, 1))
    forest = _kernel.grow(
        _kernel.Table(X, np.array([False])),
        np.ones((1, n), dtype=np.uint16),
        np.sin(9 * X[:, 0]),
        np.empty(0, dtype=np.int64),
        np.empty((1, 0)),
        drawn_columns=1,
        min_samples_split=2,
        min_samples_leaf=1,
        seed=1,
        threads=1,
    )
    np.testing.assert_allclose(forest.predict_trees(X, 1)[0], np.sin(9 * X[:, 0]), atol=1e-9)
