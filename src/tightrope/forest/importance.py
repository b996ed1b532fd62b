"""Functional analysis of variance of a fitted forest over all configs (Hutter, Hoos and Leyton-Brown, 2014).

Each tree's prediction, averaged over the instances, is a function of the config. Its variance over random
configs is the sum of the variances of main effects, interactions of two columns, and so on. All are computed
exactly from the tree's leaves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tightrope.forest import _kernel
from tightrope.forest.estimator import CensoredForest
from tightrope.forest.settings import count_threads

Floats = NDArray[np.float64]


class Cells(Protocol):
    """The distribution of one config column's values; see `tightrope.space.partition`."""

    @property
    def categorical(self) -> bool: ...  # noqa: D102
    @property
    def cuts(self) -> Floats: ...  # noqa: D102
    @property
    def below(self) -> Floats: ...  # noqa: D102
    @property
    def classes(self) -> NDArray[np.uint32]: ...  # noqa: D102
    @property
    def parents(self) -> NDArray[np.uint32]: ...  # noqa: D102
    @property
    def active(self) -> NDArray[np.uint8]: ...  # noqa: D102
    @property
    def home(self) -> int: ...  # noqa: D102


@dataclass(frozen=True, slots=True, eq=False)
class Variances:
    """Means and variances in each of B trees, for d config columns."""

    mean: Floats  # (B,)
    total: Floats  # (B,); 0 if the tree does not depend on the config
    main: Floats  # (B, d), of the mean given the value of a column
    local: Floats  # (B, d), along a column, with the others as in the home config


@dataclass(frozen=True, slots=True)
class Effect:
    """How much of the variance one parameter explains, or the interaction of two.

    Attributes
    ----------
    names : tuple of str
        One parameter or two.
    share : float
        Mean of the trees' shares of the variance over all configs; of two parameters, what they explain
        together beyond their main effects.
    spread : float
        Standard deviation of the trees' shares.
    local, local_spread : float
        The same for the variance along the parameter with the others as in the best config, as a share of
        these variances of all parameters; NaN for two parameters.
    """

    names: tuple[str, ...]
    share: float
    spread: float
    local: float = float("nan")
    local_spread: float = float("nan")


@dataclass(frozen=True, eq=False)
class Analysis:
    """What is decomposed: a forest's mean predictions over instances, for configs of these cells.

    Attributes
    ----------
    forest : CensoredForest
        Its first columns are those of configs, the others those of instances.
    cells : sequence of Cells
        The distribution of the configs.
    instances : ndarray of shape (n, columns of instances)
        Instances to average over; one row without columns if the forest has none.
    cost : bool
        Average the costs of a log model instead of their logarithms.
    baseline : ndarray of shape (n,) or None
        What predictions for each instance are multiples of.
    at_most : ndarray of shape (config columns,) or None
        A config: on each instance, no prediction counts as more than that for this config.
    """

    forest: CensoredForest
    cells: Sequence[Cells]
    instances: Floats
    cost: bool = False
    baseline: Floats | None = None
    at_most: Floats | None = None

    def variances(self) -> Variances:
        """Return total variances, and those of main effects and along the home config."""
        columns, threads = self._columns(), count_threads(self.forest.n_jobs)
        found = _kernel.variances(
            self.forest.forest_, columns, self.instances, threads,
            cost=self.cost, factors=self._factors, limits=self._limits(threads),
        )  # fmt: skip
        return Variances(*found)

    def interactions(self, pairs: Sequence[tuple[int, int]]) -> Floats:
        """Return the variance of each pair's interaction, shape (trees, pairs)."""
        columns, threads = self._columns(), count_threads(self.forest.n_jobs)
        return _kernel.interactions(
            self.forest.forest_, columns, self.instances, np.array(pairs, dtype=np.uint32), threads,
            cost=self.cost, factors=self._factors, limits=self._limits(threads),
        )  # fmt: skip

    @property
    def _factors(self) -> Floats | None:
        return self.baseline if self.cost else None  # logarithms of multiples differ by a constant

    def _limits(self, threads: int) -> Floats | None:
        if self.at_most is None:
            return None
        rows = np.hstack([np.tile(self.at_most, (len(self.instances), 1)), self.instances])
        return self.forest.forest_.predict_trees(rows, threads, self.cost)

    def _columns(self) -> list[_kernel.ConfigColumn]:
        return [
            _kernel.ConfigColumn(each.categorical, each.cuts, each.below, each.classes, each.parents,
                                 each.active, each.home) for each in self.cells
        ]  # fmt: skip


def thresholds(forest: CensoredForest, n_columns: int) -> list[Floats]:
    """Return the ascending thresholds of all trees in each of the first columns."""
    trees = [forest.forest_.nodes(b) for b in range(forest.forest_.n_trees)]
    column = np.concatenate([tree["column"] for tree in trees])
    number = np.concatenate([tree["threshold"] for tree in trees])
    is_ordered = ~np.isnan(number)
    return [np.unique(number[is_ordered & (column == j)]) for j in range(n_columns)]


def effects(analysis: Analysis, names: Sequence[str], *, n_in_pairs: int) -> list[Effect]:
    """Return the effects of all parameters, and interactions of the first few, each in descending order."""
    found = analysis.variances()
    share, spread = _over_trees(found.main, found.total)
    local, local_spread = _over_trees(found.local, found.local.sum(axis=1))
    order = np.lexsort((np.arange(len(names)), -local, -share))
    single = [
        Effect((names[j],), *(float(each[j]) for each in (share, spread, local, local_spread))) for j in order
    ]
    first = sorted(order[:n_in_pairs].tolist())
    pairs = [(a, b) for i, a in enumerate(first) for b in first[i + 1 :]]
    if not pairs:
        return single
    share, spread = _over_trees(analysis.interactions(pairs), found.total)
    joint = [
        Effect((names[a], names[b]), float(share[i]), float(spread[i])) for i, (a, b) in enumerate(pairs)
    ]
    return single + sorted(joint, key=lambda effect: -effect.share)


def _over_trees(variances: Floats, total: Floats) -> tuple[Floats, Floats]:
    """Return mean and standard deviation of the shares over the trees that vary; 0 if none does."""
    varies = total > 0.0
    if not varies.any():
        return np.zeros(variances.shape[1]), np.zeros(variances.shape[1])
    shares = variances[varies] / total[varies, np.newaxis]
    return np.asarray(shares.mean(axis=0)), np.asarray(shares.std(axis=0))
