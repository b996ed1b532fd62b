"""A generated scenario: three of forty parameters matter, and chance adds to every run."""

import zlib
from typing import Any

import numpy as np

from tightrope import Scenario

MATTER = ("p07", "p21", "p33")
BUDGET = 700.0
_NAMES = tuple(f"p{number:02d}" for number in range(40))
_N_INSTANCES = 20


def planted_scenario() -> Scenario:
    """Return the scenario; costs are from `Planted`."""
    return Scenario(
        space=dict.fromkeys(_NAMES, (0.0, 1.0)),
        default=dict.fromkeys(_NAMES, 0.3),
        instances=[f"i{number:02d}" for number in range(_N_INSTANCES)],
        ceiling=100.0,
        budget=BUDGET,
    )


class Planted:
    """The costs; `noise` is the standard deviation of log cost, drawn for each config and instance."""

    def __init__(self, noise: float) -> None:
        self._noise = noise

    def __call__(self, config: Any, instance: str, seed: int = 0) -> float:
        """Return the cost of a run."""
        slow = 4.0 if config["p07"] < 0.5 else 1.0
        slow *= 1.0 + 2.0 * abs(config["p21"] - 0.8)
        slow *= 1.0 + 1.5 * abs(config["p33"] - 0.1)
        drawn = np.random.default_rng(zlib.crc32(repr((instance, sorted(config.items()))).encode()))
        hardness = 1.0 + int(instance[1:]) % 4
        return float(0.5 * hardness * slow * np.exp(self._noise * drawn.standard_normal()))
