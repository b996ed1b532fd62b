"""Speed of the forest kernel compared with scikit-learn's, in CPU time of one thread.

Each ratio is the median over five rounds. In each round both are measured one after the other, so that other
load on the machine largely cancels out. Run it with `make bench`.
"""

import argparse
import math
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestRegressor
from timing import cpu_s, milliseconds

from tightrope import CensoredForest
from tightrope.forest import ALGORITHM_1, _kernel

Floats = NDArray[np.float64]
ROUNDS = 5
MAX_FEATURES = 5 / 6
MIN_SAMPLES_SPLIT = 10


@dataclass(frozen=True)
class Problem:
    """Rows as in algorithm configuration: config columns followed by instance columns."""

    X: Floats
    y: Floats
    categorical: NDArray[np.bool_]
    instances: Floats
    counts: NDArray[np.uint16]
    tree_targets: Floats

    @property
    def n_config_columns(self) -> int:
        """Number of columns that describe the config."""
        return self.X.shape[1] - self.instances.shape[1]


def mixed_problem(n: int, d: int, *, n_trees: int, seed: int = 0) -> Problem:
    """Generate data like those of a tuning.

    Of the config columns half are categorical (2 to 10 levels), a quarter has 16 values, and a quarter is
    continuous. Configs and instances recur: n/10 configs, n/20 instances (at most 500). A third of the
    columns are instance features. 30 % of the points are censored; there every tree has its own targets.
    """
    rng = np.random.default_rng(seed)
    n_config = 2 * d // 3
    n_categorical, n_stepped = n_config // 2, n_config // 4
    configs = rng.random((max(n // 10, 50), n_config))
    for j in range(n_categorical):
        configs[:, j] = rng.integers(0, rng.integers(2, 11), len(configs))
    stepped = slice(n_categorical, n_categorical + n_stepped)
    configs[:, stepped] = np.floor(16 * configs[:, stepped]) / 16
    instances = rng.normal(size=(min(500, max(50, n // 20)), d - n_config))
    X = np.hstack([configs[rng.integers(0, len(configs), n)], instances[rng.integers(0, len(instances), n)]])
    y = smooth_response(X, n_config, n_categorical) + rng.normal(scale=0.3, size=n)
    return Problem(X, y, np.arange(d) < n_categorical, instances, *bootstrap(y, n_trees, rng=rng))


def bootstrap(y: Floats, n_trees: int, *, rng: np.random.Generator) -> tuple[NDArray[np.uint16], Floats]:
    """Draw the counts of each tree, and targets of each tree that exceed y at 30 % of the points."""
    n = len(y)
    draws = [np.bincount(rng.integers(0, n, n), minlength=n) for _ in range(n_trees)]
    excess = np.abs(rng.normal(scale=0.3, size=(n_trees, n))) * (rng.random(n) < 0.3)
    return np.stack(draws).astype(np.uint16), y + excess


def smooth_response(X: Floats, n_config: int, n_categorical: int) -> Floats:
    """Return main effects of a few columns plus interactions of configs with instances."""
    y = np.sin(3 * X[:, n_config - 1]) + 2 * X[:, n_config - 2] * (X[:, -1] > 0) + np.abs(X[:, -2])
    for j in range(min(4, n_categorical)):
        y = y + 0.7 * np.cos(2.1 * X[:, j] + j)
    return y + 0.5 * X[:, -3] * X[:, n_config - 3]


def continuous_problem(n: int, d: int, *, n_trees: int) -> Problem:
    """Generate continuous columns with distinct values only, and responses that depend on them."""
    rng = np.random.default_rng(1)
    X = rng.random((n, d))
    y = smooth_response(X - 0.5, 2 * d // 3, 0) + rng.normal(scale=0.3, size=n)
    return Problem(X, y, np.zeros(d, dtype=bool), X[:500, 2 * d // 3 :], *bootstrap(y, n_trees, rng=rng))


def fit_kernel(problem: Problem) -> _kernel.Forest:
    """Encode the table and grow the forest."""
    n, d = problem.X.shape
    return _kernel.grow(
        _kernel.Table(problem.X, problem.categorical),
        problem.counts,
        problem.y,
        np.arange(n),
        problem.tree_targets,
        drawn_columns=math.ceil(MAX_FEATURES * d),
        min_samples_split=MIN_SAMPLES_SPLIT,
        min_samples_leaf=1,
        seed=1,
        threads=1,
    )


def fit_sklearn(problem: Problem) -> RandomForestRegressor:
    """Fit scikit-learn's forest with the same trees, share of columns and smallest node."""
    return RandomForestRegressor(
        len(problem.counts),
        max_features=MAX_FEATURES,
        min_samples_split=MIN_SAMPLES_SPLIT,
        n_jobs=1,
        random_state=0,
    ).fit(problem.X, problem.y)


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    work: str
    ours_s: float
    theirs: str
    theirs_s: float
    ratio: float
    goal: str

    def __str__(self) -> str:
        """Return a line of Markdown."""
        times = f"{milliseconds(self.ours_s)} | {self.theirs}, {milliseconds(self.theirs_s)}"
        return f"| {self.work} | {times} | {self.ratio:.1f} | {self.goal} |"


def compare(
    work: str,
    ours: Callable[[], object],
    theirs: Callable[[], object],
    *,
    peer: str,
    goal: str,
    share: float = 1.0,
) -> Row:
    """Measure both in turn; `share` is the part of the work that theirs does."""
    times = [(cpu_s(ours), cpu_s(theirs) / share) for _ in range(ROUNDS)]
    ratio = statistics.median(b / a for a, b in times)
    return Row(
        work,
        statistics.median(a for a, _ in times),
        peer,
        statistics.median(b for _, b in times),
        ratio,
        goal,
    )


def fit_rows() -> list[Row]:
    rows = []
    for make, kind in ((mixed_problem, "mixed"), (continuous_problem, "continuous")):
        for n, d, n_trees, goal in ((500, 30, 50, "9"), (5000, 60, 10, "9"), (50_000, 90, 2, "8")):
            problem = make(n, d, n_trees=n_trees)
            work = f"fit {n} x {d} {kind}, {n_trees} trees"
            rows.append(show(compare(work, lambda p=problem: fit_kernel(p), lambda p=problem: fit_sklearn(p),
                                     peer="scikit-learn", goal=goal)))  # fmt: skip
    return rows


def prediction_rows() -> list[Row]:
    problem = mixed_problem(20_000, 90, n_trees=10)
    forest, peer = fit_kernel(problem), fit_sklearn(problem)
    rng = np.random.default_rng(2)
    new = np.column_stack([rng.choice(column, 10_000) for column in problem.X.T])
    configs = np.ascontiguousarray(new[:, : problem.n_config_columns])
    few = configs[:100]
    by_pairs = forest.marginal_by_pairs(few, problem.instances, 1)
    difference = np.abs(forest.marginal(few, problem.instances, 1) - by_pairs).max()
    rows = [
        show(compare("predict mean and variance of 10,000 rows, 10 trees", lambda: forest.predict(new, 1),
                     lambda: peer.predict(new), peer="scikit-learn (mean only)", goal="1")),
        show(compare("marginal of 10,000 configs over 500 instances, 10 trees",
                     lambda: forest.marginal(configs, problem.instances, 1),
                     lambda: forest.marginal_by_pairs(few, problem.instances, 1),
                     peer="tightrope, every pair", goal="60", share=len(few) / len(configs))),
    ]  # fmt: skip
    print(f"\nlargest difference between the marginal and the mean over every pair: {difference:.1e}")
    return rows


def estimator_row() -> Row:
    """Time a user's whole fit: ten refits with a third of the points censored."""
    problem = mixed_problem(5000, 60, n_trees=10)
    cap = np.quantile(problem.y, 0.67)
    censored = problem.y > cap
    settings = {**ALGORITHM_1, "tol": 0.0, "min_samples_split": MIN_SAMPLES_SPLIT}
    ours = CensoredForest(10, random_state=0, **settings)
    y = np.minimum(problem.y, cap)
    columns = np.flatnonzero(problem.categorical)
    return show(
        compare(
            "CensoredForest.fit 5000 x 60, 33 % censored, 10 trees, 10 iterations",
            lambda: ours.fit(problem.X, y, censored, categorical=columns),
            lambda: fit_sklearn(problem),
            peer="scikit-learn, one plain fit",
            goal="",
        )
    )


def peak_memory_mb() -> float:
    """Fit 50000 x 90 and return the peak of memory above the memory before."""
    problem = mixed_problem(50_000, 90, n_trees=10)
    Path("/proc/self/clear_refs").write_text("5")  # reset the peak, which is that of generating the data
    before = memory_mb("VmRSS")
    fit_kernel(problem)
    return memory_mb("VmHWM") - before


def memory_mb(field: str) -> float:
    """Read a line such as `VmRSS:  1234 kB` from the process status."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(field)) / 1024


def show(row: Row) -> Row:
    print(row, flush=True)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memory", action="store_true", help="only print the peak memory of a fit, in MB")
    if parser.parse_args().memory:
        print(f"{peak_memory_mb():.0f}")
        return
    print("| work | tightrope | against | ratio | goal |\n| --- | --- | --- | --- | --- |")
    rows = [*fit_rows(), estimator_row(), *prediction_rows()]
    memory = subprocess.run(
        [sys.executable, __file__, "--memory"], capture_output=True, text=True, check=True
    )
    print(f"memory besides the data, 50000 x 90, 10 trees: {memory.stdout.strip()} MB (goal: at most 150)")
    missed = [row.work for row in rows if row.goal and row.ratio < float(row.goal)]
    print("all goals are met" if not missed else f"missed: {'; '.join(missed)}")


if __name__ == "__main__":
    main()
