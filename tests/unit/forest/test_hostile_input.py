"""Hostile input: odd containers, extreme numbers, degenerate trees."""

import copy
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array

from small_forest import CENSORED, X, Y, fitted
from tightrope import CensoredForest

Floats = NDArray[np.float64]


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    array = array.copy()
    array.setflags(write=False)
    return array


# ---- the same numbers in other containers ----


@pytest.mark.parametrize(
    "rows",
    [
        X.tolist(),
        X.astype(np.float16),
        X.astype(np.int8),
        X.astype(">f8"),
        X.astype(object),
        np.asfortranarray(X),
        np.repeat(X, 3, axis=0)[::3],
        X[::-1].copy()[::-1],
        np.tile(X, 2)[:, :2],
        read_only(X),
        pd.DataFrame(X, columns=[10, 20]),
        pd.DataFrame(X, columns=[10, 20]).astype("Int64"),
        pd.DataFrame(X, columns=[10, 20]).astype("float32"),
    ],
)
def test_the_container_of_x_does_not_matter(rows: Any) -> None:
    np.testing.assert_array_equal(fitted(rows).predict_trees(rows), fitted().predict_trees(X))


@pytest.mark.parametrize(
    "y",
    [
        Y.tolist(),
        Y.astype(np.float32),
        np.repeat(Y, 2)[::2],
        read_only(Y),
        pd.Series(Y, index=range(6, 0, -1)),
        pd.Series(Y, dtype="Float64"),
    ],
)
def test_the_container_of_y_does_not_matter(y: Any) -> None:
    np.testing.assert_array_equal(fitted(y=y).predict_trees(X), fitted().predict_trees(X))


@pytest.mark.parametrize(
    "mask",
    [
        pd.Series(CENSORED, index=range(6, 0, -1)),
        pd.Series(CENSORED, dtype="boolean"),
        pd.Series(CENSORED.astype(int), dtype="Int64"),
        np.repeat(CENSORED, 2)[::2],
        read_only(CENSORED),
    ],
)
def test_the_container_of_the_mask_does_not_matter(mask: Any) -> None:
    assert fitted(mask=mask).censored_.tolist() == [2, 4]


@pytest.mark.parametrize(
    "mask",
    [
        True,
        "censored",
        {1, 4},
        CENSORED.astype(complex),
        CENSORED.astype("M8[D]"),
        pd.Series([True, None, False, False, True, False], dtype="boolean"),
        np.where(CENSORED, np.nan, 0.0),
        csr_array(CENSORED[:, np.newaxis]),
    ],
)
def test_masks_of_other_kinds_are_refused_by_name(mask: Any) -> None:
    with pytest.raises(ValueError, match=r"^censored (must hold booleans|has shape \(\))"):
        fitted(mask=mask)


@pytest.mark.parametrize("rows", [csr_array(X), np.array([{}] * 6), {"a": 1}])
def test_input_that_is_not_an_array_of_numbers_is_a_type_error_as_in_scikit_learn(rows: Any) -> None:
    with pytest.raises(TypeError, match=r"Sparse data was passed for X|argument must be"):
        fitted(rows)


@pytest.mark.parametrize("rows", [X + 1j, X[np.newaxis], "rows", np.full((6, 2), "a"), [[1.0], [1.0, 2.0]]])
def test_arrays_of_other_kinds_are_refused(rows: Any) -> None:
    with pytest.raises(ValueError, match=r"Complex|dim 3|could not convert|inhomogeneous"):
        fitted(rows)


def event_and_time(**kinds: Any) -> NDArray[Any]:
    names = list(kinds)
    pairs = np.zeros(6, dtype=[*kinds.items()])
    pairs[names[0]], pairs[names[1]] = ~CENSORED, Y
    return pairs


@pytest.mark.parametrize(
    "pairs",
    [
        event_and_time(event=bool, time=float),
        event_and_time(Status=np.bool_, Survival_in_days=np.float32),
        event_and_time(event=bool, time=float).view(np.recarray),
        np.repeat(event_and_time(event=bool, time=float), 2)[::2],
        read_only(event_and_time(event=bool, time=float)),
    ],
)
def test_structured_responses_may_have_any_field_names_and_layout(pairs: Any) -> None:
    np.testing.assert_array_equal(fitted(y=pairs, mask=None).predict_trees(X), fitted().predict_trees(X))


@pytest.mark.parametrize(
    "pairs",
    [
        np.zeros(6, dtype=[("event", bool)]),
        np.zeros(6, dtype=[("time", float), ("event", bool)]),
        np.zeros(6, dtype=[("event", bool), ("time", float), ("more", float)]),
        np.zeros(6, dtype=[("event", bool), ("time", float, (2,))]),
        np.zeros(6, dtype=[("event", np.uint8), ("time", float)]),
        np.zeros(6, dtype=[]),
    ],
)
def test_structures_other_than_event_and_time_are_refused(pairs: Any) -> None:
    with pytest.raises(ValueError, match=r"^y must have the two fields event \(bool\) and time"):
        fitted(y=pairs, mask=None)


# ---- levels ----


@pytest.mark.parametrize("scale", [-1.0, 1e15, -(2.0**60), 1e300])
def test_levels_may_be_any_whole_numbers(scale: float) -> None:
    forest = fitted(X * scale, mask=None, bootstrap=False, fit={"categorical": [0, 1]})
    np.testing.assert_array_equal(forest.predict(X * scale), Y)


@pytest.mark.parametrize("level", [np.nan, -1.0, 5.0, 2.0**32, 2.0**32 + 1, 2.0**64, -1e300])
def test_levels_never_seen_all_go_the_same_way(level: float) -> None:
    forest = fitted(fit={"categorical": [0, 1]})
    np.testing.assert_array_equal(forest.predict_trees([[level, level]]), forest.predict_trees([[8.0, -8.0]]))


def test_hundreds_of_levels_with_names_survive_a_pickle() -> None:
    names = np.array([f"level {k:04d}" for k in range(700)])
    rows = pd.DataFrame({"name": names, "size": np.arange(700.0) % 5})
    y = np.random.default_rng(0).normal(size=700)
    forest = pickle.loads(pickle.dumps(fitted(rows, y, None, bootstrap=False)))
    np.testing.assert_array_equal(forest.predict(rows), y)


# ---- degenerate rows and trees ----


@pytest.mark.parametrize("treatment", ["sample", "mean", "drop", "ignore"])
def test_rows_that_are_all_the_same_give_one_prediction(treatment: str) -> None:
    forest = fitted(np.ones((6, 2)), mask=None, treatment=treatment, bootstrap=False)
    np.testing.assert_allclose(forest.predict(X), Y.mean())


@pytest.mark.parametrize("treatment", ["sample", "mean", "drop", "ignore"])
def test_responses_that_are_all_the_same_stay_what_they_are(treatment: str) -> None:
    forest = fitted(y=np.full(6, 0.1), treatment=treatment)
    mean, std = forest.belief(X)
    np.testing.assert_array_equal(mean, 0.1)
    np.testing.assert_array_equal(std, 0.0)
    assert forest.converged_


def test_a_column_of_nothing_but_nan_is_never_split() -> None:
    forest = fitted(np.column_stack([X[:, 0], np.full(6, np.nan)]), mask=None, bootstrap=False)
    np.testing.assert_array_equal(forest.predict(np.column_stack([X[:, 0], X[:, 1]])), Y)


def test_columns_may_need_more_bins_than_sixteen_bits_count() -> None:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 30, size=(60, 3000)).astype(np.float64)
    forest = fitted(rows, rows[:, -1], None, n_estimators=2, bootstrap=False)
    np.testing.assert_array_equal(forest.predict(rows), rows[:, -1])


@pytest.fixture(scope="module")
def deep() -> tuple[CensoredForest, Floats, Floats]:
    """Targets that are each as large as all smaller ones together: the tree is mostly a chain."""
    n = 1900
    rows = np.column_stack([np.arange(n), np.arange(n) % 3]).astype(np.float64)
    y: Floats = np.ldexp(1.0, np.arange(-950, 950))
    y[y > 1e150] = 1e150 * rows[y > 1e150, 0]
    return fitted(rows, y, None, n_estimators=3, bootstrap=False), rows, y


def test_a_degenerate_tree_is_exact_also_from_a_pickle(deep: tuple[CensoredForest, Floats, Floats]) -> None:
    forest, rows, y = deep
    for twin in (forest, copy.deepcopy(forest), pickle.loads(pickle.dumps(forest))):
        np.testing.assert_array_equal(twin.predict(rows), y)


def test_the_marginal_of_a_degenerate_tree_is_the_mean_over_pairs(
    deep: tuple[CensoredForest, Floats, Floats],
) -> None:
    forest, rows, _ = deep
    configs, instances = rows[::100, :1], rows[:3, 1:]
    pairs = np.array([[*c, *i] for c in configs for i in instances])
    expected = forest.predict(pairs).reshape(len(configs), 3).mean(axis=1)
    np.testing.assert_allclose(forest.belief_marginal(configs, instances)[0], expected, rtol=1e-9)
