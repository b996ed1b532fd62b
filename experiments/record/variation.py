"""Configs near the default, where good configs are found if the default is good."""

import numpy as np
from numpy.typing import NDArray

from tightrope.space import Space
from tightrope.space.neighbours import neighbours

_MOST_EXCHANGES = 4
_SPREAD = 0.3  # of a changed number, on a range of length 1


def vary_default(space: Space, n: int, *, rng: np.random.Generator) -> list[NDArray[np.float64]]:
    """Return n different configs, each a few exchanges away from the default."""
    default = space.default()
    found = {default.tobytes(): default}
    while len(found) < n + 1:
        row = default
        for _ in range(rng.integers(1, _MOST_EXCHANGES, endpoint=True)):
            near, _ = neighbours(space, row[np.newaxis], rng, n_draws=1, spread=_SPREAD)
            row = near[rng.integers(len(near))]
        found.setdefault(row.tobytes(), row)
    return list(found.values())[1:]
