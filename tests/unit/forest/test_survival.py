"""Survival curves, hazards, restricted means, risks."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tightrope import CensoredForest
from tightrope.forest import RiskModel

Floats = NDArray[np.float64]
ROWS = np.array([[0.1, 0.5], [0.9, 0.5]])


def fitted(*, log: bool = True) -> CensoredForest:
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(150, 2))
    time = np.exp(2 * X[:, 0] + 0.3 * rng.normal(size=150))
    y = np.array(
        list(zip(time < 4, np.minimum(time, 4), strict=True)), dtype=[("event", bool), ("time", float)]
    )
    return CensoredForest(20, log=log, min_samples_leaf=5, max_features=1.0, random_state=0).fit(X, y)


@pytest.mark.parametrize("log", [True, False])
def test_half_of_the_probability_lies_above_the_median(log: bool) -> None:
    forest = fitted(log=log)
    medians = forest.predict_median(ROWS)
    assert np.diag(forest.predict_survival_function(ROWS, medians)) == pytest.approx(0.5)


@pytest.mark.parametrize("log", [True, False])
def test_curves_fall_and_hazards_rise(log: bool) -> None:
    forest = fitted(log=log)
    assert (np.diff(forest.predict_survival_function(ROWS)) <= 0).all()
    assert (np.diff(forest.predict_cumulative_hazard_function(ROWS)) >= 0).all()


def test_without_times_curves_are_given_at_the_observed_responses() -> None:
    forest = fitted()
    assert forest.predict_survival_function(ROWS).shape == (2, forest.event_times_.size)
    assert forest.event_times_.max() < 4


def test_curves_agree_with_quantiles() -> None:
    forest = fitted()
    quantiles = forest.predict_quantile(ROWS, [0.1, 0.9])
    found = forest.predict_survival_function(ROWS, quantiles[0])[0]
    assert found == pytest.approx([0.9, 0.1])


@pytest.mark.parametrize("log", [True, False])
def test_the_restricted_mean_is_the_area_below_the_curve(log: bool) -> None:
    forest, horizon = fitted(log=log), 5.0
    start = 0.0 if log else -20.0
    width = (horizon - start) / 20_000
    times = start + width * (np.arange(20_000) + 0.5)
    area = start + forest.predict_survival_function(ROWS, times).sum(axis=1) * width
    assert forest.predict_restricted_mean(ROWS, horizon) == pytest.approx(area, rel=1e-4)


def test_every_response_exceeds_time_zero_of_a_log_model() -> None:
    assert (fitted().predict_survival_function(ROWS, [0.0]) == 1.0).all()


def test_times_without_a_value_are_refused() -> None:
    with pytest.raises(ValueError, match="times must hold numbers in one dimension"):
        fitted().predict_survival_function(ROWS, [1.0, np.nan])


def test_risks_run_against_responses() -> None:
    forest = fitted()
    early, late = forest.predict_risk(ROWS)
    assert early > late
    assert forest.predict(ROWS)[0] < forest.predict(ROWS)[1]


def test_the_adapter_predicts_risks_and_curves() -> None:
    X = np.random.default_rng(0).uniform(size=(60, 1))
    y = np.array([(True, 1 + x) for x in X[:, 0]], dtype=[("event", bool), ("time", float)])
    model = RiskModel(CensoredForest(10, min_samples_leaf=3, random_state=0)).fit(X, y)
    np.testing.assert_array_equal(model.predict(X), -model.forest_.belief(X)[0])
    assert model.score(X, y) > 0.9
    curve = model.predict_survival_function(X[:1])[0]
    assert curve(1.5) == pytest.approx(model.forest_.predict_survival_function(X[:1], [1.5])[0, 0])
    assert curve(np.array([0.5, 2.5])).shape == (2,)


def test_the_adapter_leaves_the_given_forest_alone() -> None:
    forest = CensoredForest(3)
    RiskModel(forest).fit(np.zeros((4, 1)), np.arange(4.0))
    assert not hasattr(forest, "forest_")


def test_the_scorers_of_scikit_survival_take_the_adapter() -> None:
    metrics = pytest.importorskip(
        "sksurv.metrics", reason="needs scikit-survival: pip install --group survival"
    )
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(120, 2))
    time = np.exp(2 * X[:, 0] + 0.1 * rng.normal(size=120))
    y = np.array(list(zip(time < 4, np.minimum(time, 4), strict=True)), dtype=[("e", bool), ("t", float)])
    model = RiskModel(CensoredForest(20, log=True, min_samples_leaf=3, random_state=0))
    assert metrics.as_concordance_index_ipcw_scorer(model).fit(X, y).score(X, y) > 0.9
    brier = metrics.as_integrated_brier_score_scorer(model, times=np.array([1.5, 2.0, 3.0]))
    assert -0.1 < brier.fit(X, y).score(X, y) < 0.0
