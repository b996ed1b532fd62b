"""What was recorded of a solver: the costs of configs, one of them the default, on instances."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tightrope.records import Config
from tightrope.space import Space

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Recorded:
    """A table of costs, and what is known of its rows and columns.

    Attributes
    ----------
    name : str
        What it is a recording of.
    unit : str
        What costs are counted in.
    ceiling : float
        Where runs were stopped.
    smallest_cost : float
        No cost is below this one: half of what can be told from nothing.
    space : Space
        The solver's parameters.
    offsets : mapping
        Parameters that matter on a log scale, each with what is added to it first.
    instances : tuple of str
        Their names.
    configs : tuple of Config
        All but the default.
    default : Config
        Where tunings start from.
    costs : array of shape (n_configs, n_instances)
        Inf where a run timed out.
    default_costs : array of shape (n_instances,)
        The same of the default config.
    features : array of shape (n_instances, n_features)
        What is known of the instances.
    is_test : array of shape (n_instances,)
        Which instances are kept for the test.
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
