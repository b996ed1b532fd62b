"""Speed of importances, compared with fitting the forest and with scikit-learn, in CPU time of one thread.

146 parameters, as many as Kissat has, 10,000 runs on 50 instances, 100 trees. Run it with `make bench`.
"""

import statistics
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestRegressor
from timing import cpu_s, milliseconds

from tightrope import CensoredForest
from tightrope.forest import ALGORITHM_1
from tightrope.forest.importance import Analysis, effects, thresholds
from tightrope.space import Space

Floats = NDArray[np.float64]
N_RUNS, N_INSTANCES, N_TREES, N_IN_PAIRS = 10_000, 50, 100, 12
N_FLAGS, N_NUMBERS = 73, 73
ROUNDS = 3


def space_of_a_solver() -> Space:
    """Return flags and integers, half of them on a log scale."""
    flags = {f"flag{i}": ["off", "on"] for i in range(N_FLAGS)}
    numbers = {f"number{i}": (1, 1000, "log") if i % 2 else (0, 20) for i in range(N_NUMBERS)}
    return Space.of({**flags, **numbers})


def runs_of(space: Space, rng: np.random.Generator) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return rows of configs and instances, costs and which are bounds; a dozen parameters matter."""
    rows = space.sample(N_RUNS // 5, rng)[rng.integers(0, N_RUNS // 5, N_RUNS)]
    instance = rng.integers(0, N_INSTANCES, N_RUNS)
    X = np.hstack([space.for_model(rows), instance[:, None].astype(float)])
    weights = np.zeros(space.n_columns)
    weights[rng.choice(space.n_columns, 12, replace=False)] = rng.uniform(0.3, 1.5, 12)
    difficulty = rng.normal(scale=1.5, size=N_INSTANCES)[instance]
    log = X[:, :-1] @ weights + X[:, 80] * X[:, 90] + 0.3 * rng.normal(size=N_RUNS)
    bound = rng.random(N_RUNS) < 0.5
    cost = np.exp(log + difficulty - bound * rng.uniform(0.0, 1.0, N_RUNS))
    return X, cost, bound


def row(work: str, ours_s: list[float], reference: str, theirs_s: list[float]) -> None:
    """Print a line of the table."""
    ratio = statistics.median(a / b for a, b in zip(ours_s, theirs_s, strict=True))
    print(
        f"| {work} | {milliseconds(statistics.median(ours_s))} | {reference}, "
        f"{milliseconds(statistics.median(theirs_s))} | {ratio:.2f} |",
        flush=True,
    )


def times(work: Callable[[], object]) -> list[float]:
    return [cpu_s(work) for _ in range(ROUNDS)]


def main() -> None:
    rng = np.random.default_rng(0)
    space = space_of_a_solver()
    X, cost, bound = runs_of(space, rng)
    categorical = np.append(space.categorical, True)
    settings = {**ALGORITHM_1, "min_variance": 1e-4, "max_iter": 5}
    forest = CensoredForest(N_TREES, log=True, min_samples_split=5, random_state=0, **settings)
    fit_s = times(lambda: forest.fit(X, cost, bound, categorical=categorical))
    peer = RandomForestRegressor(N_TREES, max_features=5 / 6, min_samples_split=5, n_jobs=1, random_state=0)
    peer_s = [cpu_s(lambda: peer.fit(X, np.log(cost)))] * ROUNDS
    instances = np.arange(float(N_INSTANCES))[:, None]

    def analysis() -> Analysis:
        return Analysis(
            forest, space.partition(thresholds(forest, space.n_columns), space.default()), instances
        )

    main_s = times(lambda: effects(analysis(), space.names, n_in_pairs=0))
    both_s = times(lambda: effects(analysis(), space.names, n_in_pairs=N_IN_PAIRS))
    print("| work | tightrope | against | ratio |\n| --- | --- | --- | --- |")
    name = f"{space.n_columns} parameters, {N_RUNS:,} runs, {N_TREES} trees"
    row(f"{name}: main effects and near a config", main_s, "the censored fit", fit_s)
    row(f"the same and {N_IN_PAIRS * (N_IN_PAIRS - 1) // 2} interactions", both_s, "the censored fit", fit_s)
    row("the same", both_s, "scikit-learn, one plain fit", peer_s)


if __name__ == "__main__":
    main()
