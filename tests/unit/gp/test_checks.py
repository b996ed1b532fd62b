"""Input checks of the process: errors name the argument and the offending value."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import DataConversionWarning, NotFittedError

from tightrope.gp import CensoredProcess, Hyperparameters

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]])
Y = np.array([1.0, 2.0, 3.0, 4.0])
START = Hyperparameters(np.ones(2), signal=1.0, noise=0.1, mean=0.0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("log", 1),
        ("noise", -0.1),
        ("noise", np.nan),
        ("noise", "small"),
        ("noise", True),
        ("max_iter", -1),
        ("max_iter", 2.5),
        ("n_restarts", -1),
        ("n_restarts", True),
    ],
)
def test_a_bad_parameter_is_named_with_its_value(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=rf"^{name} must be .*, got {value!r}$"):
        CensoredProcess(**{name: value}).fit(X, Y)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"y": [1.0, 2.0]}, "y has 2 values, but X has 4 rows"),
        ({"y": None}, "requires y to be passed, but the target y is None"),
        ({"y": np.ones((4, 2))}, r"y should be a 1d array"),
        ({"y": [1.0, 2.0, np.nan, 4.0]}, r"y contains NaN: y\[2\] is nan"),
        ({"y": [1.0, np.inf, 3.0, 4.0]}, r"y contains infinity: y\[1\] is inf"),
        ({"X": [[0.0, 1.0], [np.nan, 0.0], [2.0, 1.0], [3.0, 0.0]]}, r"X contains NaN: X\[1, 0\] is nan"),
        (
            {"X": [[0.0, 1.0], [1.0, 0.0], [2.0, -np.inf], [3.0, 0.0]]},
            r"X contains infinity: X\[2, 1\] is -inf",
        ),
        ({"X": np.empty((0, 2)), "y": []}, r"0 sample\(s\)"),
        ({"X": np.empty((4, 0))}, r"0 feature\(s\)"),
        ({"X": [1.0, 2.0, 3.0, 4.0]}, "Expected 2D array"),
        ({"censored": [True]}, r"censored has shape \(1,\), but X has 4 rows"),
        ({"censored": [0.0, 0.0, 0.0, 1.0]}, r"censored must hold booleans .* dtype float64"),
        ({"censored": [0, 1, 2, 0]}, r"censored must hold booleans .*: censored\[2\] is 2"),
        ({"start": {"signal": 1.0}}, r"start must be the hyperparameters_ .*, got \{'signal': 1.0\}"),
        (
            {"start": replace(START, lengths=np.ones(3))},
            r"start.lengths has shape \(3,\), but X has 2 columns",
        ),
        (
            {"start": replace(START, lengths=np.array([1.0, 0.0]))},
            r"start.lengths must be positive: lengths\[1\] is 0.0",
        ),
        ({"start": replace(START, signal=0.0)}, r"start.signal must be a finite number above 0.0, got 0.0"),
        ({"start": replace(START, noise=-1.0)}, r"start.noise must be a finite number .*, got -1.0"),
        ({"start": replace(START, mean=np.inf)}, r"start.mean must be a finite number .*, got inf"),
    ],
)
def test_bad_input_is_named_with_the_offending_value(arguments: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        CensoredProcess().fit(**{"X": X, "y": Y, **arguments})


@pytest.mark.parametrize("value", [0.0, -2.0])
def test_responses_of_a_log_model_are_positive(value: float) -> None:
    with pytest.raises(ValueError, match=rf"y must be positive when log=True: y\[2\] is {value}"):
        CensoredProcess(log=True).fit(X, [1.0, 2.0, value, 4.0])


def test_new_points_are_finite_too() -> None:
    process = CensoredProcess(max_iter=0).fit(X, Y)
    with pytest.raises(ValueError, match=re.escape("X contains NaN: X[0, 1] is nan")):
        process.belief([[0.0, np.nan]])


def test_new_points_have_the_columns_of_the_fit() -> None:
    process = CensoredProcess(max_iter=0).fit(X, Y)
    with pytest.raises(ValueError, match="X has 3 features, but CensoredProcess is expecting 2"):
        process.predict([[0.0, 1.0, 2.0]])


@pytest.mark.parametrize("ask", ["predict", "belief"])
def test_it_must_be_fitted_before_it_predicts(ask: str) -> None:
    with pytest.raises(NotFittedError):
        getattr(CensoredProcess(), ask)(X)


def test_standard_deviations_of_a_log_model_come_from_the_belief() -> None:
    process = CensoredProcess(log=True, max_iter=0).fit(X, Y)
    with pytest.raises(ValueError, match=r"return_std=True is not defined .* use belief\(X\)"):
        process.predict(X, return_std=True)


@pytest.mark.parametrize(
    "mask", [[False, False, False, True], [0, 0, 0, 1], np.array([0, 0, 0, 1], np.uint8)]
)
def test_masks_may_be_lists_and_zeros_and_ones(mask: Any) -> None:
    process = CensoredProcess(max_iter=0).fit(X, Y, mask)
    same = CensoredProcess(max_iter=0).fit(X, Y, np.array([False, False, False, True]))
    np.testing.assert_array_equal(process.predict(X), same.predict(X))


def test_a_column_vector_is_taken_as_y_with_a_warning() -> None:
    with pytest.warns(DataConversionWarning, match="column-vector"):
        process = CensoredProcess(max_iter=0).fit(X, Y[:, None])
    np.testing.assert_array_equal(process.predict(X), CensoredProcess(max_iter=0).fit(X, Y).predict(X))
