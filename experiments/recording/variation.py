"""Configs near the default, which is where good ones are if the default is good."""

import numpy as np
from numpy.typing import NDArray

from tightrope.space import Space
from tightrope.space.neighbours import neighbours

_MOST_EXCHANGES = 4
_SPREAD = 0.3  # of numbers, where the range has length 1


def vary_default(space: Space, n: int, *, rng: np.random.Generator) -> list[NDArray[np.float64]]:
    """Return so many different configs, none of them the default, each some exchanges away from it."""
    default = space.default()
    found = {default.tobytes(): default}
    while len(found) < n + 1:
        row = default
        for _ in range(rng.integers(1, _MOST_EXCHANGES, endpoint=True)):
            near, _ = neighbours(space, row[np.newaxis], rng, n_draws=1, spread=_SPREAD)
            row = near[rng.integers(len(near))]
        found.setdefault(row.tobytes(), row)
    return list(found.values())[1:]
