"""An arena of as many instances as one likes: mixtures of two recorded ones each.

Recordings that no comparison uses any more have few instances, and configs are to be chosen on as many as
there are elsewhere. So new ones are made up from a surrogate; nothing recorded is used as such.

| symbol | meaning | shape |
| --- | --- | --- |
| shares | how much of each recorded instance a new one has | (n, n_recorded) |
"""

from dataclasses import dataclass, replace

import numpy as np

from arena.arena import Arena, surrogate_arena
from arena.recorded import Floats, Recorded
from arena.surrogate import Model, Surrogate, work_out
from tightrope.records import Config

_BLUR = 0.05  # of features, in standard deviations of the recorded ones
_N_DRAWN = 1000  # configs among which a default is found
_SEED = (0, 42)


@dataclass(frozen=True, slots=True)
class Mixing:
    """How new instances are made from recorded ones.

    They are by `ease` decades easier than their parts on average, with a standard deviation of `spread`.
    Residuals, which no model of configs and instances tells, are `roughness` times as large. If `better` is
    given, the default is not the recorded one, but one than which this share of random configs is better.
    """

    n: int = 120
    ease: float = 0.0
    spread: float = 0.15
    roughness: float = 1.0
    better: float | None = None


EVEN = Mixing()
TAILED = Mixing(n=600, ease=1.0, spread=1.1, roughness=3.0, better=0.025)  # much like SPEAR-SWV


def mixed_arena(recorded: Recorded, parts: Model, mixing: Mixing = EVEN) -> Arena:
    """Return an arena of mixtures, every second of which is for the test."""
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
    default_costs = work_out(default, model, recorded)
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


def _find_default(better: float, model: Model, recorded: Recorded, rng: np.random.Generator) -> Config:
    """Return one of many random configs, than which a share of the others is better."""
    drawn = [recorded.space.decode(row) for row in recorded.space.sample(_N_DRAWN, rng)]
    costs = [np.minimum(work_out(each, model, recorded), recorded.ceiling).mean() for each in drawn]
    return drawn[np.argsort(costs)[int(better * _N_DRAWN)]]


def _draw_shares(n: int, n_recorded: int, rng: np.random.Generator) -> Floats:
    shares = np.zeros((n, n_recorded))
    for row in shares:
        two = rng.choice(n_recorded, 2, replace=False)
        share = rng.uniform(0.5, 1.0)
        row[two] = share, 1.0 - share
    return shares
