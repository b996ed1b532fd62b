"""Earlier runs are learnt from as long as they put configs into a better order."""

import numpy as np
from numpy.typing import NDArray

from tightrope.race.earlier import EarlierRuns, add_earlier
from tightrope.search.model import Observations
from tightrope.search.surrogate import ForestModel

Floats = NDArray[np.float64]
MODEL = ForestModel(options={"n_estimators": 10, "min_samples_split": 5})
RNG = np.random.default_rng


def costs(x: Floats, instance: Floats) -> Floats:
    return np.exp(3.0 * x + instance)


def own(n: int, *, with_baseline: bool = True) -> Observations:
    rng = RNG(1)
    x, instance = rng.random(n), rng.integers(3, size=n).astype(float)
    baseline = np.exp(instance) if with_baseline else None
    X = np.column_stack([x, instance])
    return Observations(X, costs(x, instance), np.zeros(n, bool), np.array([False, False]), baseline)


def earlier(n: int, *, shuffled: bool = False, factor: float = 1.0) -> EarlierRuns:
    rng = RNG(2)
    x, instance = rng.random(n), rng.integers(3, 6, size=n).astype(float)
    x[:5] = own(5).X[:, 0]  # configs of both
    cost = factor * costs(rng.permutation(x) if shuffled else x, instance)
    X = np.column_stack([x, instance])
    return EarlierRuns(X, cost, np.zeros(n, bool), factor * np.exp(instance), np.zeros(n, np.int64))


def test_a_history_that_predicts_better_is_used() -> None:
    joined = add_earlier(own(20), earlier(200), MODEL, n_columns=1, seed=0)
    assert len(joined.y) == 220
    assert joined.y[-20:].tolist() == own(20).y.tolist()


def test_a_misleading_history_is_not_used() -> None:
    joined = add_earlier(own(60), earlier(200, shuffled=True), MODEL, n_columns=1, seed=0)
    assert len(joined.y) == 60


def test_it_is_used_while_there_is_nothing_to_judge_it_by() -> None:
    joined = add_earlier(own(3), earlier(200, shuffled=True), MODEL, n_columns=1, seed=0)
    assert len(joined.y) == 203


def test_without_instances_all_runs_are_compared() -> None:
    few, many = own(30, with_baseline=False), earlier(200)
    one = Observations(few.X[:, :1], np.exp(few.X[:, 0]), few.censored, few.categorical[:1])
    history = EarlierRuns(many.X[:, :1], np.exp(many.X[:, 0]), many.censored, many.baseline, many.tuning)
    assert len(add_earlier(one, history, MODEL, n_columns=1, seed=0).y) == 230


def test_costs_of_a_slower_machine_are_aligned_by_common_configs() -> None:
    """Its best config cost 0.1 of others, and the machine is 7 times slower: relative costs still agree."""
    slow = earlier(200, factor=7.0)
    slow = EarlierRuns(slow.X, slow.cost, slow.censored, 0.1 * slow.baseline, slow.tuning)
    joined = add_earlier(own(20), slow, MODEL, n_columns=1, seed=0)
    assert joined.baseline is not None
    relative = joined.y / joined.baseline
    np.testing.assert_allclose(relative, np.exp(3.0 * joined.X[:, 0]), rtol=1e-9)
