"""An arena with any number of instances, each a mixture of two recorded ones.

The recordings have fewer instances than the screening needs. So new instances are generated from a surrogate;
no recorded cost is used directly.

| symbol | meaning | shape |
| --- | --- | --- |
| shares | weight of each recorded instance in a new one | (n, n_recorded) |
"""

from dataclasses import dataclass, replace

import numpy as np

from lib.arena.arena import Arena, surrogate_arena
from lib.cost_table import CostTable, Floats
from lib.surrogate.surrogate import Model, Surrogate, model_costs
from tightrope.records import Config

_BLUR = 0.05  # noise of features, in standard deviations of the recorded ones
_N_DRAWN = 1000  # configs from which a default is chosen
_SEED = (0, 42)


@dataclass(frozen=True, slots=True)
class Mixing:
    """How new instances are generated from recorded ones.

    They are easier than their parts by `ease` decades on average, with a standard deviation of `spread`.
    Residuals, which no model can predict, are `roughness` times as large. If `better` is given, the default
    is replaced by a config that this share of random configs beats.
    """

    n: int = 120
    ease: float = 0.0
    spread: float = 0.15
    roughness: float = 1.0
    better: float | None = None


EVEN = Mixing()
TAILED = Mixing(n=600, ease=1.0, spread=1.1, roughness=3.0, better=0.025)  # similar to SPEAR-SWV


def mixed_arena(recorded: CostTable, parts: Model, mixing: Mixing = EVEN) -> Arena:
    """Return an arena of mixtures; every second instance is for the test."""
    n = mixing.n
    rng = np.random.default_rng(_SEED)
    shares = _draw_shares(n, len(recorded.instances), rng)
    model = Model(
        parts.smoother,
        parts.loadings @ shares.T,
        parts.centre @ shares.T + rng.normal(-mixing.ease, mixing.spread, n),
        parts.residuals[:, shares.argmax(axis=1)] * mixing.roughness,
    )
    features = np.nan_to_num(recorded.features)
    blur = rng.normal(0.0, _BLUR, (n, features.shape[1])) * features.std(axis=0)
    default = (
        recorded.default if mixing.better is None else _find_default(mixing.better, model, recorded, rng)
    )
    default_costs = model_costs(default, model, recorded)
    mixed = replace(
        recorded,
        instances=tuple(f"m{i}" for i in range(n)),
        configs=(),
        default=default,
        costs=np.empty((0, n)),
        default_costs=np.where(default_costs < recorded.ceiling, default_costs, np.inf),
        features=shares @ features + blur,
        is_test=np.arange(n) % 2 == 1,
    )
    return surrogate_arena(mixed, Surrogate(mixed, model))


def _find_default(better: float, model: Model, recorded: CostTable, rng: np.random.Generator) -> Config:
    """Return one of many random configs, such that a share of the others is better."""
    drawn = [recorded.space.decode(row) for row in recorded.space.sample(_N_DRAWN, rng)]
    costs = [np.minimum(model_costs(each, model, recorded), recorded.ceiling).mean() for each in drawn]
    return drawn[np.argsort(costs)[int(better * _N_DRAWN)]]


def _draw_shares(n: int, n_recorded: int, rng: np.random.Generator) -> Floats:
    shares = np.zeros((n, n_recorded))
    for row in shares:
        two = rng.choice(n_recorded, 2, replace=False)
        share = rng.uniform(0.5, 1.0)
        row[two] = share, 1.0 - share
    return shares
