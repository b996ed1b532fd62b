"""Arguments at and beyond the limits: extreme numbers, objects, dates."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from tightrope import CensoredForest

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 3.0], [7.0, 2.0]])
Y = np.array([1.0, 2.0, 3.0, 4.0, 9.0, 2.5])
CENSORED = np.array([False, False, True, False, True, False])


def fitted(rows: Any = X, y: Any = Y, mask: Any = CENSORED, *, fit: Any = None, **parameters: Any) -> Any:
    forest = CensoredForest(**{"n_estimators": 7, "random_state": 0, **parameters})
    return forest.fit(rows, y, mask, **(fit or {}))


@pytest.mark.parametrize("name", ["min_samples_split", "min_samples_leaf", "n_jobs"])
def test_whole_numbers_may_be_larger_than_the_kernel_counts(name: str) -> None:
    assert np.isfinite(fitted(**{name: 2**40}).predict(X)).all()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ceiling", 10**400),
        ("tol", 10**400),
        ("min_variance", 10**400),
        ("max_features", np.array([1, 2])),
        ("max_features", pd.NA),
    ],
    ids=["ceiling", "tol", "min_variance", "array", "missing"],
)
def test_parameters_that_cannot_be_compared_are_named(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"^{name} must be "):
        fitted(**{name: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("categorical", 1.0),
        ("categorical", np.array(1)),
        ("categorical", slice(1)),
        ("sample_weight", ["a"] * 6),
    ],
)
def test_arguments_of_a_wrong_type_are_named(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=name):
        fitted(fit={name: value})


def test_levels_that_cannot_be_hashed_are_named() -> None:
    with pytest.raises(ValueError, match="tags"):
        fitted(pd.DataFrame({"tags": [[1], [2], [3], [4], [5], [6]]}))


@pytest.mark.parametrize(
    "y", [list("abcdef"), Y + 1j, Y.astype("M8[D]"), [10**400, *Y[1:]], [None, *Y[1:]], [[1], [2, 3]]]
)
def test_responses_that_are_no_numbers_are_named(y: Any) -> None:
    with pytest.raises(ValueError, match=r"^y (must hold numbers|contains NaN)"):
        fitted(y=y)


@pytest.mark.parametrize("q", ["half", ["0.5"], 0.5j])
def test_probabilities_that_are_no_numbers_are_named(q: Any) -> None:
    with pytest.raises(ValueError, match=r"^q must hold numbers"):
        fitted().predict_quantile(X, q)


@pytest.mark.parametrize("log", [False, True])
def test_responses_too_large_to_be_summed_are_refused(log: bool) -> None:
    with pytest.raises(ValueError, match=r"^y must lie between .*: y\[4\] is 1e\+305"):
        fitted(y=np.where(Y == 9.0, 1e305, Y), log=log)


def test_the_largest_costs_of_a_log_model_have_a_marginal() -> None:
    mean, std = fitted(y=Y / Y.max() * 1e301, log=True).belief_marginal(X[:, :1], X[:, 1:])
    assert np.isfinite([mean, std]).all()


@pytest.mark.parametrize("scale", [1e-300, 1e160, 1e300])
def test_the_belief_about_extreme_responses_is_finite_and_not_certain(scale: float) -> None:
    mean, std = fitted(y=Y * scale).belief(X)
    assert np.isfinite(mean).all()
    assert 0.1 < std.max() / scale < 10.0


def test_the_floor_of_the_variance_holds_for_tiny_responses_too() -> None:
    np.testing.assert_allclose(fitted(y=Y * 1e-300, min_variance=0.25).belief(X)[1], 0.5)


def test_objects_that_are_booleans_are_a_mask() -> None:
    assert fitted(mask=CENSORED.astype(object)).censored_.tolist() == [2, 4]


@pytest.mark.parametrize(("bad", "shown"), [(None, "None"), (pd.NA, "<NA>"), ("yes", "yes"), (2, "2")])
def test_the_one_bad_object_in_a_mask_is_named(bad: Any, shown: str) -> None:
    mask = CENSORED.astype(object)
    mask[3] = bad
    with pytest.raises(ValueError, match=rf"^censored must hold booleans .*: censored\[3\] is {shown}$"):
        fitted(mask=mask)


def test_objects_that_are_numbers_are_numbers_in_a_frame() -> None:
    rows = pd.DataFrame(X, columns=["a", "b"])
    objects = rows.astype({"a": object})
    np.testing.assert_array_equal(fitted(objects).predict_trees(objects), fitted(rows).predict_trees(rows))


def test_missing_objects_among_numbers_are_missing_numbers() -> None:
    rows = pd.DataFrame({"a": [1, None, 2.5, pd.NA, 4, 5]}, dtype=object)
    numbers = rows.astype("Float64").to_numpy(dtype=np.float64, na_value=np.nan)
    np.testing.assert_array_equal(fitted(rows).predict_trees(rows), fitted(numbers).predict_trees(numbers))


@pytest.mark.parametrize("others", [{}, {"kind": list("abcabc")}])
def test_dates_are_refused_alone_and_beside_levels(others: dict[str, Any]) -> None:
    rows = pd.DataFrame({"when": pd.date_range("2020-01-01", periods=6), **others})
    with pytest.raises(ValueError, match=r"^column 'when' of X has dtype datetime64"):
        fitted(rows)


def test_an_array_of_dates_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^X has dtype datetime64"):
        fitted(X.astype("M8[D]"))


def test_a_fit_that_fails_leaves_no_forest_behind() -> None:
    forest = fitted()
    with pytest.raises(ValueError, match="y contains NaN"):
        forest.fit(X[:, :1], np.full(6, np.nan))
    with pytest.raises(NotFittedError):
        forest.predict(X)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_score_of_responses_not_finite_is_refused_also_when_something_is_censored(bad: float) -> None:
    with pytest.raises(ValueError, match=r"y contains .*: y\[1\] is"):
        fitted().score(X, np.where(Y == 2.0, bad, Y), CENSORED)


def test_parameters_changed_after_the_fit_do_not_change_the_belief() -> None:
    forest = fitted()
    before = forest.predict(X), *forest.belief(X), *forest.belief_marginal(X[:, :1], X[:, 1:])
    forest.set_params(log=True, min_variance=100.0)
    after = forest.predict(X), *forest.belief(X), *forest.belief_marginal(X[:, :1], X[:, 1:])
    np.testing.assert_array_equal(after, before)
