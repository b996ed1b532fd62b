"""Bootstrap samples, and the values imputed for their copies of censored points.

========  ============================================================  =======
symbol    meaning                                                       shape
========  ============================================================  =======
B, n, m   trees, points, censored points
counts    copies of each point in each tree's bootstrap sample          (B, n)
C         copies of censored points in all trees together
N_j       copies of censored point j in all trees together              (m,)
cell      the copies of one point in one tree; they share x, so only
          the mean of their values matters to the tree
mu, s     the forest's belief about each censored point                 (m,)
bound     lower bound of the response of each censored point            (m,)
room      ceiling less bound: limit of the mean excess of a point       (m,)
========  ============================================================  =======
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tightrope import truncated

Floats = NDArray[np.float64]
Counts = NDArray[np.uint16]
Indices = NDArray[np.intp]


def draw_counts(
    n_trees: int, n_points: int, *, bootstrap: bool, rng: np.random.Generator, n_draws: int | None = None
) -> Counts:
    """Draw each tree's sample: n points with replacement, or every point once; shape (B, n).

    With `n_draws` that many points are drawn for each tree.
    """
    if not bootstrap:
        return np.ones((n_trees, n_points), dtype=np.uint16)
    counts = np.empty((n_trees, n_points), dtype=np.uint16)
    for tree in counts:  # drawing for all trees at once would need four times the memory of the counts
        tree[:] = np.bincount(
            rng.integers(n_points, size=n_points if n_draws is None else n_draws), minlength=n_points
        )
    return counts


@dataclass(frozen=True, slots=True)
class Copies:
    """Every copy of every censored point: point after point and, within a point, in tree order.

    Attributes
    ----------
    n_copies : (m,), N_j
    owner : (C,), the censored point of each copy
    cell : (C,), the cell of each copy
    sizes : (cells,), copies in each cell
    slots : (cells,), index of each cell in a flattened (B, m) array
    positions : (C,), the probability whose quantile is imputed for each copy
    """

    n_copies: Indices
    owner: Indices
    cell: Indices
    sizes: Indices
    slots: Indices
    positions: Floats

    def mean_by_point(self, values: Floats) -> Floats:
        """Return the mean of the copies of each point, shape (m,); 0 for points without a copy."""
        sums = np.bincount(self.owner, weights=values, minlength=self.n_copies.size)
        return np.asarray(sums / np.maximum(self.n_copies, 1))

    def mean_by_cell(self, values: Floats, *, otherwise: Floats, n_trees: int) -> Floats:
        """Return the mean of the copies in each cell, shape (B, m); `otherwise`, shape (m,), if empty."""
        means = np.tile(otherwise, (n_trees, 1))
        sums = np.bincount(self.cell, weights=values, minlength=self.sizes.size)
        means.reshape(-1)[self.slots] = sums / self.sizes
        return means


def assign_quantiles(counts: Counts, *, positions: str, order: np.random.Generator | None = None) -> Copies:
    """Assign a quantile to each copy of the censored points, given their counts, shape (B, m).

    Copy k of N_j gets the quantile k/(N_j + 1) ("paper") or (k - 1/2)/N_j ("midpoint"). Low quantiles go to
    low-numbered trees, for all points alike. A tree is then consistently low or high, and a mean of many
    imputed values keeps its uncertainty. With a generator as `order` the order is random for each point.
    """
    n_points = counts.shape[1]
    points, trees = np.nonzero(counts.T)
    sizes = counts[trees, points].astype(np.intp)
    owner = np.repeat(points, sizes)
    n_copies = np.bincount(owner, minlength=n_points)
    before = np.cumsum(n_copies) - n_copies
    k = np.arange(1, owner.size + 1) - before[owner]
    probabilities = k / (n_copies[owner] + 1) if positions == "paper" else (k - 0.5) / n_copies[owner]
    if order is not None:
        probabilities = probabilities[np.lexsort((order.random(owner.size), owner))]
    return Copies(
        n_copies=n_copies,
        owner=owner,
        cell=np.repeat(np.arange(sizes.size), sizes),
        sizes=sizes,
        slots=trees * n_points + points,
        positions=probabilities,
    )


def sample_excesses(
    copies: Copies, bound: Floats, *, mu: Floats, s: Floats, room: Floats, ceiling_rule: str
) -> Floats:
    """Return each copy's value less its bound, shape (C,): quantiles of the belief truncated at the bound.

    If their mean exceeds the room, the rule "shift" lowers all by the difference: the paper's rule, which may
    take single values below the bound. The rule "shrink" moves them towards the bound, which keeps them above
    it and in order.
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
