"""The four treatments of censored responses; Algorithm 1 of the paper is "sample".

========  ==========================================================================================
sample    impute quantiles of the truncated belief, another for each copy of a point; regrow; repeat
mean      impute the mean of the truncated belief (Schmee and Hahn's algorithm); regrow; repeat
ignore    take the bounds as values
drop      leave the censored points out
========  ==========================================================================================

All of this happens on the model's scale (logarithms for a log model), except for costs. Shapes are named as in
`copies`: B trees, n points, m censored points.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tightrope import truncated
from tightrope.forest import _kernel
from tightrope.forest.copies import Copies, Counts, Floats, draw_counts, number_copies, sample_excesses

_LARGEST_LOG_COST = 690.0  # its exp is finite, and so is the sum of many of them


@dataclass(frozen=True, slots=True)
class Responses:
    """What was observed: y is a bound where censored. `costs` are exp(y), for log models only."""

    y: Floats
    censored: NDArray[np.bool_]
    costs: Floats | None = None
    weights: Floats | None = None
    ceiling: float = np.inf

    def rows(self, kept: NDArray[np.bool_]) -> "Responses":
        """Only the rows to be kept."""
        costs, weights = (None if values is None else values[kept] for values in (self.costs, self.weights))
        return replace(self, y=self.y[kept], censored=self.censored[kept], costs=costs, weights=weights)


@dataclass(frozen=True, slots=True)
class Rules:
    """How censored responses are treated."""

    treatment: str = "sample"
    positions: str = "paper"
    joint: bool = True
    ceiling_rule: str = "shift"
    max_iter: int = 10
    tol: float = 0.01
    oob: bool = False
    min_variance: float = 0.0


@dataclass(frozen=True, slots=True)
class Growth:
    """How trees are grown."""

    n_trees: int
    drawn_columns: int
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    bootstrap: bool = True
    threads: int = 1


@dataclass(frozen=True, slots=True)
class Imputed:
    """A forest and what was imputed for the censored points in order to grow it."""

    forest: _kernel.Forest
    means: Floats  # (m,)
    samples: Floats  # (B, m): mean over a tree's copies of a point, NaN where it has none
    n_iter: int = 1
    converged: bool = True


@dataclass(frozen=True, slots=True)
class _Values:
    """What one round imputes."""

    means: Floats  # (m,)
    targets: Floats  # (B, m)
    costs: Floats | None  # (B, m)


def grow_forest(
    X: Floats,
    responses: Responses,
    *,
    categorical: NDArray[np.bool_],
    rules: Rules,
    growth: Growth,
    rng: np.random.Generator,
) -> Imputed:
    """Grow a forest from responses of which none, some or all are censored."""
    bounds = responses.y[responses.censored]
    # If all are censored there is nothing but the bounds to learn from: "drop" then ignores the censoring.
    if rules.treatment == "drop" and bounds.size < responses.y.size:
        kept = ~responses.censored
        X, responses, bounds = X[kept], responses.rows(kept), np.full(bounds.size, np.nan)
    for_counts, for_order, for_trees = rng.spawn(3)
    counts = draw_counts(growth.n_trees, responses.y.size, bootstrap=growth.bootstrap, rng=for_counts)
    grower = _Grower(_kernel.Table(X, categorical), responses, counts, growth, for_trees)
    if rules.treatment in ("drop", "ignore") or bounds.size == 0:
        return Imputed(grower.grow(), means=bounds, samples=np.tile(bounds, (growth.n_trees, 1)))
    order = None if rules.joint else for_order
    copies = number_copies(counts[:, responses.censored], positions=rules.positions, order=order)
    return _impute_and_grow(grower, X[responses.censored], copies=copies, rules=rules)


@dataclass(frozen=True, slots=True)
class _Grower:
    """The data, coded once, and the bootstrap samples: what stays the same through all iterations."""

    table: _kernel.Table
    responses: Responses
    counts: Counts
    growth: Growth
    seeds: np.random.Generator

    def grow(self, values: _Values | None = None) -> _kernel.Forest:
        """Grow from all points, censored ones with the given values or else their bounds."""
        if values is None:
            return self._grow(self.counts, np.empty(0, dtype=np.int64), self.no_values)
        return self._grow(self.counts, np.flatnonzero(self.responses.censored), values)

    @property
    def no_values(self) -> _Values:
        empty = np.empty((self.growth.n_trees, 0))
        return _Values(means=np.empty(0), targets=empty, costs=None if self.responses.costs is None else empty)

    def grow_uncensored(self) -> _kernel.Forest:
        """Grow each tree from its uncensored copies; a tree without one knows the mean of all uncensored."""
        uncensored = ~self.responses.censored
        if not uncensored.any():
            return self.grow()
        counts = self.counts * uncensored
        orphans = ~counts.any(axis=1)
        if not orphans.any():
            return self._grow(counts, np.empty(0, dtype=np.int64), self.no_values)
        # A single copy of any point, with that mean as its value, makes a tree of one leaf.
        anchor = np.flatnonzero(uncensored)[:1]
        counts[orphans, anchor] = 1
        weights = None if self.responses.weights is None else self.responses.weights[uncensored]
        y = self.responses.y
        fallback = np.average(y[uncensored], weights=weights)
        targets = np.where(orphans, fallback, y[anchor])[:, np.newaxis]
        return self._grow(counts, anchor, _Values(means=y[anchor], targets=targets, costs=None))

    def _grow(self, counts: Counts, rows: NDArray[np.int64], values: _Values) -> _kernel.Forest:
        # Every regrowth draws its columns and split points anew.
        return _kernel.grow(
            self.table,
            counts,
            self.responses.y,
            rows,
            values.targets,
            costs=None if values.costs is None else self.responses.costs,
            imputed_costs=values.costs,
            weights=self.responses.weights,
            drawn_columns=self.growth.drawn_columns,
            min_samples_split=self.growth.min_samples_split,
            min_samples_leaf=self.growth.min_samples_leaf,
            seed=int(self.seeds.integers(2**63)),
            threads=self.growth.threads,
        )


def _impute_and_grow(grower: _Grower, X: Floats, *, copies: Copies, rules: Rules) -> Imputed:
    """Impute and regrow until the imputed means rest; X are the censored rows."""
    responses = grower.responses
    held = grower.counts[:, responses.censored] > 0
    imputed = copies.numbers > 0
    means = responses.y[responses.censored]
    tolerated = rules.tol * float(np.ptp(responses.y))
    forest = grower.grow_uncensored()
    for iteration in range(1, rules.max_iter + 1):
        mu, s = _believe(forest, X, held=held, rules=rules, threads=grower.growth.threads)
        values = _impute(copies, responses, mu=mu, s=s, rules=rules)
        change = np.abs(values.means - means)[imputed]
        converged = change.size == 0 or float(change.mean()) <= tolerated
        means = values.means
        forest = grower.grow(values)
        if converged:
            break
    samples = np.where(held, values.targets, np.nan)
    return Imputed(forest, means=means, samples=samples, n_iter=iteration, converged=converged)


def _believe(
    forest: _kernel.Forest, X: Floats, *, held: NDArray[np.bool_], rules: Rules, threads: int
) -> tuple[Floats, Floats]:
    """Mean and standard deviation of the trees' predictions; with `oob`, of the trees that hold no copy."""
    if rules.oob:
        trees = forest.predict_trees(X, threads)
        heard = ~held | held.all(axis=0)  # a point that every tree holds has to be asked of all
        mean = trees.mean(axis=0, where=heard)
        variance = trees.var(axis=0, where=heard)
    else:
        mean, variance = forest.predict(X, threads)
    return mean, np.sqrt(np.maximum(variance, rules.min_variance))


def _impute(copies: Copies, responses: Responses, *, mu: Floats, s: Floats, rules: Rules) -> _Values:
    ...
