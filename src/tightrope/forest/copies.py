"""Bootstrap copies of the censored points, and the values these copies are given.

========  ============================================================  =======
symbol    meaning                                                       shape
========  ============================================================  =======
B, n, m   trees, points, censored points
counts    how often each point is in each tree's bootstrap sample       (B, n)
C         copies of censored points in all trees together
N_j       copies of censored point j in all trees together              (m,)
cell      the copies of one point in one tree: same x, so only the
          mean of their values matters to the tree
mu, s     the forest's belief about each censored point                 (m,)
bound     what is known of each censored point: its response is more    (m,)
room      how far the mean of a point's values may exceed its bound     (m,)
========  ============================================================  =======
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tightrope import truncated

Floats = NDArray[np.float64]
Counts = NDArray[np.uint16]
Indices = NDArray[np.intp]


def draw_counts(n_trees: int, n_points: int, *, bootstrap: bool, rng: np.random.Generator) -> Counts:
    """Draw each tree's sample: n points with replacement, or every point once; shape (B, n)."""
    if not bootstrap:
        return np.ones((n_trees, n_points), dtype=np.uint16)
    counts = np.empty((n_trees, n_points), dtype=np.uint16)
    for tree in counts:  # all draws at once would need four times the memory of the counts
        tree[:] = np.bincount(rng.integers(n_points, size=n_points), minlength=n_points)
    return counts


@dataclass(frozen=True, slots=True)
class Copies:
    """Every copy of every censored point: point after point and, within a point, in tree order.

    Attributes
    ----------
    numbers : (m,), N_j
    owner : (C,), the censored point that each copy is of
    cell : (C,), the cell that each copy is in
    sizes : (cells,), copies in each cell
    slots : (cells,), where each cell is in a flattened (B, m) array
    positions : (C,), the probability whose quantile each copy is given
    """

    numbers: Indices
    owner: Indices
    cell: Indices
    sizes: Indices
    slots: Indices
    positions: Floats

    def mean_by_point(self, values: Floats) -> Floats:
        """Mean of the copies of each point, shape (m,); 0 for points without a copy."""
        sums = np.bincount(self.owner, weights=values, minlength=self.numbers.size)
        return np.asarray(sums / np.maximum(self.numbers, 1))

    def mean_by_cell(self, values: Floats, *, otherwise: Floats, n_trees: int) -> Floats:
        """Mean of the copies in each cell, shape (B, m); empty cells hold `otherwise`, shape (m,)."""
        means = np.tile(otherwise, (n_trees, 1))
        sums = np.bincount(self.cell, weights=values, minlength=self.sizes.size)
        means.reshape(-1)[self.slots] = sums / self.sizes
        return means


def number_copies(counts: Counts, *, positions: str, order: np.random.Generator | None = None) -> Copies:
    """Put the copies of the censored points in order, given their counts, shape (B, m).

    Copy k of N_j gets the quantile k/(N_j + 1) ("paper") or (k - 1/2)/N_j ("midpoint"). Low quantiles go to
    low-numbered trees, for all points alike, so that a tree is consistently lucky or unlucky and a mean of
    many imputed values keeps its uncertainty. With a generator as `order` each point hands them out at random
    instead.
    """
    n_points = counts.shape[1]
    points, trees = np.nonzero(counts.T)
    sizes = counts[trees, points].astype(np.intp)
    owner = np.repeat(points, sizes)
    numbers = np.bincount(owner, minlength=n_points)
    before = np.cumsum(numbers) - numbers
    k = np.arange(1, owner.size + 1) - before[owner]
    probabilities = k / (numbers[owner] + 1) if positions == "paper" else (k - 0.5) / numbers[owner]
    if order is not None:
        probabilities = probabilities[np.lexsort((order.random(owner.size), owner))]
    return Copies(
        numbers=numbers,
        owner=owner,
        cell=np.repeat(np.arange(sizes.size), sizes),
        sizes=sizes,
        slots=trees * n_points + points,
        positions=probabilities,
    )


def sample_excesses(
    copies: Copies, bound: Floats, *, mu: Floats, s: Floats, room: Floats, ceiling_rule: str
) -> Floats:
    """Value of each copy less its bound, shape (C,): quantiles of the belief truncated at the bound.

    Where their mean exceeds the room they are shifted down by the difference, the paper's rule, which may
    take single values below the bound; or all shrunk towards the bound, which keeps them above it and in
    order.
    """
    excesses = truncated.quantile_excess(copies.positions, bound, mu=mu, s=s, owner=copies.owner)
    means = copies.mean_by_point(excesses)
    over = means > room
    if not over.any():
        return excesses
    if ceiling_rule == "shift":
        return np.asarray(excesses - np.where(over, means - room, 0.0)[copies.owner])
    factors = np.ones_like(means)
    factors[over] = room[over] / means[over]
    return np.asarray(excesses * factors[copies.owner])
