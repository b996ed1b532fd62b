"""The kernel's trees equal brute force, node by node."""

import math
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from reference.problems import Problem, new_rows, random_problem, reference_forest
from reference.tree import Leaf, Node, Rules, Table
from tightrope.forest import _kernel


def kernel_forest(problem: Problem, **changes: Any) -> _kernel.Forest:
    table = _kernel.Table(problem.X, problem.categorical)
    return _kernel.grow(table, *problem.arguments(), **(problem.options() | changes))


class TreeComparison:
    """Walks a kernel's tree and a reference tree side by side."""

    def __init__(self, forest: _kernel.Forest, tree: int, table: Table) -> None:
        self.forest, self.tree, self.table = forest, tree, table
        self.nodes = forest.nodes(tree)

    def assert_equal(self, at: int, expected: Node) -> None:
        found = {name: values[at] for name, values in self.nodes.items()}
        assert found["points"] == len(expected.points)
        if isinstance(expected, Leaf):
            assert found["column"] == -1
            assert found["value"] == pytest.approx(expected.value, rel=1e-9, abs=1e-9)
            assert found["cost"] == pytest.approx(expected.cost, rel=1e-9)
            return
        assert found["column"] == expected.column
        if expected.threshold is None:
            self.assert_same_levels(at, expected.column, expected.levels_left)
        else:
            assert found["threshold"] == expected.threshold
        self.assert_equal(found["left"], expected.left)
        self.assert_equal(found["right"], expected.right)

    def assert_same_levels(self, at: int, column: int, codes: frozenset[int]) -> None:
        levels = self.table.levels[column]
        expected = {levels[code] for code in codes if code < len(levels)}
        found = {-math.inf if math.isnan(x) else x for x in self.forest.levels_left(self.tree, at)}
        assert found == expected


def assert_same_forest(problem: Problem) -> None:
    reference, kernel = reference_forest(problem), kernel_forest(problem)
    for b, tree in enumerate(reference.trees):
        TreeComparison(kernel, b, reference.table).assert_equal(0, tree)
    rows = new_rows(problem, np.random.default_rng(problem.seed), 60)
    np.testing.assert_allclose(
        kernel.predict_trees(rows, 1), reference.predict_trees(rows), rtol=1e-9, atol=1e-9
    )
    np.testing.assert_allclose(kernel.gains(), reference.gains(), rtol=1e-8, atol=1e-8)


# The kernel stores nodes of up to 256, up to 65,536 and more points in different ways, and columns of up to
# 32, up to 1024 and more values: hence the sizes.
@pytest.mark.parametrize("n", [2, 3, 5, 10, 30, 80])
@pytest.mark.parametrize("seed", range(12))
def test_trees_of_few_points_equal_brute_force(seed: int, n: int) -> None:
    assert_same_forest(random_problem(seed, n=n, d=1 + seed % 7))


@pytest.mark.parametrize("n", [255, 256, 257, 300, 513, 700])
@pytest.mark.parametrize("seed", range(5))
def test_trees_of_many_points_equal_brute_force(seed: int, n: int) -> None:
    assert_same_forest(random_problem(seed, n=n, d=2 + seed))


@pytest.mark.parametrize("seed", range(6))
def test_trees_of_many_points_and_values_equal_brute_force(seed: int) -> None:
    assert_same_forest(random_problem(seed, n=1800 + seed, d=3 + seed % 3, n_trees=1))


def test_the_upper_part_of_a_large_tree_equals_brute_force() -> None:
    n = 66_000
    rng = np.random.default_rng(0)
    n_values = [n, 40_000, 20_000, 900, 20, 90]
    X = np.column_stack([rng.random(n), *(rng.integers(0, most, n) for most in n_values[1:])]).astype(float)
    problem = Problem(
        X=X,
        categorical=np.array([False, False, False, False, False, True]),
        counts=np.ones((1, n), dtype=np.uint16),
        targets=X[:, 0]
        + X[:, 1] / 40_000
        + X[:, 2] / 20_000
        + X[:, 3] / 900
        + X[:, 4] / 20
        + X[:, 5] % 7 / 7,
        imputed_rows=np.empty(0, dtype=np.int64),
        imputed=np.empty((1, 0)),
        weights=None,
        rules=Rules(2, min_samples_split=25_000, min_samples_leaf=100),
        seed=1,
    )
    assert_same_forest(problem)


@settings(max_examples=150)
@given(st.data())
def test_trees_of_small_whole_numbers_equal_brute_force(data: st.DataObject) -> None:
    n, d = data.draw(st.integers(1, 9), label="n"), data.draw(st.integers(1, 3), label="d")
    small = st.integers(-2, 2).map(float)
    problem = Problem(
        X=data.draw(arrays.arrays(float, (n, d), elements=small | st.just(math.nan)), label="X"),
        categorical=data.draw(arrays.arrays(bool, d), label="categorical"),
        counts=data.draw(arrays.arrays(np.uint16, (1, n), elements=st.integers(1, 3)), label="counts"),
        targets=data.draw(arrays.arrays(float, n, elements=small), label="targets"),
        imputed_rows=np.empty(0, dtype=np.int64),
        imputed=np.empty((1, 0)),
        weights=np.ones(n),
        rules=Rules(
            data.draw(st.integers(1, d), label="drawn"), 2, data.draw(st.integers(1, 2), label="leaf")
        ),
        seed=data.draw(st.integers(0, 5), label="seed"),
    )
    assert_same_forest(problem)


def test_levels_of_equal_means_stay_in_the_order_of_their_codes_whatever_their_counts() -> None:
    rng = np.random.default_rng(0)
    for seed in range(20):
        problem = random_problem(seed, n=60, d=2)
        X = rng.integers(0, 40, (60, 2)).astype(float)
        awkward = rng.choice([0.1, 0.3, 0.7, 1.9], 60)[X[:, 0].astype(int)]
        assert_same_forest(
            replace(problem, X=X, categorical=np.array([True, True]), targets=awkward, weights=None)
        )


def test_unit_weights_change_nothing() -> None:
    problem = replace(random_problem(1, n=60, d=4), weights=None)
    rows = new_rows(problem, np.random.default_rng(0), 50)
    plain, weighted = kernel_forest(problem), kernel_forest(problem, weights=np.ones(60))
    np.testing.assert_allclose(weighted.predict_trees(rows, 1), plain.predict_trees(rows, 1), rtol=1e-12)


def test_counting_a_point_twice_means_the_same_as_weighing_it_twice() -> None:
    problem = random_problem(1, n=60, d=4, n_trees=1)
    counts = problem.counts
    counted = replace(problem, weights=None)
    weighted = replace(
        problem, counts=np.minimum(counts, 1).astype(np.uint16), weights=counts[0].astype(float)
    )
    rows = new_rows(problem, np.random.default_rng(0), 50)
    np.testing.assert_allclose(
        kernel_forest(counted).predict_trees(rows, 1),
        kernel_forest(weighted).predict_trees(rows, 1),
        rtol=1e-9,
    )


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


def test_there_may_be_more_bins_than_sixteen_bits_count() -> None:
    problem = random_problem(1, n=40, d=1, n_trees=1)
    X = np.random.default_rng(0).integers(0, 32, (40, 2600)).astype(float)
    categorical, rules = np.arange(2600) % 2 == 0, Rules(2000, min_samples_leaf=5)
    assert_same_forest(replace(problem, X=X, categorical=categorical, rules=rules))


def test_there_may_be_more_than_a_thousand_levels() -> None:
    problem = random_problem(1, n=1500, d=1, n_trees=2)
    X = np.random.default_rng(0).permutation(3000)[:1500, np.newaxis] * 1.0
    assert_same_forest(replace(problem, X=X, categorical=np.array([True])))


def test_leaves_larger_than_any_node_leave_the_root_alone() -> None:
    problem = random_problem(0, n=300, d=3)
    huge = kernel_forest(replace(problem, rules=replace(problem.rules, min_samples_leaf=2**31 + 1)))
    assert huge.nodes(0)["column"].tolist() == [-1]


def test_a_point_alone_makes_a_leaf() -> None:
    assert_same_forest(replace(random_problem(1, n=2, d=2), counts=np.array([[0, 3]] * 3, dtype=np.uint16)))


GROW_ARGUMENTS: dict[str, dict[str, Any]] = {
    "categorical": {"categorical": np.array([True])},
    "counts": {"counts": np.ones((3, 29), dtype=np.uint16)},
    "targets": {"targets": np.ones(31)},
    "imputed": {"imputed": np.ones((2, 2))},
    "imputed_rows": {"imputed_rows": np.array([0, 30])},
    "a negative imputed row": {"imputed_rows": np.array([0, -1])},
}
GROW_OPTIONS: dict[str, dict[str, Any]] = {
    "costs": {"costs": np.ones(29)},
    "imputed_costs": {"imputed_costs": np.ones((3, 1))},
    "costs without imputed_costs": {"imputed_costs": None},
    "imputed_costs without costs": {"costs": None},
    "weights": {"weights": np.ones(31)},
    "no drawn column": {"drawn_columns": 0},
    "more drawn columns than there are": {"drawn_columns": 5},
    "min_samples_leaf": {"min_samples_leaf": 0},
}


@pytest.fixture(name="problem")
def _problem() -> Problem:
    problem = random_problem(2, n=30, d=4)
    return replace(problem, imputed_rows=np.array([0, 1]), imputed=problem.imputed[:, :2])


@pytest.mark.parametrize("changes", GROW_ARGUMENTS.values(), ids=GROW_ARGUMENTS.keys())
def test_arrays_that_do_not_fit_together_are_refused(problem: Problem, changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"must have|does not exist"):
        kernel_forest(replace(problem, **changes), costs=None, imputed_costs=None)


@pytest.mark.parametrize("changes", GROW_OPTIONS.values(), ids=GROW_OPTIONS.keys())
def test_invalid_options_are_refused(problem: Problem, changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"must|go together"):
        kernel_forest(problem, **changes)


def test_rows_of_another_width_are_refused(problem: Problem) -> None:
    forest = kernel_forest(problem)
    for predict in (forest.predict, forest.predict_trees):
        with pytest.raises(ValueError, match="5 columns"):
            predict(np.ones((2, 5)), 1)


def test_costs_that_the_forest_was_not_given_are_refused(problem: Problem) -> None:
    forest = kernel_forest(problem, costs=None, imputed_costs=None)
    with pytest.raises(ValueError, match="without costs"):
        forest.predict_trees(problem.X, 1, True)


def test_trees_and_nodes_that_do_not_exist_are_refused(problem: Problem) -> None:
    forest = kernel_forest(problem)
    for ask in (lambda: forest.nodes(3), lambda: forest.levels_left(3, 0)):
        with pytest.raises(ValueError, match="no tree 3"):
            ask()
    with pytest.raises(ValueError, match="not a categorical split"):
        forest.levels_left(0, 10_000)
