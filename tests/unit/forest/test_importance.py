"""Effects of parameters on a forest's predictions; the variances are checked in tests/reference."""

from typing import Any

import numpy as np
import pytest

from tightrope import CensoredForest
from tightrope.forest import ALGORITHM_1
from tightrope.forest.importance import Analysis, Effect, effects, thresholds
from tightrope.space import Space

SPACE = Space.of({f"p{i}": (0.0, 1.0) for i in range(8)})
FIRST, SECOND = 0.67, 0.17  # shares of p0 and p1 in the variance of `log_cost`


def log_cost(X: Any) -> Any:
    """Depend on p0 linearly, on p1 by a V, and on no other parameter alone."""
    return 3.0 * X[:, 0] + 1.5 * np.abs(2.0 * X[:, 1] - 1.0) + (X[:, 2] > 0.5) * (X[:, 3] > 0.5)


def shares(X: Any, cost: Any, censored: Any = None, *, treatment: str = "sample", n_in_pairs: int = 0) -> Any:
    settings = {**ALGORITHM_1, "treatment": treatment, "min_variance": 1e-4, "max_iter": 5}
    forest = CensoredForest(30, log=True, min_samples_split=5, random_state=0, **settings)
    forest.fit(X, cost, censored)
    cells = SPACE.partition(thresholds(forest, 8), SPACE.default())
    found = effects(Analysis(forest, cells, np.empty((1, 0))), SPACE.names, n_in_pairs=n_in_pairs)
    return {each.names: each.share for each in found}


@pytest.mark.parametrize("seed", range(2))
def test_planted_importances_are_recovered_at_80_percent_censored(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.random((2000, 8))
    log = log_cost(X) + 0.2 * rng.normal(size=len(X))
    # Caps vary more than the costs, and do not depend on the config.
    cap = rng.uniform(log.min() - 1.2, np.quantile(log, 0.75), len(X))
    censored = log > cap
    assert 0.77 < censored.mean() < 0.83
    cost = np.exp(np.minimum(log, cap))
    found = shares(X, cost, censored)
    assert list(found)[:2] == [("p0",), ("p1",)]
    assert found["p0",] == pytest.approx(FIRST, abs=0.12)
    assert found["p1",] == pytest.approx(SECOND, abs=0.09)
    assert max(found[f"p{i}",] for i in range(4, 8)) < 0.01
    as_values = shares(X, cost, censored, treatment="ignore")
    assert as_values["p0",] < 0.1, "bounds taken as values are mostly the caps' variation"


def test_an_interaction_is_found_between_the_right_parameters() -> None:
    X = np.random.default_rng(0).random((1500, 8))
    found = shares(X, np.exp(log_cost(X)), n_in_pairs=8)
    pairs = {names: share for names, share in found.items() if len(names) == 2}
    assert len(pairs) == 28
    assert max(pairs, key=lambda names: pairs[names]) == ("p2", "p3")


def test_effects_are_in_descending_order() -> None:
    X = np.random.default_rng(1).random((300, 8))
    found = list(shares(X, np.exp(log_cost(X)), n_in_pairs=3).values())
    assert found[:8] == sorted(found[:8], reverse=True)
    assert found[8:] == sorted(found[8:], reverse=True)
    assert len(found) == 8 + 3


def test_a_forest_without_splits_has_no_effects() -> None:
    forest = CensoredForest(3, log=True, **ALGORITHM_1).fit(
        np.random.default_rng(0).random((20, 8)), np.full(20, 2.0)
    )
    cells = SPACE.partition(thresholds(forest, 8), SPACE.default())
    found = effects(Analysis(forest, cells, np.empty((1, 0))), SPACE.names, n_in_pairs=2)
    assert {(each.share, each.spread) for each in found} == {(0.0, 0.0)}
    assert isinstance(found[0], Effect)


def test_cells_that_lack_a_threshold_are_refused() -> None:
    X = np.random.default_rng(0).random((50, 8))
    forest = CensoredForest(3, log=True, random_state=0, **ALGORITHM_1).fit(X, np.exp(X[:, 0]))
    cells = SPACE.partition([np.empty(0)] * 8, SPACE.default())
    with pytest.raises(ValueError, match="not among the edges"):
        Analysis(forest, cells, np.empty((1, 0))).variances()
