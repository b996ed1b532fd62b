"""Random data sets that cover the corner cases of tree growing."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reference.forest import Forest, grow_forest, samples_from_counts
from reference.tree import Rules, Table

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Problem:
    """All inputs of a forest: B trees, n points, k of them with a target for each tree."""

    X: Floats  # (n, d)
    categorical: NDArray[np.bool_]  # (d,)
    counts: NDArray[np.uint16]  # (B, n)
    targets: Floats  # (n,)
    imputed_rows: NDArray[np.int64]  # (k,)
    imputed: Floats  # (B, k)
    weights: Floats | None  # (n,)
    rules: Rules
    seed: int

    def arguments(self) -> tuple[Any, ...]:
        """Positional arguments of the kernel, after the table."""
        return self.counts, self.targets, self.imputed_rows, self.imputed

    def options(self) -> dict[str, Any]:
        """Return the keyword arguments of the kernel; a cost is the square of a target."""
        return {
            "costs": np.square(self.targets),
            "imputed_costs": np.square(self.imputed),
            "weights": self.weights,
            "drawn_columns": self.rules.drawn_columns,
            "min_samples_split": self.rules.min_samples_split,
            "min_samples_leaf": self.rules.min_samples_leaf,
            "seed": self.seed,
            "threads": 1,
        }


def reference_forest(problem: Problem) -> Forest:
    targets = np.tile(problem.targets, (len(problem.counts), 1))
    targets[:, problem.imputed_rows] = problem.imputed
    samples = samples_from_counts(problem.counts, targets, weights=problem.weights, costs=np.square(targets))
    return grow_forest(Table(problem.X, problem.categorical), samples, seed=problem.seed, rules=problem.rules)


def random_problem(seed: int, *, n: int, d: int, n_trees: int = 3) -> Problem:
    rng = np.random.default_rng([seed, n, d])
    X, categorical = random_columns(rng, n=n, d=d)
    counts = rng.multinomial(n, np.full(n, 1 / n), size=n_trees).astype(np.uint16)
    weights = rng.choice([0.0, 0.25, 1.0, 2.5], p=[0.05, 0.15, 0.6, 0.2], size=n)
    counts[:, 0], weights[0] = np.maximum(counts[:, 0], 1), 1.0  # no tree without a point
    imputed_rows = np.sort(rng.choice(n, size=int(rng.integers(0, n // 2 + 1)), replace=False)).astype(
        np.int64
    )
    few = bool(rng.random() < 0.4)
    return Problem(
        X=X,
        categorical=categorical,
        counts=counts,
        targets=random_targets(rng, n, few=few),
        imputed_rows=imputed_rows,
        imputed=random_targets(rng, (n_trees, len(imputed_rows)), few=few),
        weights=weights if rng.random() < 0.4 else None,
        rules=Rules(
            drawn_columns=int(rng.integers(1, d + 1)),
            min_samples_split=int(rng.choice([2, 2, 5, 10])),
            min_samples_leaf=int(rng.choice([1, 1, 2, 3, 5])),
        ),
        seed=int(rng.integers(2**64, dtype=np.uint64)),
    )


def random_targets(rng: np.random.Generator, shape: int | tuple[int, int], *, few: bool) -> Floats:
    """Draw all different or (so that means and gains tie) few different targets."""
    return rng.integers(-4, 5, size=shape) / 4 if few else rng.normal(3.0, 2.0, size=shape)


def random_columns(rng: np.random.Generator, *, n: int, d: int) -> tuple[Floats, NDArray[np.bool_]]:
    """Draw columns of all kinds; some rows are duplicates."""
    columns, categorical = [], []
    for _ in range(d):
        kind = rng.choice(
            ["continuous", "few", "many", "levels", "constant"], p=[0.25, 0.25, 0.2, 0.25, 0.05]
        )
        if kind == "continuous":
            column = rng.normal(size=n) * 10.0 ** rng.integers(-3, 4)
        elif kind == "constant":
            column = np.full(n, 7.0)
        else:
            fewest, most = {"few": (2, 41), "many": (33, 1501), "levels": (2, 101)}[str(kind)]
            column = rng.integers(0, int(rng.integers(fewest, most)), size=n) - float(rng.integers(0, 3))
        if rng.random() < 0.3:
            column[rng.random(n) < 0.2] = np.nan
        columns.append(column)
        categorical.append(kind == "levels")
    X = np.column_stack(columns)
    X[rng.integers(0, n, n // 8)] = X[rng.integers(0, n, n // 8)]
    return np.ascontiguousarray(X), np.array(categorical)


def new_rows(problem: Problem, rng: np.random.Generator, m: int) -> Floats:
    """Mix values of the problem's rows; a tenth are NaN, levels never seen or numbers out of range."""
    n, d = problem.X.shape
    rows = np.column_stack([problem.X[rng.integers(0, n, m), j] for j in range(d)])
    strange = rng.random((m, d)) < 0.1
    rows[strange] = rng.choice([np.nan, -5.0, 0.5, 1e6], size=int(strange.sum()))
    rows[:, problem.categorical] = np.floor(rows[:, problem.categorical])
    return np.ascontiguousarray(rows)
