"""Interface of the compiled kernel. Arrays must be C-contiguous and have exactly these types."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

class Table:
    """The rows of X, coded once and reused by every tree and every refit.

    Categorical columns hold whole numbers (any values), ordered columns any finite numbers. NaN is a level of
    its own in a categorical column and below every number in an ordered one.
    """

    def __init__(self, X: Floats, categorical: NDArray[np.bool_]) -> None: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def n_columns(self) -> int: ...

class Forest:
    """Grown trees."""

    @property
    def n_trees(self) -> int: ...
    @property
    def n_columns(self) -> int: ...
    def predict(self, X: Floats, threads: int) -> tuple[Floats, Floats]:
        """Return mean and population variance of the trees' predictions, each of shape (m,)."""
    def predict_trees(self, X: Floats, threads: int, cost: bool = False) -> Floats:
        """Return each tree's prediction (its leaf's mean cost if `cost`), shape (trees, m)."""
    def mean_noise(self, X: Floats, threads: int) -> Floats:
        """Return the mean over the trees of `noise_in_trees`, shape (m,)."""
    def noise_in_trees(self, X: Floats, threads: int) -> Floats:
        """Return the variance of targets in each tree's leaf, shape (trees, m); needs `noise` in `grow`."""
    def apply(self, X: Floats, threads: int) -> Floats:
        """Return the number of each tree's leaf, shape (trees, m)."""
    def marginal(
        self,
        configs: Floats,
        instances: Floats,
        threads: int,
        cost: bool = False,
        factors: Floats | None = None,
    ) -> Floats:
        """Return each tree's mean prediction over the instances, shape (trees, configs), by collapsed trees.

        Predictions for an instance are multiplied by its factor.
        """
    def marginal_by_pairs(
        self,
        configs: Floats,
        instances: Floats,
        threads: int,
        cost: bool = False,
        factors: Floats | None = None,
    ) -> Floats:
        """Return the same as `marginal`, from every (config, instance) pair: slow, for comparison."""
    def gains(self) -> Floats:
        """Return the reduction of the squared error by splits on each column, shape (trees, columns)."""
    def nodes(self, tree: int) -> dict[str, NDArray[Any]]:
        """Return a tree as flat arrays: column (-1: leaf), threshold, left, right, value, cost, points."""
    def levels_left(self, tree: int, node: int) -> NDArray[np.float64]:
        """Return the levels that a categorical split sends left, NaN included."""
    def __getstate__(self) -> tuple[Any, ...]: ...
    def __setstate__(self, state: tuple[Any, ...]) -> None: ...

class ConfigColumn:
    """The distribution of one config column's values; see `tightrope.space.partition.Cells`."""

    def __init__(
        self,
        categorical: bool,
        cuts: Floats,
        below: Floats,
        classes: NDArray[np.uint32],
        parents: NDArray[np.uint32],
        active: NDArray[np.uint8],
        home: int,
    ) -> None: ...

def variances(
    forest: Forest,
    columns: list[ConfigColumn],
    instances: Floats,
    threads: int,
    *,
    cost: bool = False,
    factors: Floats | None = None,
    limits: Floats | None = None,
) -> tuple[Floats, Floats, Floats, Floats]:
    """Decompose the variance, over configs, of each tree's mean over the instances.

    Returns mean and variance, each of shape (trees,), the variances of main effects and along each column
    through the home config, both of shape (trees, config columns). With `limits`, of shape (trees,
    instances), no prediction for an instance counts as more than its limit.
    """

def interactions(
    forest: Forest,
    columns: list[ConfigColumn],
    instances: Floats,
    pairs: NDArray[np.uint32],
    threads: int,
    *,
    cost: bool = False,
    factors: Floats | None = None,
    limits: Floats | None = None,
) -> Floats:
    """Return the variance of the interaction of each pair of columns, shape (trees, pairs)."""

def grow(
    table: Table,
    counts: NDArray[np.uint16],
    targets: Floats,
    imputed_rows: NDArray[np.int64],
    imputed: Floats,
    *,
    costs: Floats | None = None,
    imputed_costs: Floats | None = None,
    weights: Floats | None = None,
    drawn_columns: int,
    min_samples_split: int,
    min_samples_leaf: int,
    seed: int,
    threads: int,
    max_depth: int | None = None,
    noise: bool = False,
) -> Forest:
    """Grow one tree for each row of `counts`, shape (trees, n): copies of each point in its bootstrap sample.

    Point i has the target `targets[i]` in every tree, except that point `imputed_rows[k]` has `imputed[b, k]`
    (the mean over its copies) in tree b. `costs` and `imputed_costs` are the costs that leaves average for
    marginals on the cost scale. `weights` multiply the counts; a point with count or weight 0 is not in the
    tree. With `noise` leaves keep the variance of their targets, unbiased for equal weights.
    """
