"""Arguments that the kernel refuses."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kernel_forest import kernel_forest
from reference.problems import Problem, random_problem

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
