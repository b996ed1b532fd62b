"""DataFrames: named columns and named levels."""

import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tightrope import CensoredForest

COLOURS = ["red", "green", "blue", "red", "green", "blue"]
SIZES = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
Y = np.array([1.0, 5.0, 9.0, 1.5, 5.5, 9.5])


def frame(colours: Any = COLOURS, *, dtype: Any = "category") -> pd.DataFrame:
    return pd.DataFrame({"colour": pd.Series(colours, dtype=dtype), "size": SIZES[: len(colours)]})


def fitted(X: Any, **arguments: Any) -> CensoredForest:
    return CensoredForest(20, bootstrap=False, random_state=0).fit(X, Y, **arguments)


@pytest.mark.parametrize("dtype", ["category", "object", "str"])
def test_columns_with_named_levels_become_categorical(dtype: str) -> None:
    forest = fitted(frame(dtype=dtype))
    np.testing.assert_array_equal(forest.predict(frame(dtype=dtype)), Y)
    np.testing.assert_array_equal(forest.feature_names_in_, ["colour", "size"])
    codes = np.column_stack([[2.0, 1.0, 0.0, 2.0, 1.0, 0.0], SIZES])
    same = fitted(codes, categorical=[0])
    np.testing.assert_array_equal(forest.predict_trees(frame(dtype=dtype)), same.predict_trees(codes))


def test_columns_of_booleans_become_categorical() -> None:
    X = pd.DataFrame({"flag": [True, False, True, False, True, False]})
    forest = CensoredForest(5, bootstrap=False).fit(X, [1.0, 2.0, 1.0, 2.0, 1.0, 2.0])
    np.testing.assert_array_equal(forest.predict(X[:2]), [1.0, 2.0])


def test_levels_are_remembered_by_name_and_not_by_code() -> None:
    forest = fitted(frame())
    other = frame(pd.Categorical(COLOURS, categories=["green", "violet", "red", "blue"]))
    np.testing.assert_array_equal(forest.predict(other), Y)
    np.testing.assert_array_equal(forest.predict(frame(dtype="object")), Y)


def test_a_level_that_fit_has_not_seen_is_predicted_nevertheless() -> None:
    forest = fitted(frame())
    prediction = forest.predict(frame(["violet"], dtype="object"))
    assert Y.min() <= prediction[0] <= Y.max()


def test_a_missing_level_is_a_level_of_its_own() -> None:
    X = pd.DataFrame({"colour": ["red", None, "red", None]})
    forest = CensoredForest(5, bootstrap=False).fit(X, [1.0, 2.0, 1.0, 2.0])
    np.testing.assert_array_equal(forest.predict(X), [1.0, 2.0, 1.0, 2.0])


def test_missing_numbers_may_come_from_nullable_columns() -> None:
    X = pd.DataFrame({"n": pd.array([1, None, 2, None], dtype="Int64"), "kind": ["a", "a", "a", "a"]})
    forest = CensoredForest(5, bootstrap=False).fit(X, [1.0, 2.0, 3.0, 2.0])
    np.testing.assert_array_equal(forest.predict(X), [1.0, 2.0, 3.0, 2.0])


def test_categorical_columns_may_be_given_by_name() -> None:
    X = pd.DataFrame({"kind": [0, 1, 2, 3, 4, 5], "size": SIZES})
    named = fitted(X, categorical=["kind"])
    numbered = fitted(X.to_numpy(), categorical=[0])
    np.testing.assert_array_equal(named.predict_trees(X), numbered.predict_trees(X.to_numpy()))


def test_an_unknown_name_of_a_categorical_column_is_refused() -> None:
    with pytest.raises(ValueError, match="categorical names the column 'shape'"):
        fitted(frame(), categorical=["shape"])


def test_numbers_alone_do_not_suffice_where_levels_had_names() -> None:
    with pytest.raises(ValueError, match=r"X must be a DataFrame, as in fit, .*\[0\].* got ndarray"):
        fitted(frame()).predict(np.zeros((1, 2)))


def test_a_column_that_held_numbers_must_hold_numbers() -> None:
    X = frame()
    with pytest.raises(ValueError, match="column 'size' of X has dtype"):
        fitted(X).predict(X.assign(size="large"))


def test_columns_in_another_order_are_refused() -> None:
    X = frame()
    with pytest.raises(ValueError, match="feature names"):
        fitted(X).predict(X[["size", "colour"]])


def test_infinities_are_refused_in_frames_too() -> None:
    X = frame()
    with pytest.raises(ValueError, match=r"X contains infinity: X\[2, 1\] is inf"):
        fitted(X.assign(size=[1.0, 2.0, np.inf, 4.0, 5.0, 6.0]))


def test_marginals_take_the_two_halves_of_the_frame() -> None:
    X = frame()
    forest = fitted(X)
    mean, _ = forest.belief_marginal(X[["colour"]], X[["size"]])
    pairs = X[["colour"]].merge(X[["size"]], how="cross")
    np.testing.assert_allclose(mean, forest.predict(pairs).reshape(6, 6).mean(axis=1))


def test_marginals_of_named_instances_know_their_levels() -> None:
    X = frame()[["size", "colour"]]
    forest = fitted(X)
    mean, _ = forest.belief_marginal(X[["size"]], X[["colour"]])
    pairs = X[["size"]].merge(X[["colour"]], how="cross")
    np.testing.assert_allclose(mean, forest.predict(pairs).reshape(6, 6).mean(axis=1))


def test_marginals_refuse_columns_in_the_wrong_half() -> None:
    X = frame()
    with pytest.raises(ValueError, match=r"configs has the columns \['size'\], but fit saw \['colour'\]"):
        fitted(X).belief_marginal(X[["size"]], X[["colour"]])


def test_a_series_may_be_the_mask_and_the_response() -> None:
    X = frame()
    mask = pd.Series([False, False, True, False, False, True], index=range(10, 16))
    forest = CensoredForest(5).fit(X, pd.Series(Y, index=range(10, 16)), mask)
    np.testing.assert_array_equal(forest.censored_, [2, 5])


def test_arrays_do_without_pandas() -> None:
    code = (
        "import sys\nsys.modules['pandas'] = None  # an import of it fails\n"
        "from tightrope import CensoredForest\n"
        "CensoredForest(2).fit([[0.0], [1.0]], [1.0, 2.0], [False, True]).predict([[0.5]])\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
