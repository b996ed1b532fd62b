"""scikit-learn's own checks, and its tools that take estimators."""

import pickle
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from tightrope import CensoredForest

Arrays = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]


def expected_failures(estimator: CensoredForest) -> dict[str, str]:
    """With a bootstrap a row of weight 2 is not two rows; scikit-learn exempts its own forests too."""
    if not estimator.bootstrap:
        return {}
    reason = "sample_weight is not equivalent to repeating or removing samples when bootstrapping"
    return {
        "check_sample_weight_equivalence_on_dense_data": reason,
        "check_sample_weight_equivalence_on_sparse_data": reason,
    }


@parametrize_with_checks(
    [
        CensoredForest(n_estimators=5),
        CensoredForest(n_estimators=5, bootstrap=False, max_features=None),
        CensoredForest(n_estimators=5, treatment="mean", oob=True, max_features="sqrt", n_jobs=2),
    ],
    expected_failed_checks=expected_failures,
)
def test_it_passes_the_checks_of_scikit_learn(estimator: CensoredForest, check: Any) -> None:
    check(estimator)


def capped(n: int = 60) -> Arrays:
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(n, 3))
    truth = X[:, 0] + rng.normal(scale=0.1, size=n)
    return X, np.minimum(truth, 0.6), truth > 0.6


def test_a_clone_has_the_same_parameters() -> None:
    forest = CensoredForest(7, treatment="mean", log=True, ceiling=3.0, joint=False)
    assert clone(forest).get_params() == forest.get_params()


def test_a_pipeline_passes_the_mask_on() -> None:
    X, y, censored = capped()
    pipeline = Pipeline([("scale", StandardScaler()), ("forest", CensoredForest(5, random_state=0))])
    pipeline.fit(X, y, forest__censored=censored)
    np.testing.assert_array_equal(pipeline["forest"].censored_, np.flatnonzero(censored))


def test_a_pickled_pipeline_predicts_the_same() -> None:
    X, y, _ = capped()
    pipeline = make_pipeline(StandardScaler(), CensoredForest(5, random_state=0)).fit(X, y)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(pipeline)).predict(X), pipeline.predict(X))


def test_cross_validation_works_on_arrays() -> None:
    X, y, _ = capped()
    assert cross_val_score(CensoredForest(20, random_state=0), X, y, cv=3).min() > 0.5


def test_cross_validation_splits_the_mask_for_fitting() -> None:
    X, y, censored = capped()
    forest = CensoredForest(20, random_state=0)
    scores = cross_val_score(forest, X, y, cv=3, params={"censored": censored})
    assert len(scores) == 3
    assert not np.array_equal(scores, cross_val_score(forest, X, y, cv=3))


def test_cross_validation_understands_structured_responses() -> None:
    X, y, censored = capped()
    pairs = np.array(list(zip(~censored, y, strict=True)), dtype=[("event", bool), ("time", float)])
    assert cross_val_score(CensoredForest(20, random_state=0), X, pairs, cv=3).min() > 0.7


def test_metadata_routing_carries_the_mask_to_fit_and_score() -> None:
    X, y, censored = capped()
    with config_context(enable_metadata_routing=True):
        forest = CensoredForest(20, random_state=0)
        forest.set_fit_request(censored=True).set_score_request(censored=True)
        pipeline = make_pipeline(StandardScaler(), forest)
        scores = cross_val_score(pipeline, X, y, cv=3, params={"censored": censored})
    assert scores.min() > 0.7


def test_a_grid_search_finds_parameters() -> None:
    X, y, censored = capped()
    grid = GridSearchCV(CensoredForest(10, random_state=0), {"treatment": ["sample", "drop"]}, cv=2)
    grid.fit(X, y, censored=censored)
    assert grid.best_params_["treatment"] in ("sample", "drop")
    assert grid.best_estimator_.censored_.size == censored.sum()
