"""The kernel's trees equal brute force, node by node."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from kernel_forest import kernel_forest
from reference.problems import Problem, new_rows, random_problem, reference_forest
from reference.tree import Leaf, Node, Rules, Table
from tightrope.forest import _kernel


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
