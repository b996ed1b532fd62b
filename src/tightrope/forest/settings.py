"""Settings of the algorithm, read from the estimator's parameters."""

from collections.abc import Mapping
from math import ceil, log2, sqrt
from types import MappingProxyType
from typing import Any

import numpy as np
from joblib import effective_n_jobs  # type: ignore[import-untyped]
from sklearn.utils import check_random_state

from tightrope.forest.choice import SHARES, Open
from tightrope.forest.growth import Growth
from tightrope.forest.imputation import Rules

ALGORITHM_1: Mapping[str, Any] = MappingProxyType(
    {
        "noise": False,
        "start": "uncensored",
        "max_iter": 10,
        "oob": False,
        "max_features": 5 / 6,
        "min_samples_leaf": 1,
        "min_variance": 0.0,
    }
)
"""Parameters of `CensoredForest` that make it the paper's Algorithm 1 to the letter."""

_MOST_THREADS = 4096  # fits the kernel's integers; the kernel starts no more threads than it has work for
_ROUNDING = 1e-9  # 5/6 of a number of columns may come out slightly above a whole number


def read_rules(parameters: Mapping[str, Any], *, unit: float = 1.0) -> Rules:
    """Read how to treat censored responses, which were divided by `unit`."""
    return Rules(
        treatment=parameters["treatment"],
        positions=parameters["positions"],
        joint=bool(parameters["joint"]),
        ceiling_rule=parameters["ceiling_rule"],
        max_iter=int(parameters["max_iter"]),
        tol=float(parameters["tol"]),
        oob=bool(parameters["bootstrap"] if _is_auto(parameters["oob"]) else parameters["oob"]),
        min_variance=0.0
        if _is_auto(parameters["min_variance"])
        else parameters["min_variance"] / unit / unit,
        noise=bool(parameters["noise"]),
        start=parameters["start"],
    )


def read_open(parameters: Mapping[str, Any]) -> Open:
    """Read which settings are to be chosen."""
    return Open(
        leaf=_is_auto(parameters["min_samples_leaf"]),
        columns=_is_auto(parameters["max_features"]),
        floor=_is_auto(parameters["min_variance"]),
    )


def _is_auto(value: Any) -> bool:
    return isinstance(value, str) and value == "auto"


def read_growth(parameters: Mapping[str, Any], *, shape: tuple[int, ...]) -> Growth:
    """Read how to grow trees; `shape`, that of X, turns shares of its rows or columns into numbers."""
    n_rows, n_columns = shape
    leaf, depth = parameters["min_samples_leaf"], parameters["max_depth"]
    never = n_rows + 1  # more rows than any node has
    return Growth(
        n_trees=int(parameters["n_estimators"]),
        drawn_columns=_count_columns(parameters["max_features"], n_columns),
        min_samples_split=min(max(2, _count(parameters["min_samples_split"], n_rows)), never),
        min_samples_leaf=1 if _is_auto(leaf) else min(_count(leaf, n_rows), never),
        bootstrap=bool(parameters["bootstrap"]),
        threads=count_threads(parameters["n_jobs"]),
        max_depth=None if depth is None else min(int(depth), never),
        n_draws=None if parameters["max_samples"] is None else _count(parameters["max_samples"], n_rows),
        noise=bool(parameters["noise"]),
    )


def make_generator(random_state: int | np.random.RandomState | None) -> np.random.Generator:
    """Make a generator from any value that scikit-learn accepts as `random_state`."""
    return np.random.default_rng(check_random_state(random_state).randint(2**31, size=4, dtype=np.int64))


def count_threads(n_jobs: int | None) -> int:
    """Count threads as joblib does, up to a limit."""
    return min(int(effective_n_jobs(n_jobs)), _MOST_THREADS)


def _count_columns(max_features: Any, n_columns: int) -> int:
    if max_features is None:
        return n_columns
    if _is_auto(max_features):
        return _count(SHARES[0], n_columns)
    if max_features == "sqrt":
        return max(1, int(sqrt(n_columns)))
    if max_features == "log2":
        return max(1, int(log2(n_columns)))
    return min(n_columns, _count(max_features, n_columns))


def _count(number_or_share: Any, whole: int) -> int:
    """Return a number as it is and a share of the whole rounded up, at least 1."""
    if isinstance(number_or_share, float | np.floating):
        return max(1, ceil(number_or_share * whole - _ROUNDING))
    return int(number_or_share)
