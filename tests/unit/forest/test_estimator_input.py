"""Input checks of fit and predict: errors name the argument and the offending value."""

from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import DataConversionWarning

from tightrope import CensoredForest

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]])
Y = np.array([1.0, 2.0, 3.0, 4.0])
CENSORED = np.array([False, False, False, True])


def structured(dtype: Any = (("event", bool), ("time", float))) -> np.ndarray:
    return np.array(list(zip(~CENSORED, Y, strict=True)), dtype=list(dtype))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_estimators", 0),
        ("n_estimators", 2.0),
        ("n_estimators", True),
        ("treatment", "guess"),
        ("log", 1),
        ("ceiling", np.inf),
        ("ceiling", "high"),
        ("ceiling_rule", "cut"),
        ("positions", "middle"),
        ("joint", "yes"),
        ("max_iter", 0),
        ("tol", -0.1),
        ("tol", np.nan),
        ("oob", None),
        ("max_features", 0.0),
        ("max_features", 1.5),
        ("max_features", 0),
        ("max_features", "third"),
        ("min_samples_split", 1),
        ("min_samples_split", 1.5),
        ("min_samples_leaf", 0),
        ("min_samples_leaf", 1.0),
        ("bootstrap", "no"),
        ("min_variance", -1.0),
        ("n_jobs", 0),
        ("n_jobs", 1.5),
    ],
)
def test_a_bad_parameter_is_named_with_its_value(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=rf"^{name} must be .*, got {value!r}$"):
        CensoredForest(**{name: value}).fit(X, Y)


def test_out_of_bag_needs_a_bootstrap() -> None:
    with pytest.raises(ValueError, match="oob=True needs bootstrap=True"):
        CensoredForest(oob=True, bootstrap=False).fit(X, Y)


def test_the_ceiling_of_a_log_model_is_positive() -> None:
    with pytest.raises(ValueError, match="ceiling must be positive when log=True, got -3"):
        CensoredForest(log=True, ceiling=-3).fit(X, Y)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"y": [1.0, 2.0]}, "y has 2 values, but X has 4 rows"),
        ({"y": None}, "requires y to be passed, but the target y is None"),
        ({"y": np.ones((4, 3))}, r"y should be a 1d array"),
        ({"y": [1.0, 2.0, np.nan, 4.0]}, r"y contains NaN: y\[2\] is nan"),
        ({"y": [1.0, np.inf, 3.0, 4.0]}, r"y contains infinity .*: y\[1\] is inf"),
        (
            {"X": [[0.0, 1.0], [-np.inf, 0.0], [2.0, 1.0], [3.0, 0.0]]},
            r"X contains infinity: X\[1, 0\] is -inf",
        ),
        ({"X": np.empty((0, 2)), "y": []}, r"0 sample\(s\)"),
        ({"X": np.empty((4, 0))}, r"0 feature\(s\)"),
        ({"X": [1.0, 2.0, 3.0, 4.0]}, "Expected 2D array"),
        ({"censored": [True]}, r"censored has shape \(1,\), but X has 4 rows"),
        ({"censored": CENSORED[:, None]}, r"censored has shape \(4, 1\), but X has 4 rows"),
        ({"censored": [0.0, 0.0, 0.0, 1.0]}, r"censored must hold booleans .* dtype float64"),
        ({"censored": ["no", "no", "no", "yes"]}, r"censored must hold booleans .*'no'"),
        ({"censored": [0, 1, 2, 0]}, r"censored must hold booleans .*: censored\[2\] is 2"),
        ({"sample_weight": [1.0, 2.0]}, r"sample_weight has shape \(2,\), but X has 4 rows"),
        (
            {"sample_weight": [1.0, -2.0, 1.0, 1.0]},
            r"sample_weight must not be negative: sample_weight\[1\] is -2",
        ),
        (
            {"sample_weight": [1.0, 1.0, np.nan, 1.0]},
            r"sample_weight must be finite: sample_weight\[2\] is nan",
        ),
        ({"sample_weight": np.zeros(4)}, "sample_weight is zero in every row"),
        ({"categorical": [2]}, "categorical names the column 2, but X has 2 columns"),
        ({"categorical": ["a"]}, "categorical names the column 'a', but X has no column names"),
        ({"categorical": [0.5]}, "categorical must hold column numbers or names, got 0.5"),
        ({"categorical": [True, False, True]}, "categorical is a mask of length 3, but X has 2 columns"),
        (
            {"X": X + 0.5, "categorical": [0]},
            r"X\[0, 0\] is 0.5: categorical columns must hold whole numbers",
        ),
    ],
)
def test_bad_input_is_named_with_the_offending_value(arguments: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        CensoredForest().fit(**{"X": X, "y": Y, **arguments})


@pytest.mark.parametrize("value", [-0.5, -2.0])
def test_responses_of_a_log_model_are_not_negative(value: float) -> None:
    with pytest.raises(ValueError, match=rf"y must be positive or 0 when log=True: y\[2\] is {value}"):
        CensoredForest(log=True).fit(X, [1.0, 2.0, value, 4.0])


@pytest.mark.parametrize("censored", [None, CENSORED])
def test_the_ceiling_is_not_below_a_response_or_a_bound(censored: Any) -> None:
    with pytest.raises(ValueError, match=r"ceiling=3.5 is below a value of y: y\[3\] is 4.0"):
        CensoredForest(ceiling=3.5).fit(X, Y, censored)


def test_a_response_may_reach_the_ceiling() -> None:
    assert CensoredForest(5, ceiling=4.0, log=True).fit(X, Y, CENSORED).imputed_[0] == pytest.approx(4.0)


@pytest.mark.parametrize("mask", [CENSORED.tolist(), CENSORED.astype(int), CENSORED.astype(np.uint8)])
def test_masks_may_be_lists_and_zeros_and_ones(mask: Any) -> None:
    assert CensoredForest(5).fit(X, Y, mask).censored_.tolist() == [3]


@pytest.mark.parametrize("categorical", [[0], 0, [-2], np.array([0]), [True, False]])
def test_categorical_columns_are_named_by_number_or_mask(categorical: Any) -> None:
    y = [0.0, 1.0, 0.0, 1.0]
    forest = CensoredForest(1, bootstrap=False, max_features=1).fit(X[:, :1], y, categorical=[0])
    assert len(forest.forest_.nodes(0)["column"]) == 3
    forest = CensoredForest(20, random_state=0).fit(X, y, categorical=categorical)
    same = CensoredForest(20, random_state=0).fit(X, y, categorical=[0])
    np.testing.assert_array_equal(forest.predict_trees(X), same.predict_trees(X))


def test_levels_may_be_negative() -> None:
    forest = CensoredForest(5, bootstrap=False).fit(X - 2, Y, categorical=[0])
    np.testing.assert_array_equal(forest.predict(X - 2), Y)


def test_a_fraction_in_a_categorical_column_is_refused_in_predictions_too() -> None:
    forest = CensoredForest(5).fit(X, Y, categorical=[0])
    with pytest.raises(ValueError, match=r"X\[1, 0\] is 0.25: categorical"):
        forest.predict([[0.0, 0.0], [0.25, 0.0]])


def test_a_column_vector_is_taken_as_y_with_a_warning() -> None:
    with pytest.warns(DataConversionWarning, match="column-vector"):
        forest = CensoredForest(5, random_state=0).fit(X, Y[:, None])
    np.testing.assert_array_equal(forest.predict(X), CensoredForest(5, random_state=0).fit(X, Y).predict(X))


def test_structured_responses_mark_the_censored_rows() -> None:
    forest = CensoredForest(10, random_state=0).fit(X, structured())
    same = CensoredForest(10, random_state=0).fit(X, Y, CENSORED)
    np.testing.assert_array_equal(forest.predict_trees(X), same.predict_trees(X))
    assert forest.score(X, structured()) == same.score(X, Y, CENSORED)


def test_structured_responses_and_a_mask_contradict_each_other() -> None:
    with pytest.raises(ValueError, match=r"censored was given, but y has the fields \('event', 'time'\)"):
        CensoredForest().fit(X, structured(), CENSORED)


@pytest.mark.parametrize("dtype", [(("event", float), ("time", float)), (("event", bool), ("time", bool))])
def test_structured_responses_have_an_event_and_a_time(dtype: Any) -> None:
    with pytest.raises(ValueError, match=r"y must have the two fields event \(bool\) and time \(number\)"):
        CensoredForest().fit(X, structured(dtype))


@pytest.mark.parametrize("q", [0.0, 1.0, [0.5, -1.0], np.nan])
def test_probabilities_lie_between_zero_and_one(q: Any) -> None:
    with pytest.raises(ValueError, match="q must lie between 0 and 1, got"):
        CensoredForest(5).fit(X, Y).predict_quantile(X, q)


def test_configs_and_instances_have_the_columns_of_the_fit() -> None:
    with pytest.raises(ValueError, match="configs has 2 columns and instances has 1, but the forest was"):
        CensoredForest(5).fit(X, Y).belief_marginal(X, X[:, :1])


def test_infinite_configs_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"configs contains infinity: configs\[0, 0\] is inf"):
        CensoredForest(5).fit(X, Y).belief_marginal([[np.inf]], [[1.0]])


def test_a_single_row_is_enough() -> None:
    assert CensoredForest(5).fit([[1.0]], [3.0]).predict([[2.0]])[0] == 3.0


def test_a_single_censored_row_is_enough() -> None:
    forest = CensoredForest(5).fit([[1.0]], [3.0], [True])
    assert forest.predict([[2.0]])[0] == 3.0
    assert forest.converged_
