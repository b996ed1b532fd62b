"""The costs of a solver's configs, one of them the default, on instances."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tightrope.records import Config
from tightrope.space import Space

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class CostTable:
    """A table of recorded costs, with its configs and instances.

    Attributes
    ----------
    name : str
        The recording's name.
    unit : str
        The unit of the costs.
    ceiling : float
        The cost at which runs were stopped.
    smallest_cost : float
        The lower limit of the costs: half the smallest cost that can be measured.
    space : Space
        The solver's parameters.
    offsets : mapping
        Parameters with a log scale; each value is added to its parameter before the logarithm.
    instances : tuple of str
        Names of the instances.
    configs : tuple of Config
        All configs but the default.
    default : Config
        The config that tunings start from.
    costs : array of shape (n_configs, n_instances)
        Inf where a run timed out.
    default_costs : array of shape (n_instances,)
        Costs of the default config.
    features : array of shape (n_instances, n_features)
        Features of the instances.
    is_test : array of shape (n_instances,)
        True for the test instances.
    """

    name: str
    unit: str
    ceiling: float
    smallest_cost: float
    space: Space
    offsets: Mapping[str, float]
    instances: tuple[str, ...]
    configs: tuple[Config, ...]
    default: Config
    costs: Floats
    default_costs: Floats
    features: Floats
    is_test: NDArray[np.bool_]

    def known(self) -> dict[Config, Floats]:
        """Return the costs on all instances of each recorded config and the default."""
        known = dict(zip(self.configs, self.costs, strict=True))
        known[self.default] = self.default_costs
        return known
