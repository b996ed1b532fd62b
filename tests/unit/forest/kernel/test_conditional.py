"""Columns that are missing in most of a tree, like those of conditional parameters."""

import numpy as np
import pytest

from reference.problems import Problem, reference_forest
from reference.tree import Rules
from tightrope.forest import _kernel


def conditional_problem(seed: int, *, n: int) -> Problem:
    """Return a flag, a number that is present only with the flag, and another number; distinct targets."""
    rng = np.random.default_rng(seed)
    flag = rng.integers(0, 2, n).astype(float)
    depends = np.where(flag > 0, rng.uniform(size=n), np.nan)
    other = rng.uniform(size=n)
    return Problem(
        X=np.column_stack([flag, depends, other]),
        categorical=np.array([True, False, False]),
        counts=np.ones((2, n), dtype=np.uint16),
        targets=-5.0 * flag + np.sin(9.0 * other) + rng.normal(scale=0.3, size=n),
        imputed_rows=np.empty(0, dtype=np.int64),
        imputed=np.empty((2, 0)),
        weights=None,
        rules=Rules(drawn_columns=3),
        seed=seed,
    )


@pytest.mark.parametrize("n", [900, 2500])
@pytest.mark.parametrize("seed", range(3))
def test_a_column_that_is_constant_in_a_node_stays_so_in_smaller_ones(seed: int, n: int) -> None:
    problem = conditional_problem(seed, n=n)
    forest = _kernel.grow(
        _kernel.Table(problem.X, problem.categorical), *problem.arguments(), **problem.options()
    )
    assert min(forest.nodes(tree)["points"].min() for tree in range(2)) > 0, "no child is empty"
    expected = reference_forest(problem).predict_trees(problem.X)
    np.testing.assert_allclose(forest.predict_trees(problem.X, 1), expected, rtol=1e-9, atol=1e-9)
