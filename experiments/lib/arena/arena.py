"""Scenarios whose true costs are known: training instances to tune on, test instances to judge by."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.cost_table import CostTable, Floats
from lib.surrogate.surrogate import Surrogate
from tightrope.records import Config
from tightrope.space import Space

Costs = Callable[[Mapping[str, Any]], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Arena:
    """A scenario whose true costs are known.

    Attributes
    ----------
    space : Space
        The solver's parameters.
    instances_train : tuple of str
        The instances to tune on.
    features : dict from str
        Features of each training instance; empty if there are none.
    ceiling : float
        The largest cap of a run.
    resolution : float
        The smallest cost that can be measured.
    candidates : tuple of Config or None
        The configs with known costs; None if all costs are known.
    default : Config
        The config that tunings start from.
    """

    space: Space
    instances_train: tuple[str, ...]
    features: dict[str, list[float]]
    ceiling: float
    resolution: float
    candidates: tuple[Config, ...] | None
    default: Config
    _costs: Costs  # costs of a config on all instances
    _position: dict[str, int]
    _is_test: NDArray[np.bool_]

    def cost(self, config: Mapping[str, Any], instance: str, seed: int = 0) -> float:
        """Return the cost of a run; inf if it never ends. The solver is deterministic."""
        return float(self._costs(config)[self._position[instance]])

    def train_cost(self, config: Mapping[str, Any]) -> float:
        """Return the mean cost on the training instances; timeouts count as the ceiling."""
        return float(np.minimum(self._costs(config)[~self._is_test], self.ceiling).mean())

    def test_cost(self, config: Mapping[str, Any]) -> float:
        """Return the mean cost on the test instances; timeouts count as the ceiling."""
        return float(np.minimum(self._costs(config)[self._is_test], self.ceiling).mean())

    @property
    def default_cost_test(self) -> float:
        """The mean cost of the default config on the test instances."""
        return self.test_cost(self.default)


def recorded_arena(recorded: CostTable) -> Arena:
    """Return the arena of the recorded configs only, where costs are exact."""
    known = recorded.known()
    return _arena(recorded, lambda config: known[Config(config)], candidates=recorded.configs)


def surrogate_arena(recorded: CostTable, surrogate: Surrogate) -> Arena:
    """Return the arena of the whole space, with a model of the recorded costs."""
    return _arena(recorded, surrogate.costs, candidates=None)


def _arena(recorded: CostTable, costs: Costs, *, candidates: tuple[Config, ...] | None) -> Arena:
    position = {name: i for i, name in enumerate(recorded.instances)}
    train = tuple(
        name for name, is_test in zip(recorded.instances, recorded.is_test, strict=True) if not is_test
    )
    n_features = recorded.features.shape[1]
    return Arena(
        space=recorded.space,
        instances_train=train,
        features={name: recorded.features[position[name]].tolist() for name in train if n_features},
        ceiling=recorded.ceiling,
        resolution=2.0 * recorded.smallest_cost,
        candidates=candidates,
        default=recorded.default,
        _costs=costs,
        _position=position,
        _is_test=recorded.is_test,
    )
