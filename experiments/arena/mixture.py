"""An arena of as many instances as one likes: mixtures of two recorded ones each.

Recordings that no comparison uses any more have few instances, and configs are to be chosen on as many as
there are elsewhere. So new ones are made up from a surrogate; nothing recorded is used as such.

| symbol | meaning | shape |
| --- | --- | --- |
| shares | how much of each recorded instance a new one has | (n, n_recorded) |
"""

from dataclasses import replace

import numpy as np

from arena.arena import Arena, surrogate_arena
from arena.recorded import Floats, Recorded
from arena.surrogate import Model, Surrogate, work_out

_SHIFT = 0.15  # decades by which new instances are harder or easier than their parts: standard deviation
_BLUR = 0.05  # of features, in standard deviations of the recorded ones
_SEED = (0, 42)


def mixed_arena(recorded: Recorded, parts: Model, *, n: int = 120) -> Arena:
    """Return an arena of n instances, every second of which is for the test."""
    rng = np.random.default_rng(_SEED)
    shares = _draw_shares(n, len(recorded.instances), rng)
    model = Model(
        parts.smoother,
        parts.loadings @ shares.T,
        parts.centre @ shares.T + rng.normal(0.0, _SHIFT, n),
        parts.residuals[:, shares.argmax(axis=1)],
    )
    features = np.nan_to_num(recorded.features)
    blur = rng.normal(0.0, _BLUR, (n, features.shape[1])) * features.std(axis=0)
    default_costs = work_out(recorded.default, model, recorded)
    mixed = replace(
        recorded,
        instances=tuple(f"m{i}" for i in range(n)),
        configs=(),
        costs=np.empty((0, n)),
        default_costs=np.where(default_costs < recorded.ceiling, default_costs, np.inf),
        features=shares @ features + blur,
        is_test=np.arange(n) % 2 == 1,
    )
    return surrogate_arena(mixed, Surrogate(mixed, model))


def _draw_shares(n: int, n_recorded: int, rng: np.random.Generator) -> Floats:
    shares = np.zeros((n, n_recorded))
    for row in shares:
        two = rng.choice(n_recorded, 2, replace=False)
        share = rng.uniform(0.5, 1.0)
        row[two] = share, 1.0 - share
    return shares
