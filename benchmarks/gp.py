"""Speed of the Gaussian process compared with scikit-learn's, in CPU time with one thread.

Both have a Matern 5/2 kernel with a length-scale for each column and fit their hyperparameters: scikit-learn
from one start, ours from two. Ours has 30 % of the responses censored; scikit-learn takes the bounds as
values. "Refit" is the step of optimisation after each evaluation: a log model of points of which two thirds
are close to an optimum and most are censored at 1.3 times the best cost so far. It starts from the
hyperparameters of a fit with one row less. Run it with `python benchmarks/gp.py`.
"""

import statistics
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel
from threadpoolctl import threadpool_limits
from timing import cpu_s, milliseconds

from tightrope.gp import CensoredProcess

Floats = NDArray[np.float64]
N_COLUMNS = 6
N_CANDIDATES = 2000
GOALS_S = {
    ("fit", 100): 0.1,
    ("fit", 1000): 5.0,
    ("refit", 30): 0.01,
    ("refit", 100): 0.03,
    (f"belief at {N_CANDIDATES} points", 100): 0.01,
}


def problem(n: int) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Generate smooth responses with a little noise; the largest 30 % are censored."""
    rng = np.random.default_rng(n)
    X = rng.random((n, N_COLUMNS))
    y = np.sin(5 * X[:, 0]) + 2 * X[:, -1] ** 2 + X @ np.linspace(1, 0, N_COLUMNS)
    y += rng.normal(scale=0.1, size=n)
    cap = np.quantile(y, 0.7)
    return X, np.minimum(y, cap), y > cap


def optimisation_points(n: int) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Generate costs without noise as in an optimisation, capped at 1.3 times the best cost so far."""
    rng = np.random.default_rng(n)
    optimum = rng.uniform(0.3, 0.7, size=N_COLUMNS)
    widths = np.where(np.arange(n) < n // 3, 1.0, 10.0 ** rng.uniform(-4.0, -0.5, size=n))
    X = np.clip(optimum + widths[:, np.newaxis] * rng.uniform(-1.0, 1.0, size=(n, N_COLUMNS)), 0.0, 1.0)
    costs = 1.0 + 300.0 * (X - optimum) ** 2 @ np.linspace(0.2, 2.0, N_COLUMNS)
    caps = 1.3 * np.minimum.accumulate(np.append(np.inf, costs[:-1]))
    return X, np.minimum(costs, caps), costs > caps


def median_cpu_s(work: Callable[[], object], *, rounds: int) -> float:
    return statistics.median(cpu_s(work) for _ in range(rounds))


def show(work: str, n: int, ours_s: float, theirs_s: float | None) -> None:
    theirs = "" if theirs_s is None else f"{milliseconds(theirs_s)} | {theirs_s / ours_s:.1f}"
    goal = GOALS_S.get((work, n))
    verdict = "" if goal is None else f"at most {milliseconds(goal)}{'' if ours_s <= goal else ': missed'}"
    print(f"| {work}, n = {n} | {milliseconds(ours_s)} | {theirs or ' | '} | {verdict} |", flush=True)


def measure(n: int, *, rounds: int) -> None:
    X, y, censored = problem(n)
    ours = CensoredProcess(random_state=0)
    kernel = ConstantKernel() * Matern(np.ones(N_COLUMNS), nu=2.5) + WhiteKernel(0.1)
    theirs = GaussianProcessRegressor(kernel, normalize_y=True)
    show(
        "fit",
        n,
        median_cpu_s(lambda: ours.fit(X, y, censored), rounds=rounds),
        median_cpu_s(lambda: theirs.fit(X, y), rounds=1 if n > 500 else rounds),
    )
    fewer = CensoredProcess(random_state=0).fit(X[:-1], y[:-1], censored[:-1]).hyperparameters_
    fixed = CensoredProcess(max_iter=0)
    show(
        "fit with given hyperparameters",
        n,
        median_cpu_s(lambda: fixed.fit(X, y, censored, start=fewer), rounds=rounds),
        None,
    )
    new = np.random.default_rng(1).random((N_CANDIDATES, N_COLUMNS))
    show(
        f"belief at {N_CANDIDATES} points",
        n,
        median_cpu_s(lambda: ours.belief(new), rounds=rounds),
        median_cpu_s(lambda: theirs.predict(new, return_std=True), rounds=rounds),
    )


def measure_refits(n: int, *, rounds: int) -> None:
    X, y, censored = optimisation_points(n)
    start = CensoredProcess(log=True, random_state=0).fit(X[:-1], y[:-1], censored[:-1]).hyperparameters_
    for work, n_restarts in (("refit", 0), ("refit with a restart", 1)):
        process = CensoredProcess(log=True, n_restarts=n_restarts, random_state=0)
        spent_s = median_cpu_s(partial(process.fit, X, y, censored, start=start), rounds=rounds)
        show(work, n, spent_s, None)


def main() -> None:
    print("| work | tightrope | scikit-learn | ratio | goal |\n| --- | --- | --- | --- | --- |")
    with threadpool_limits(1):
        for n, rounds in ((30, 9), (100, 9), (300, 5), (1000, 3)):
            measure(n, rounds=rounds)
            measure_refits(n, rounds=rounds)


if __name__ == "__main__":
    main()
