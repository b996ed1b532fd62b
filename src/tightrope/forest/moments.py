"""What a grown forest knows about rows: mean, spread across trees, and noise within leaves."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tightrope.forest import _kernel
from tightrope.forest.bootstrap import Floats

_ENTRIES_AT_ONCE = 4_000_000  # (trees x rows) that out-of-bag moments hold in memory


@dataclass(frozen=True, slots=True)
class Moments:
    """Mean of the trees, variance across them (the spread), and mean variance within leaves (the noise)."""

    mean: Floats
    spread: Floats
    noise: Floats

    def std(self, floor: float) -> Floats:
        """Return the standard deviation of a response, given a floor of its variance."""
        return np.sqrt(np.maximum(self.spread + self.noise, floor))


def moments(forest: _kernel.Forest, X: Floats, *, threads: int, noise: bool) -> Moments:
    """Return the moments over all trees; without `noise` leaves count as noiseless."""
    mean, spread = forest.predict(X, threads)
    return Moments(mean, spread, forest.mean_noise(X, threads) if noise else np.zeros(mean.size))


def out_of_bag(
    forest: _kernel.Forest, X: Floats, *, held: NDArray[np.bool_], threads: int, noise: bool
) -> Moments:
    """Return the moments over the trees without a copy of each row; all trees, if each holds the row."""
    parts = []
    step = max(1, _ENTRIES_AT_ONCE // held.shape[0])
    for first in range(0, max(len(X), 1), step):
        rows = slice(first, first + step)
        used = ~held[:, rows] | held[:, rows].all(axis=0)
        trees = forest.predict_trees(X[rows], threads)
        mean, spread = trees.mean(axis=0, where=used), trees.var(axis=0, where=used)
        if noise:
            inside = forest.noise_in_trees(X[rows], threads).mean(axis=0, where=used)
        else:
            inside = np.zeros(mean.size)
        parts.append((mean, spread, inside))
    return Moments(*(np.concatenate(part) for part in zip(*parts, strict=True)))
