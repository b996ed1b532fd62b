"""The kernel's analysis of variance equals enumeration of the whole space, on random conditional spaces."""

from typing import Any

import numpy as np
import pytest
from ConfigSpace import ConfigurationSpace, EqualsCondition
from hypothesis import given, settings
from hypothesis import strategies as st

from random_spaces import spaces
from reference.importance import Decomposition, condition_values, decompose, ends_of
from tightrope import CensoredForest
from tightrope.forest import ALGORITHM_1, importance
from tightrope.space import Space

_CHOICES = st.lists(st.sampled_from("abcdef"), min_size=2, max_size=4, unique=True)
_MOST_CELLS = 60_000


class Case:
    """A forest fitted to random configs of a space on three instances, and what it predicts."""

    def __init__(self, configspace: Any, seed: int, *, n: int = 14, n_trees: int = 2) -> None:
        rng = np.random.default_rng(seed)
        self.space = Space.of(configspace)
        self.instances = np.arange(3.0)[:, None]
        rows = self.space.from_unit(rng.random((n, self.space.n_columns)))
        X = np.hstack([self.space.for_model(rows), self.instances[rng.integers(0, 3, n)]])
        self.forest = CensoredForest(
            n_trees, log=True, random_state=seed, **{**ALGORITHM_1, "min_samples_leaf": 2}
        )
        categorical = np.append(self.space.categorical, True)
        self.forest.fit(X, np.exp(rng.normal(size=n)), rng.random(n) < 0.3, categorical=categorical)
        self.thresholds = importance.thresholds(self.forest, self.space.n_columns)
        self.row = self.space.from_unit(rng.random((1, self.space.n_columns)))[0]
        defaults = self.space.columns.defaults
        self.values = np.where(np.isnan(self.row), defaults, self.row)
        self.home = self.space.to_unit(self.values[None])[0]
        self.ends = [self._ends(j) for j in range(self.space.n_columns)]

    @property
    def n_cells(self) -> int:
        return int(np.prod([len(end) for end in self.ends]))

    @property
    def home_is_on_an_edge(self) -> bool:
        """Whether rounding decides on which side of a condition the home config lies."""
        value = dict(zip(self.space.names, self.values.tolist(), strict=True))
        return any(
            isinstance(mark, float) and mark == pytest.approx(value[name], rel=1e-9)
            for name, mark in condition_values(self.space.configspace)
        )

    def _ends(self, j: int) -> Any:
        """Return where the model's cells of a column end in the unit interval of its random values."""
        column = self.space.columns.each[j]
        marks = [code for name, value in condition_values(self.space.configspace)
                 if name == column.name for code in [column.code(value)]]  # fmt: skip
        model = self.space.columns.scale.take(np.array([j])).normalize(np.array(marks)[:, None])[:, 0]
        if column.levels is not None:
            return np.arange(1, len(column.levels) + 1) / len(column.levels)
        at_most = [lambda u, t=t: self._model(u, j) <= t for t in [*self.thresholds[j], *model]]
        below = [lambda u, t=t: self._model(u, j) < t for t in model]
        return ends_of([*at_most, *below])

    def _model(self, u: Any, j: int) -> Any:
        one = self.space.columns.scale.take(np.array([j]))
        return one.normalize(one.from_unit(u[:, None]))[:, 0]

    def expected(self, tree: int, **options: Any) -> Decomposition:
        def predicted(points: Any) -> Any:
            configs = self.space.for_model(self.space.from_unit(points))
            return self.predicted(configs, tree, **options)

        return decompose(predicted, self.ends, home=self.home)

    def predicted(self, configs: Any, tree: int, *, cost: bool = False, baseline: Any = None,
                  at_most: Any = None) -> Any:  # fmt: skip
        """Return the mean over the instances, from one prediction for each of them."""
        sums = np.zeros(len(configs))
        for i, instance in enumerate(self.instances):
            rows = np.hstack([configs, np.tile(instance, (len(configs), 1))])
            values = self.forest.forest_.predict_trees(rows, 1, cost)[tree]
            if at_most is not None:
                own = np.append(at_most, instance)[None, :]
                values = np.minimum(values, self.forest.forest_.predict_trees(own, 1, cost)[tree])
            sums += values * (1.0 if baseline is None else baseline[i])
        return sums / len(self.instances)

    def found(self, **options: Any) -> importance.Variances:
        return self.analysis(**options).variances()

    def analysis(self, **options: Any) -> importance.Analysis:
        cells = self.space.partition(self.thresholds, self.row)
        return importance.Analysis(self.forest, cells, self.instances, **options)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        d = self.space.n_columns
        return [(a, b) for a in range(d) for b in range(a + 1, d)]


def assert_same(case: Case, **options: Any) -> None:
    found = case.found(**options)
    joint = case.analysis(**options).interactions(case.pairs) if case.pairs else np.empty((2, 0))
    for tree in range(case.forest.n_estimators):
        expected = case.expected(tree, **options)
        size = expected.total + 1e-6 * expected.mean**2 + 1e-12
        assert found.mean[tree] == pytest.approx(expected.mean)
        assert found.total[tree] == pytest.approx(expected.total, abs=1e-9 * size)
        np.testing.assert_allclose(found.main[tree], expected.main, atol=1e-9 * size)
        np.testing.assert_allclose(joint[tree], list(expected.pairs.values()), atol=1e-9 * size)
        if not case.home_is_on_an_edge:
            np.testing.assert_allclose(found.local[tree], expected.local, atol=1e-9 * size)


@settings(max_examples=40, deadline=None)
@given(spaces(_CHOICES), st.integers(0, 1000))
def test_all_variances_equal_those_of_enumeration(configspace: Any, seed: int) -> None:
    case = Case(configspace, seed)
    if case.n_cells <= _MOST_CELLS:
        assert_same(case)


def solver(seed: int, **options: Any) -> Case:
    """Return a case with a switch, its two children, a number and a choice."""
    space = ConfigurationSpace(
        {"switch": ["on", "off"], "x": (0.0, 1.0), "n": (1, 9), "y": (0.1, 10.0), "kind": ["a", "b", "c"]}
    )
    switch = space["switch"]
    space.add([EqualsCondition(space[name], switch, "on") for name in ("x", "n")])
    return Case(space, seed, n=60, **options)


@pytest.mark.parametrize("seed", range(3))
def test_costs_are_averaged_with_the_baselines_as_factors(seed: int) -> None:
    assert_same(solver(seed), cost=True, baseline=np.array([1.0, 5.0, 0.2]))


@pytest.mark.parametrize("cost", [False, True])
def test_no_prediction_counts_as_more_than_that_of_a_config(cost: bool) -> None:
    case = solver(1)
    config = case.space.for_model(case.space.default()[None])[0]
    assert_same(case, cost=cost, at_most=config)
    assert (case.found(cost=cost, at_most=config).total < case.found(cost=cost).total).all()


def test_the_number_of_threads_changes_nothing() -> None:
    case = solver(2, n_trees=7)
    one, one_joint = case.found(), case.analysis().interactions(case.pairs)
    case.forest.n_jobs = 3
    three, three_joint = case.found(), case.analysis().interactions(case.pairs)
    for name in ("mean", "total", "main", "local"):
        np.testing.assert_array_equal(getattr(one, name), getattr(three, name))
    np.testing.assert_array_equal(one_joint, three_joint)


def test_a_child_gets_no_credit_for_what_its_switch_does() -> None:
    rng = np.random.default_rng(0)
    case = solver(0)
    rows = case.space.sample(400, rng)
    slow = rows[:, case.space.names.index("switch")] == 1
    forest = CensoredForest(20, log=True, random_state=0, **ALGORITHM_1)
    forest.fit(case.space.for_model(rows), np.where(slow, 9.0, 1.0), categorical=case.space.categorical)
    cells = case.space.partition(importance.thresholds(forest, 5), case.space.default())
    found = importance.Analysis(forest, cells, np.empty((1, 0))).variances()
    share = (found.main / found.total[:, None]).mean(axis=0)
    assert dict(zip(case.space.names, share.round(9), strict=True)) == {
        "switch": 1.0, "x": 0.0, "n": 0.0, "y": 0.0, "kind": 0.0,
    }  # fmt: skip
