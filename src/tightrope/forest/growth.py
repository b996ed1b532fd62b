"""Growing forests from the same rows and bootstrap samples, with targets that change."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tightrope.forest import _kernel
from tightrope.forest.bootstrap import Counts, Floats
from tightrope.forest.responses import Responses


@dataclass(frozen=True, slots=True)
class Growth:
    """How trees are grown; with `noise` leaves keep the variance of their targets."""

    n_trees: int
    drawn_columns: int
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    bootstrap: bool = True
    threads: int = 1
    max_depth: int | None = None
    n_draws: int | None = None  # rows drawn for each tree; as many as there are, unless given
    noise: bool = False


@dataclass(frozen=True, slots=True)
class Grower:
    """Grows trees from the rows, coded once, and the bootstrap samples, which all iterations share."""

    table: _kernel.Table
    responses: Responses
    counts: Counts
    growth: Growth
    seeds: np.random.Generator

    def grow(self) -> _kernel.Forest:
        """Grow from all points and their observed responses, bounds included."""
        return self._grow(self.counts, rows=np.empty(0, dtype=np.int64), targets=self._none, costs=self._none)

    def grow_imputed(self, targets: Floats, *, costs: Floats | None) -> _kernel.Forest:
        """Grow with these targets, and costs if any, of the censored points; shape (B, m)."""
        rows = np.flatnonzero(self.responses.censored)
        return self._grow(self.counts, rows=rows, targets=targets, costs=costs)

    def grow_uncensored(self) -> _kernel.Forest:
        """Grow trees from their uncensored copies; a tree without any predicts the mean of all uncensored."""
        uncensored = ~self.responses.censored
        if not uncensored.any():
            return self.grow()
        counts = self.counts * uncensored
        is_empty = ~counts.any(axis=1)
        if not is_empty.any():
            return self._grow(counts, rows=np.empty(0, dtype=np.int64), targets=self._none, costs=None)
        # A single copy of any point, with that mean as its target, makes a tree of one leaf.
        anchor = np.flatnonzero(uncensored)[:1]
        counts[is_empty, anchor] = 1
        y, weights = self.responses.y, self.responses.weights
        mean = np.average(y[uncensored], weights=None if weights is None else weights[uncensored])
        targets = np.where(is_empty, mean, y[anchor])[:, np.newaxis]
        return self._grow(counts, rows=anchor, targets=targets, costs=None)

    @property
    def _none(self) -> Floats:
        return np.empty((self.growth.n_trees, 0))

    # Each round draws new columns and split points. With the same draws in all rounds the imputed means
    # converge a little sooner (after 6.1 instead of 6.6 rounds, with 50 trees and half of 300 points
    # censored). After equally many rounds predictions are equally good; after the earlier stop, slightly
    # worse.
    def _grow(
        self, counts: Counts, *, rows: NDArray[np.int64], targets: Floats, costs: Floats | None
    ) -> _kernel.Forest:
        with_costs = costs is not None and self.responses.costs is not None
        return _kernel.grow(
            self.table,
            counts,
            self.responses.y,
            rows,
            targets,
            costs=self.responses.costs if with_costs else None,
            imputed_costs=costs if with_costs else None,
            weights=self.responses.weights,
            drawn_columns=self.growth.drawn_columns,
            min_samples_split=self.growth.min_samples_split,
            min_samples_leaf=self.growth.min_samples_leaf,
            seed=int(self.seeds.integers(2**63)),
            threads=self.growth.threads,
            max_depth=self.growth.max_depth,
            noise=self.growth.noise,
        )
