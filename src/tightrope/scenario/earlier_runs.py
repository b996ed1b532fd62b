"""Earlier runs as training data: the model's columns for their configs and instances, and their baselines."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tightrope.race.earlier import EarlierRuns
from tightrope.race.training import InstanceColumns
from tightrope.scenario.earlier import Earlier, EarlierTuning, Known
from tightrope.scenario.scenario import Scenario
from tightrope.space import Space

Floats = NDArray[np.float64]


def model_columns(
    scenario: Scenario, earlier: Earlier, *, components: int
) -> tuple[InstanceColumns, EarlierRuns | None]:
    """Return the columns of the scenario's instances, and the earlier runs in the same columns.

    Instances of earlier tunings that the scenario does not have follow its own, by their features.
    """
    n, table = len(scenario.instances), scenario.feature_table
    others = _other_instances(scenario, earlier)
    if table is not None and others:
        table = np.vstack([table, np.array(list(others.values()), dtype=np.float64)])
    view = InstanceColumns.of(n + len(others), table, components=components)
    own = InstanceColumns(view.columns[:n], view.categorical)
    if not earlier.n_runs:
        return own, None
    place = {name: i for i, name in enumerate([*scenario.instances, *others])}
    return own, _runs(earlier, scenario, view.columns, place)


def _other_instances(scenario: Scenario, earlier: Earlier) -> dict[str, Sequence[float]]:
    """Return the features of instances that only earlier tunings have."""
    others: dict[str, Sequence[float]] = {}
    own = scenario.features or {}
    for tuning in earlier.tunings:
        for name in dict.fromkeys(each.instance for each in tuning.runs):
            if name not in scenario.instances:
                others[name] = own[name] if name in own else tuning.features[name]
    return others


def _runs(earlier: Earlier, scenario: Scenario, columns: Floats, place: dict[str, int]) -> EarlierRuns:
    space = Space.of(scenario.space)
    runs = [each for tuning in earlier.tunings for each in tuning.runs]
    instance = np.array([place[each.instance] for each in runs], dtype=np.int64)
    cost = np.array([_measurable(each, scenario) for each in runs])
    is_bound = np.array([not each.score.exact for each in runs], dtype=bool)
    return EarlierRuns(
        np.hstack([space.for_model(space.encode([each.config for each in runs])), columns[instance]]),
        cost,
        is_bound | (cost >= scenario.ceiling),
        np.concatenate([_baselines(tuning, scenario) for tuning in earlier.tunings]),
        np.repeat(np.arange(len(earlier.tunings)), [len(tuning.runs) for tuning in earlier.tunings]),
    )


def _measurable(known: Known, scenario: Scenario) -> float:
    return float(np.clip(known.score.cost, scenario.resolution / 2.0, scenario.ceiling))


def _baselines(tuning: EarlierTuning, scenario: Scenario) -> Floats:
    """Return, for each run, what the tuning's best config cost on its instance; its mean where unknown."""
    logs: dict[str, list[float]] = {}
    for each in tuning.runs:
        if each.config == tuning.best:
            logs.setdefault(each.instance, []).append(np.log(_measurable(each, scenario)))
    means = {name: float(np.mean(values)) for name, values in logs.items()}
    typical = float(np.mean(list(means.values()))) if means else 0.0
    return np.exp([means.get(each.instance, typical) for each in tuning.runs])
