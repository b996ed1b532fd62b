"""Left-censored and interval-censored responses, and zeros."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tightrope import CensoredForest
from tightrope.forest.concordance import concordance, concordance_of_intervals
from tightrope.forest.targets import read_targets

Floats = NDArray[np.float64]
INF = np.inf


def rounded(n: int = 200) -> tuple[Floats, Floats, Floats, Floats]:
    """Responses that are known up to the next whole number, some of them only from one side."""
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(n, 2))
    truth = 3 * X[:, 0] + 0.3 * rng.normal(size=n)
    lower, upper = np.floor(truth), np.ceil(truth)
    lower[::5], upper[1::5] = -INF, INF
    return X, truth, lower, upper


def settings() -> dict[str, object]:
    return {"n_estimators": 20, "min_samples_leaf": 3, "max_features": 1.0, "random_state": 0}


@pytest.mark.parametrize("treatment", ["sample", "mean"])
@pytest.mark.parametrize("ceiling_rule", ["shift", "shrink"])
def test_imputed_values_lie_in_their_intervals(treatment: str, ceiling_rule: str) -> None:
    X, _, lower, upper = rounded()
    forest = CensoredForest(treatment=treatment, ceiling_rule=ceiling_rule, **settings()).fit(
        X, (lower, upper)
    )
    rows = forest.censored_
    assert (forest.imputed_ >= lower[rows] - 1e-9).all()
    assert (forest.imputed_ <= upper[rows] + 1e-9).all()


def test_intervals_teach_more_than_their_middles() -> None:
    X, _, lower, upper = rounded()
    errors = []
    for treatment in ("sample", "ignore"):
        forest = CensoredForest(treatment=treatment, **settings()).fit(X, (lower, upper))
        errors.append(float(np.std(forest.predict(X) - 3 * X[:, 0])))
    assert errors[0] < 0.9 * errors[1]


def test_a_pair_two_columns_and_codes_mean_the_same() -> None:
    rng = np.random.default_rng(0)
    X, y, codes = rng.uniform(size=(60, 2)), rng.uniform(1, 2, size=60), rng.integers(-1, 2, size=60)
    lower, upper = np.where(codes == -1, -INF, y), np.where(codes == 1, INF, y)
    by_codes = CensoredForest(**settings()).fit(X, y, codes)
    by_pair = CensoredForest(**settings()).fit(X, (lower, upper))
    by_columns = CensoredForest(**settings()).fit(X, np.column_stack([lower, upper]))
    np.testing.assert_array_equal(by_codes.predict(X), by_pair.predict(X))
    np.testing.assert_array_equal(by_codes.predict(X), by_columns.predict(X))


def test_lower_bounds_as_intervals_are_lower_bounds() -> None:
    X, truth, _, _ = rounded()
    y, censored = np.minimum(truth, 2.0), truth > 2.0
    plain = CensoredForest(**settings()).fit(X, y, censored)
    ends = CensoredForest(**settings()).fit(X, (y, np.where(censored, INF, y)))
    np.testing.assert_array_equal(plain.predict_trees(X), ends.predict_trees(X))


def test_upper_bounds_are_lower_bounds_seen_in_a_mirror() -> None:
    X, truth, _, _ = rounded()
    y, censored = np.minimum(truth, 1.5), truth > 1.5
    right = CensoredForest(treatment="mean", **settings()).fit(X, y, censored.astype(int))
    left = CensoredForest(treatment="mean", **settings()).fit(X, -y, -censored.astype(int))
    np.testing.assert_allclose(left.predict(X), -right.predict(X), atol=0.05)


def test_an_observed_zero_of_a_log_model_is_at_most_the_smallest_positive_response() -> None:
    X, truth, _, _ = rounded()
    y = np.where(truth < 1, 0.0, np.abs(truth))
    forest = CensoredForest(log=True, **settings()).fit(X, y)
    np.testing.assert_array_equal(forest.censored_, np.flatnonzero(y == 0))
    assert (forest.imputed_ <= y[y > 0].min() * (1 + 1e-9)).all()


def test_a_row_censored_at_zero_tells_a_log_model_nothing() -> None:
    X, truth, _, _ = rounded()
    y, censored = np.abs(truth) + 0.1, np.zeros(200, dtype=bool)
    y[:3], censored[:3] = 0.0, True
    forest = CensoredForest(log=True, **settings()).fit(X, y, censored)
    assert (forest.imputed_ > 0).all()


@pytest.mark.parametrize(
    ("y", "complaint"),
    [
        (([1.0, 3.0], [2.0, 2.0]), r"lower end above its upper end: y\[1\] is 3.0"),
        (([1.0, np.nan], [2.0, 2.0]), "y contains NaN"),
        (([1.0, INF], [2.0, INF]), "interval without any number"),
    ],
)
def test_intervals_that_cannot_be_are_refused(y: tuple[list[float], list[float]], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        read_targets(y, None, n_rows=2)


def test_intervals_and_codes_do_not_go_together() -> None:
    with pytest.raises(ValueError, match="y has lower and upper ends, which already mark"):
        read_targets(([1.0], [2.0]), [1], n_rows=1)


def test_the_concordance_of_lower_bounds_is_that_of_their_intervals() -> None:
    rng = np.random.default_rng(0)
    y, prediction, censored = rng.normal(size=50), rng.normal(size=50).round(1), rng.random(50) < 0.4
    of_ends = concordance_of_intervals(y, np.where(censored, INF, y), prediction)
    assert of_ends == pytest.approx(concordance(y, prediction, censored=censored))


@pytest.mark.parametrize("treatment", ["sample", "drop"])
def test_out_of_bag_predictions_come_from_trees_without_the_row(treatment: str) -> None:
    X, truth, _, _ = rounded()
    weights = np.where(np.arange(200) < 5, 0.0, 1.0)
    forest = CensoredForest(treatment=treatment, oob_score=True, **settings())
    forest.fit(X, np.minimum(truth, 2.0), truth > 2.0, sample_weight=weights)
    assert np.isnan(forest.oob_prediction_[:5]).all()
    assert np.isfinite(forest.oob_prediction_[5:]).all()
    assert 0.8 < forest.oob_score_ < 1.0
    inside = forest.predict(X[5:])
    assert np.abs(forest.oob_prediction_[5:] - truth[5:]).mean() > np.abs(inside - truth[5:]).mean()


def test_out_of_bag_scores_need_a_bootstrap() -> None:
    with pytest.raises(ValueError, match="oob_score=True needs bootstrap=True"):
        CensoredForest(oob_score=True, bootstrap=False).fit([[0.0], [1.0]], [0.0, 1.0])
