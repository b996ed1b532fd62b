"""Where tunings compete: training instances in simulated time, and the truth about what they return."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from spear.recorded import CEILING_S, Floats, Recorded, find_folder, read_recorded
from spear.surrogate import CACHE, make_surrogate
from tightrope.records import Config
from tightrope.space import Space

Kind = Literal["recorded", "surrogate"]
Costs = Callable[[Mapping[str, Any]], Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Arena:
    """A scenario whose truth is known.

    Attributes
    ----------
    space : Space
        SPEAR's 26 parameters.
    instances_train : tuple of str
        The 302 instances to tune on.
    features : dict from str
        138 numbers for each of them.
    candidates : tuple of Config or None
        The only configs whose costs are known, if not all are.
    default : Config
        Where tunings start from.
    """

    space: Space
    instances_train: tuple[str, ...]
    features: dict[str, list[float]]
    candidates: tuple[Config, ...] | None
    default: Config
    _costs: Costs  # of a config on all instances
    _position: dict[str, int]
    _is_test: NDArray[np.bool_]

    def cost(self, config: Mapping[str, Any], instance: str, seed: int = 0) -> float:
        """Return the seconds that a run needs; inf if it never ends. The solver is deterministic."""
        return float(self._costs(config)[self._position[instance]])

    def train_cost(self, config: Mapping[str, Any]) -> float:
        """Return the mean cost on the training instances; timeouts count as the ceiling."""
        return float(np.minimum(self._costs(config)[~self._is_test], CEILING_S).mean())

    def test_cost(self, config: Mapping[str, Any]) -> float:
        """Return the mean cost on the test instances; timeouts count as the ceiling."""
        return float(np.minimum(self._costs(config)[self._is_test], CEILING_S).mean())

    @property
    def default_cost_test(self) -> float:
        """The mean cost of the default config on the test instances."""
        return self.test_cost(self.default)


def arena(kind: Kind, *, folder: Path = CACHE) -> Arena:
    """Make the arena of the recorded configs, or of the whole space (its model is kept in the folder)."""
    recorded = read_recorded(find_folder())
    if kind == "recorded":
        known = recorded.costs()
        return _arena(recorded, lambda config: known[Config(config)], candidates=recorded.configs)
    return _arena(recorded, make_surrogate(recorded, folder=folder).costs, candidates=None)


def _arena(recorded: Recorded, costs: Costs, *, candidates: tuple[Config, ...] | None) -> Arena:
    position = {name: i for i, name in enumerate(recorded.instances)}
    train = tuple(
        name for name, is_test in zip(recorded.instances, recorded.is_test, strict=True) if not is_test
    )
    return Arena(
        space=recorded.space,
        instances_train=train,
        features={name: recorded.features[position[name]].tolist() for name in train},
        candidates=candidates,
        default=recorded.default,
        _costs=costs,
        _position=position,
        _is_test=recorded.is_test,
    )
