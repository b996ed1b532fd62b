"""Arenas of complete tables of costs: a list of configs, each measured on every instance."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lib.arena.arena import Arena, recorded_arena
from lib.cost_table import CostTable, Floats
from tightrope.records import Config
from tightrope.space import Space

_SPLIT_SEED = 2013


def matrix_arena(
    name: str,
    configs: Sequence[Mapping[str, str]],
    costs: Floats,
    *,
    instances: Sequence[str],
    ceiling: float,
    rank: float,
    features: Floats | None = None,
) -> Arena:
    """Return an arena of listed configs whose parameters are all categorical.

    Parameters
    ----------
    name : str
        Name of the table.
    configs : sequence of mappings
        The configs, all with the same parameters.
    costs : array of shape (n_configs, n_instances)
        Inf where a run never ends.
    instances : sequence of str
        Names of the instances; a fixed half of them is for the test.
    ceiling : float
        Runs that reach it time out.
    rank : float
        The default is the config that this share of the others beats in training.
    features : array of shape (n_instances, n_features) or None
        Features of the instances.
    """
    space = _space(configs)
    is_test = split(len(instances))
    default = find_default(costs[:, ~is_test], ceiling=ceiling, rank=rank)
    others = np.delete(np.arange(len(configs)), default)
    listed = [Config(config) for config in configs]
    timed_out = np.where(costs < ceiling, costs, np.inf)
    return recorded_arena(
        CostTable(
            name=name,
            unit="s",
            ceiling=ceiling,
            smallest_cost=float(costs.min()) / 2.0,
            space=space,
            offsets={},
            instances=tuple(instances),
            configs=tuple(listed[i] for i in others),
            default=listed[default],
            costs=timed_out[others],
            default_costs=timed_out[default],
            features=np.empty((len(instances), 0)) if features is None else features,
            is_test=is_test,
        )
    )


def split(n_instances: int) -> NDArray[np.bool_]:
    """Return which instances are for the test: always the same half."""
    shuffled = np.random.default_rng(_SPLIT_SEED).permutation(n_instances)
    return np.asarray(shuffled < n_instances // 2)


def find_default(costs: Floats, *, ceiling: float, rank: float) -> int:
    """Return the config that a share of all others beats on these instances."""
    means = np.minimum(costs, ceiling).mean(axis=1)
    return int(np.argsort(means, kind="stable")[round(rank * (len(means) - 1))])


def _space(configs: Sequence[Mapping[str, str]]) -> Space:
    values = {name: sorted({config[name] for config in configs}) for name in configs[0]}
    return Space.of(dict(values))
