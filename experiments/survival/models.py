"""The models: each is fitted to rows and returns risks, curves and, if it has one, a lognormal belief."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import norm

from survival.sets import Floats, SurvivalSet
from tightrope import CensoredForest
from tightrope.forest import ALGORITHM_1

Curves = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Predicted:
    """Of some rows: risks, survival at given times, and mean and deviation of the logarithm of time."""

    risk: Floats
    survival: Curves
    mean: Floats | None = None
    std: Floats | None = None


def _lognormal(mean: Floats, std: Floats) -> Predicted:
    def survival(times: Floats) -> Floats:
        return np.asarray(norm.sf((np.log(times) - mean[:, np.newaxis]) / std[:, np.newaxis]))

    return Predicted(-mean, survival, mean, std)


def forest(train: SurvivalSet, X: Floats, **settings: Any) -> Predicted:
    """Fit a CensoredForest; nothing is set but `log`."""
    model = CensoredForest(log=True, random_state=0, **settings)
    model.fit(train.X, train.time, ~train.event, categorical=np.flatnonzero(train.categorical))
    mean, std = model.belief(X, of="response")
    return _lognormal(mean, np.maximum(std, 0.01))


def algorithm_1(train: SurvivalSet, X: Floats) -> Predicted:
    """Fit the forest of the paper's algorithm."""
    return forest(train, X, **ALGORITHM_1)


def survival_forest(train: SurvivalSet, X: Floats) -> Predicted:
    """Fit a random survival forest with leaves of 15 rows."""
    from sksurv.ensemble import RandomSurvivalForest

    y = np.array(list(zip(train.event, train.time, strict=True)), dtype=[("event", bool), ("time", float)])
    medians = np.nanmedian(train.X, axis=0)
    model = RandomSurvivalForest(100, min_samples_leaf=15, random_state=0)
    model.fit(np.where(np.isnan(train.X), medians, train.X), y)
    filled = np.where(np.isnan(X), medians, X)
    curves, grid = model.predict_survival_function(filled, return_array=True), model.unique_times_

    def survival(times: Floats) -> Floats:
        at = np.searchsorted(grid, times, side="right") - 1
        return np.where(at < 0, 1.0, curves[:, np.maximum(at, 0)])

    return Predicted(model.predict(filled), survival)


def xgboost_aft(train: SurvivalSet, X: Floats) -> Predicted:
    """Fit XGBoost with the normal AFT loss of scale 1."""
    import xgboost

    data = xgboost.DMatrix(train.X)
    data.set_float_info("label_lower_bound", train.time)
    data.set_float_info("label_upper_bound", np.where(train.event, train.time, np.inf))
    settings = {
        "objective": "survival:aft",
        "aft_loss_distribution": "normal",
        "aft_loss_distribution_scale": 1.0,
        "learning_rate": 0.05,
        "max_depth": 3,
        "nthread": 1,
    }
    mean = np.log(xgboost.train(settings, data, 100).predict(xgboost.DMatrix(X)))
    return _lognormal(mean, np.ones(len(X)))


def lognormal_aft(train: SurvivalSet, X: Floats) -> Predicted:
    """Fit a linear model of the logarithm of time, with dummies for categories."""
    import pandas as pd
    from lifelines import LogNormalAFTFitter

    rows = _dummies(np.vstack([train.X, X]), train.categorical)
    rows = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    frame = pd.DataFrame(rows[:, rows[: len(train.X)].std(axis=0) > 0]).add_prefix("x")
    known = frame.iloc[: len(train.X)].assign(time=train.time, event=train.event.astype(int))
    penalty = 0.1 if known.shape[1] > len(known) / 4 else 0.01
    model = LogNormalAFTFitter(penalizer=penalty).fit(known, "time", "event")
    mean = np.log(model.predict_median(frame.iloc[len(train.X) :]).to_numpy().ravel())
    return _lognormal(mean, np.full(len(X), np.exp(model.params_["sigma_"]["Intercept"])))


def _dummies(X: Floats, categorical: Any) -> Floats:
    columns = []
    for column, is_categorical in zip(X.T, categorical, strict=True):
        filled = np.where(np.isnan(column), np.nanmedian(column), column)
        levels = np.unique(filled)[1:] if is_categorical else []
        columns += [(filled == level).astype(float) for level in levels] if is_categorical else [filled]
    kept = [column for column in columns if column.std() > 0]
    return np.column_stack(kept)


MODELS: dict[str, Callable[[SurvivalSet, Floats], Predicted]] = {
    "forest": forest,
    "algorithm 1": algorithm_1,
    "survival forest": survival_forest,
    "XGBoost-AFT": xgboost_aft,
    "lognormal AFT": lognormal_aft,
}
