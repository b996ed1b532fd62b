"""Predictions, beliefs and their scales."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import norm
from sklearn.base import clone
from sklearn.ensemble import RandomForestRegressor
from sklearn.exceptions import NotFittedError

from tightrope import CensoredForest
from tightrope.forest import ALGORITHM_1

Floats = NDArray[np.float64]


def costs(n: int = 80, *, seed: int = 0) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Positive costs that vary by orders of magnitude, capped at their median."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(n, 4))
    cost = np.exp(4 * X[:, 0] + 2 * X[:, 2] + rng.normal(scale=0.2, size=n))
    cap = np.median(cost)
    return X, np.minimum(cost, cap), cost > cap


def fitted(**parameters: Any) -> CensoredForest:
    return CensoredForest(**{**ALGORITHM_1, "n_estimators": 20, "random_state": 0, **parameters}).fit(
        *costs()
    )


def test_belief_is_the_mean_and_population_deviation_of_the_trees() -> None:
    X, _, _ = costs()
    forest = fitted(log=True)
    trees = forest.predict_trees(X)
    mean, std = forest.belief(X)
    assert trees.shape == (80, 20)
    np.testing.assert_allclose(mean, trees.mean(axis=1), rtol=1e-12)
    np.testing.assert_allclose(std, trees.std(axis=1), rtol=1e-9)


def test_predictions_are_the_mean_of_the_belief() -> None:
    X, _, _ = costs()
    forest = fitted()
    np.testing.assert_array_equal(forest.predict(X), forest.belief(X)[0])


def test_predictions_of_a_log_model_are_on_the_scale_of_y() -> None:
    X, _, _ = costs()
    forest = fitted(log=True)
    np.testing.assert_array_equal(forest.predict(X), np.exp(forest.belief(X)[0]))


def test_a_log_model_is_a_model_of_logarithms() -> None:
    X, y, censored = costs()
    log = CensoredForest(20, log=True, random_state=0).fit(X, y, censored)
    plain = CensoredForest(20, random_state=0).fit(X, np.log(y), censored)
    np.testing.assert_array_equal(log.predict_trees(X), plain.predict_trees(X))
    np.testing.assert_array_equal(log.imputed_, np.exp(plain.imputed_))
    np.testing.assert_array_equal(log.imputed_samples_, plain.imputed_samples_)


def test_the_standard_deviation_comes_along_on_request() -> None:
    X, _, _ = costs()
    forest = fitted()
    mean, std = forest.predict(X, return_std=True)
    np.testing.assert_array_equal(mean, forest.predict(X))
    np.testing.assert_array_equal(std, forest.belief(X)[1])


def test_a_log_model_points_to_belief_for_the_standard_deviation() -> None:
    with pytest.raises(ValueError, match=r"log=True.*belief"):
        fitted(log=True).predict(costs()[0], return_std=True)


def test_the_variance_floor_holds_for_beliefs() -> None:
    X, _, _ = costs()
    _, std = fitted(log=True, min_variance=0.04).belief(X)
    assert std.min() == 0.2
    assert std.max() > 0.2


def test_quantiles_are_those_of_a_normal_belief() -> None:
    X, _, _ = costs()
    forest = fitted()
    mean, std = forest.belief(X)
    np.testing.assert_allclose(forest.predict_quantile(X, 0.9), norm(mean, std).ppf(0.9))


def test_quantiles_of_a_log_model_are_those_of_a_lognormal_belief() -> None:
    X, _, _ = costs()
    forest = fitted(log=True)
    mean, std = forest.belief(X)
    np.testing.assert_allclose(forest.predict_quantile(X, 0.9), np.exp(norm(mean, std).ppf(0.9)))


def test_several_quantiles_make_several_columns() -> None:
    X, _, _ = costs()
    forest = fitted()
    both = forest.predict_quantile(X, [0.1, 0.5])
    assert both.shape == (80, 2)
    np.testing.assert_array_equal(both[:, 0], forest.predict_quantile(X, 0.1))
    np.testing.assert_allclose(both[:, 1], forest.predict(X))


def test_the_marginal_of_a_plain_model_is_the_mean_over_instances() -> None:
    X, _, _ = costs()
    forest = fitted()
    configs, instances = X[:5, :2], X[5:12, 2:]
    mean, std = forest.belief_marginal(configs, instances)
    pairs = np.array([[*c, *i] for c in configs for i in instances])
    trees = forest.predict_trees(pairs).reshape(5, 7, 20).mean(axis=1)
    np.testing.assert_allclose(mean, trees.mean(axis=1), rtol=1e-9)
    np.testing.assert_allclose(std, trees.std(axis=1), rtol=1e-9)


def test_the_marginal_of_a_log_model_averages_costs_and_not_logarithms() -> None:
    # One constant column and no bootstrap: every tree is one leaf, whose mean cost is the mean of y.
    y = np.array([1.0, 10.0, 1000.0])
    forest = CensoredForest(3, log=True, bootstrap=False).fit(np.zeros((3, 2)), y)
    mean, std = forest.belief_marginal([[0.0]], [[0.0], [0.0]])
    assert mean[0] == pytest.approx(np.log(y.mean()))
    assert std[0] == pytest.approx(0.0, abs=1e-12)
    assert forest.belief([[0.0, 0.0]])[0][0] == pytest.approx(np.log(y).mean())


def test_in_the_marginal_no_imputed_cost_counts_more_than_the_ceiling() -> None:
    X, y, censored = costs()
    ceiling = 2 * y.max()
    settings = {"log": True, "min_variance": 4.0, "random_state": 0}
    free = CensoredForest(20, **settings).fit(X, y, censored)
    capped = CensoredForest(20, ceiling=ceiling, **settings).fit(X, y, censored)
    configs, instances = X[:, :2], X[:, 2:]
    assert np.exp(free.belief_marginal(configs, instances)[0].max()) > ceiling
    assert np.exp(capped.belief_marginal(configs, instances)[0].max()) <= ceiling


def test_the_mean_cost_of_a_copy_is_that_of_its_own_sample() -> None:
    # One leaf a tree: its cost is the mean of exp(sample), over the uncensored point and the imputed one.
    y = np.array([1.0, 5.0])
    censored = np.array([False, True])
    forest = CensoredForest(4, log=True, bootstrap=False, min_variance=1.0, random_state=0)
    forest.fit(np.zeros((2, 2)), y, censored)
    costs_by_tree = (1.0 + np.exp(forest.imputed_samples_[:, 0])) / 2
    mean, std = forest.belief_marginal([[0.0]], [[0.0]])
    assert mean[0] == pytest.approx(np.log(costs_by_tree).mean())
    assert std[0] == pytest.approx(max(1.0, np.log(costs_by_tree).std()))


def test_importances_sum_to_one_and_find_the_column_that_matters() -> None:
    importances = fitted(log=True).feature_importances_
    assert importances.sum() == pytest.approx(1.0)
    assert importances.argmax() == 0


def test_importances_are_zero_when_nothing_was_split() -> None:
    forest = CensoredForest(5).fit([[1.0, 2.0], [1.0, 2.0]], [1.0, 3.0])
    np.testing.assert_array_equal(forest.feature_importances_, [0.0, 0.0])


def test_an_ordinary_forest_predicts_as_well_as_that_of_scikit_learn() -> None:
    X, y, _ = costs(600)
    same = {"min_samples_leaf": 1, "max_features": 5 / 6, "min_variance": 0.0, "noise": False}
    ours = CensoredForest(100, random_state=0, **same).fit(X[:300], y[:300])
    theirs = RandomForestRegressor(100, max_features=5 / 6, random_state=0).fit(X[:300], y[:300])
    assert ours.score(X[300:], y[300:]) > theirs.score(X[300:], y[300:]) - 0.02


def test_the_same_seed_gives_the_same_forest() -> None:
    X, _, _ = costs()
    np.testing.assert_array_equal(fitted().predict_trees(X), fitted().predict_trees(X))


def test_another_seed_gives_another_forest() -> None:
    X, _, _ = costs()
    assert not np.array_equal(fitted().predict_trees(X), fitted(random_state=1).predict_trees(X))


def test_the_forest_does_not_depend_on_the_number_of_threads() -> None:
    X, _, _ = costs()
    np.testing.assert_array_equal(fitted(n_jobs=1).predict_trees(X), fitted(n_jobs=3).predict_trees(X))


def test_a_random_state_object_moves_on_from_fit_to_fit() -> None:
    X, _, _ = costs()
    state = np.random.RandomState(0)
    assert not np.array_equal(
        fitted(random_state=state).predict_trees(X), fitted(random_state=state).predict_trees(X)
    )


def test_rows_of_weight_zero_are_left_out() -> None:
    X, y, censored = costs()
    weights = np.where(np.arange(80) < 50, 2.0, 0.0)
    weighted = CensoredForest(20, random_state=0).fit(X, y, censored, sample_weight=weights)
    without = CensoredForest(20, random_state=0).fit(
        X[:50], y[:50], censored[:50], sample_weight=weights[:50]
    )
    np.testing.assert_array_equal(weighted.predict_trees(X), without.predict_trees(X))
    np.testing.assert_array_equal(weighted.censored_, np.flatnonzero(censored[:50]))


def test_weights_pull_leaves_towards_heavy_rows() -> None:
    forest = CensoredForest(3, bootstrap=False).fit([[0.0], [0.0]], [1.0, 5.0], sample_weight=[3.0, 1.0])
    assert forest.predict([[0.0]])[0] == pytest.approx(2.0)


def test_what_was_imputed_is_kept_per_censored_row() -> None:
    _, y, censored = costs()
    forest = fitted()
    np.testing.assert_array_equal(forest.censored_, np.flatnonzero(censored))
    assert forest.imputed_.shape == (40,)
    assert forest.imputed_samples_.shape == (20, 40)
    assert (forest.imputed_ >= y[censored]).all()


def test_nothing_is_imputed_for_dropped_rows() -> None:
    forest = fitted(treatment="drop")
    assert np.isnan(forest.imputed_).all()
    assert forest.imputed_.shape == (40,)


def test_missing_values_are_a_value_of_their_own() -> None:
    X = np.array([[np.nan], [np.nan], [1.0], [2.0]])
    forest = CensoredForest(5, bootstrap=False).fit(X, [7.0, 7.0, 1.0, 2.0])
    np.testing.assert_array_equal(forest.predict(X), [7.0, 7.0, 1.0, 2.0])


def test_categorical_columns_are_split_by_subsets_of_levels() -> None:
    levels = np.arange(6.0)[:, None]
    y = np.array([0.0, 1.0, 0.0, 1.0, 0.0, 1.0])
    ordered = CensoredForest(1, bootstrap=False, random_state=0).fit(levels, y)
    subsets = CensoredForest(1, bootstrap=False, random_state=0).fit(levels, y, categorical=[0])
    assert len(ordered.forest_.nodes(0)["column"]) > 3
    assert len(subsets.forest_.nodes(0)["column"]) == 3


@pytest.mark.parametrize(
    ("share", "drawn"), [(5 / 6, 5), (0.5, 3), (2, 2), ("sqrt", 2), ("log2", 2), (None, 6)]
)
def test_max_features_says_how_many_columns_are_drawn(share: Any, drawn: int) -> None:
    X = np.random.default_rng(0).uniform(size=(40, 6))
    y = X[:, 0]
    forest = CensoredForest(5, max_features=share, random_state=0).fit(X, y)
    same = CensoredForest(5, max_features=drawn, random_state=0).fit(X, y)
    np.testing.assert_array_equal(forest.predict_trees(X), same.predict_trees(X))


def test_a_share_of_the_columns_is_not_rounded_up_by_a_rounding_error() -> None:
    X = np.random.default_rng(0).uniform(size=(40, 100))
    assert 0.07 * 100 > 7
    forest = CensoredForest(5, max_features=0.07, random_state=0).fit(X, X[:, 0])
    same = CensoredForest(5, max_features=7, random_state=0).fit(X, X[:, 0])
    np.testing.assert_array_equal(forest.predict_trees(X), same.predict_trees(X))


def test_nodes_with_too_few_rows_are_not_split() -> None:
    nodes = fitted(bootstrap=False, min_samples_split=10).forest_.nodes(0)
    assert nodes["points"][nodes["column"] >= 0].min() >= 10
    assert nodes["points"][nodes["column"] < 0].min() < 5


def test_no_leaf_has_too_few_rows() -> None:
    nodes = fitted(bootstrap=False, min_samples_leaf=5).forest_.nodes(0)
    assert nodes["points"].min() >= 5
    assert len(nodes["points"]) > 3


@pytest.mark.parametrize("name", ["min_samples_split", "min_samples_leaf"])
def test_a_share_of_the_rows_is_rounded_up(name: str) -> None:
    X, y, _ = costs()
    share = CensoredForest(5, random_state=0, **{name: 0.11}).fit(X, y)
    number = CensoredForest(5, random_state=0, **{name: 9}).fit(X, y)
    np.testing.assert_array_equal(share.predict_trees(X), number.predict_trees(X))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda forest: pickle.loads(pickle.dumps(forest))])
def test_a_copy_of_a_fitted_forest_predicts_the_same(copied: Any) -> None:
    X, _, _ = costs()
    forest = fitted(log=True)
    twin = copied(forest)
    np.testing.assert_array_equal(twin.predict(X), forest.predict(X))
    np.testing.assert_array_equal(
        twin.belief_marginal(X[:, :2], X[:3, 2:]), forest.belief_marginal(X[:, :2], X[:3, 2:])
    )


def test_a_clone_is_not_fitted() -> None:
    with pytest.raises(NotFittedError):
        clone(fitted()).predict(costs()[0])
