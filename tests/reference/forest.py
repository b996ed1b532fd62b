"""A forest of reference trees: predictions tree by tree, and marginals by walking every pair."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reference import draws
from reference.tree import Copy, Node, Rules, Table, gain_of_columns, grow, leaf_of

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Forest:
    table: Table
    trees: list[Node]

    def predict_trees(self, X: Floats, *, cost: bool = False) -> Floats:
        """Each tree's prediction, shape (trees, rows)."""
        leaves = [[leaf_of(self.table, tree, row) for row in X] for tree in self.trees]
        return np.array([[leaf.cost if cost else leaf.value for leaf in row] for row in leaves])

    def predict(self, X: Floats) -> tuple[Floats, Floats]:
        """Mean and population variance over the trees."""
        values = self.predict_trees(X)
        return values.mean(axis=0), values.var(axis=0)

    def marginal(self, configs: Floats, instances: Floats, *, cost: bool = False) -> Floats:
        """Each tree's mean prediction over the instances, shape (trees, configs)."""
        pairs = [np.hstack([np.tile(config, (len(instances), 1)), instances]) for config in configs]
        return np.array([self.predict_trees(rows, cost=cost).mean(axis=1) for rows in pairs]).T

    def gains(self) -> Floats:
        """Reduction of the squared error by the splits on each column, shape (trees, columns)."""
        return np.array([gain_of_columns(tree, self.table.n_columns) for tree in self.trees])


def grow_forest(table: Table, samples: Sequence[Sequence[Copy]], *, seed: int, rules: Rules) -> Forest:
    """Grow one tree from each bootstrap sample."""
    return Forest(
        table,
        [grow(table, copies, key=draws.root_key(seed, b), rules=rules) for b, copies in enumerate(samples)],
    )


def samples_from_counts(
    counts: NDArray[np.uint16], targets: Floats, *, weights: Floats | None = None, costs: Floats | None = None
) -> list[list[Copy]]:
    """Turn counts, targets and costs, each of shape (trees, points), into one copy for each point of a tree.

    The copy stands for all copies of its point: its weight is their number times the point's own weight.
    """
    n_trees, n = counts.shape
    weights = np.ones(n) if weights is None else weights
    costs = targets if costs is None else costs
    return [
        [
            Copy(i, float(targets[b, i]), counts[b, i] * float(weights[i]), float(costs[b, i]))
            for i in range(n)
            if counts[b, i] * weights[i] > 0
        ]
        for b in range(n_trees)
    ]
