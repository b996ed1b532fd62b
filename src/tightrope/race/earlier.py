"""Runs of earlier tunings in the model's training data, as long as they improve its predictions.

Costs of an earlier tuning may be from other instances or another machine. With baseline costs they are
multiples of what its best config cost on the same instance, scaled such that configs of both tunings agree.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tightrope.search.model import MarginalModel, Observations

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_FEWEST_CONFIGS = 4  # of this tuning, to judge predictions by
_INACTIVE = -1.0  # stands for NaN, which does not equal itself


@dataclass(frozen=True, slots=True, eq=False)
class EarlierRuns:
    """Runs of earlier tunings; a cost is a lower bound where `censored`."""

    X: Floats  # (n, d + m), the model's columns for configs and instances
    cost: Floats  # (n,)
    censored: Bools  # (n,)
    baseline: Floats  # (n,), cost of the tuning's best config on the same instance
    tuning: Ints  # (n,), number of the tuning


def add_earlier(
    own: Observations, earlier: EarlierRuns, model: MarginalModel, *, n_columns: int, seed: int
) -> Observations:
    """Return the earlier runs followed by the own ones, or the own ones alone if they predict better.

    The first `n_columns` columns are those of configs.
    """
    config = _numbers(np.vstack([own.X, earlier.X])[:, :n_columns])
    own_config, earlier_config = config[: len(own.y)], config[len(own.y) :]
    baseline = None if own.baseline is None else _aligned(own, earlier, own_config, earlier_config)
    history = Observations(earlier.X, earlier.cost, earlier.censored, own.categorical, baseline)
    is_useful = _is_useful(own, history, model, config=own_config, n_columns=n_columns, seed=seed)
    return _joined(history, own) if is_useful else own


def _is_useful(
    own: Observations,
    history: Observations,
    model: MarginalModel,
    *,
    config: Ints,
    n_columns: int,
    seed: int,
) -> bool:
    """Whether models with the history put unseen configs into a better order, or as good a one.

    Configs are in two folds; each fold is predicted by models of the other one. Only runs on the same
    instance are compared: a history may know instances well and configs badly.
    """
    known = np.unique(config)
    if len(known) < _FEWEST_CONFIGS:
        return True
    fold = np.searchsorted(known, config) % 2
    alone, helped = np.empty(len(own.y)), np.empty(len(own.y))
    for part in (0, 1):
        held_out, rest = fold == part, _part(own, fold != part)
        alone[held_out] = model.fit(rest, seed=seed)(own.X[held_out])[0]
        helped[held_out] = model.fit(_joined(history, rest), seed=seed)(own.X[held_out])[0]
    # Every challenger meets the incumbent: such pairs tell about a single config, over and over.
    challengers = np.flatnonzero(config != np.bincount(config).argmax())
    instance = _numbers(own.X[challengers, n_columns:])
    rest = _part(own, challengers)
    with_history = _n_ordered(rest, helped[challengers], instance)
    return with_history >= _n_ordered(rest, alone[challengers], instance)


def _n_ordered(own: Observations, predicted: Floats, instance: Ints) -> float:
    """Count the pairs of runs on the same instance that are predicted in the right order; ties count half.

    The order of a pair is known if the smaller cost is exact.
    """
    total = 0.0
    for each in np.unique(instance):
        here = instance == each
        cost, exact, mean = own.y[here], ~own.censored[here], predicted[here]
        known = exact[:, None] & (cost[:, None] < cost)
        total += float(np.count_nonzero(known & (mean[:, None] < mean)))
        total += 0.5 * float(np.count_nonzero(known & (mean[:, None] == mean)))
    return total


def _aligned(own: Observations, earlier: EarlierRuns, own_config: Ints, earlier_config: Ints) -> Floats:
    """Return baselines such that configs of both tunings have the same relative cost on average."""
    assert own.baseline is not None
    baseline = earlier.baseline.copy()
    ours = _mean_logs(own.y / own.baseline, own_config, ~own.censored)
    for tuning in np.unique(earlier.tuning):
        here = earlier.tuning == tuning
        theirs = _mean_logs(earlier.cost / earlier.baseline, earlier_config, here & ~earlier.censored)
        shifts = [theirs[config] - ours[config] for config in sorted(theirs.keys() & ours.keys())]
        if shifts:
            baseline[here] *= np.exp(np.mean(shifts))
    return baseline


def _mean_logs(relative: Floats, config: Ints, where: Bools) -> dict[int, float]:
    """Return the mean logarithm for each config."""
    logs = np.log(relative)
    return {int(each): float(logs[where & (config == each)].mean()) for each in np.unique(config[where])}


def _numbers(rows: Floats) -> Ints:
    """Return a number for each row; equal rows have equal numbers."""
    if rows.shape[1] == 0:
        return np.zeros(len(rows), dtype=np.int64)
    filled = np.where(np.isnan(rows), _INACTIVE, rows)
    numbers: Ints = np.unique(filled, axis=0, return_inverse=True)[1].reshape(-1)
    return numbers


def _joined(first: Observations, second: Observations) -> Observations:
    baseline = None
    if first.baseline is not None and second.baseline is not None:
        baseline = np.concatenate([first.baseline, second.baseline])
    return Observations(
        np.concatenate([first.X, second.X]),
        np.concatenate([first.y, second.y]),
        np.concatenate([first.censored, second.censored]),
        second.categorical,
        baseline,
    )


def _part(observations: Observations, keep: Bools | Ints) -> Observations:
    baseline = None if observations.baseline is None else observations.baseline[keep]
    kept = (observations.X[keep], observations.y[keep], observations.censored[keep])
    return Observations(*kept, observations.categorical, baseline)
