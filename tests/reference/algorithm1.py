"""Algorithm 1 of the paper, "Random Forest Fit under Censoring", line by line.

Read it next to the paper: names and quoted comments are the paper's. Python counts from
0, so data points are j = 0..n-1, trees b = 0..B-1 and copies k = 0..N_j - 1.

Symbols
-------
theta, y, c      inputs (n, d), observations (n,), censoring indicators (n,); c_j: the truth is at least y_j
sample[b][i]     the data point that the i-th data point of tree b is a copy of
N[j]             number of copies of data point j in all trees together
b_[j][k]         tree of the k-th copy of data point j
d_[j][k]         index of that copy in its tree
y_hat[b][i]      value imputed for the i-th data point of tree b, if it is censored
kappa_max        the ceiling, on the scale of y
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtri_exp

from reference import draws
from reference.forest import Forest
from reference.tree import Copy, Leaf, Node, Rules, Table, grow

Floats = NDArray[np.float64]
Imputed = list[dict[int, float]]


@dataclass(frozen=True)
class Data:
    theta: Floats
    y: Floats
    c: NDArray[np.bool_]
    categorical: Sequence[bool]


@dataclass(frozen=True)
class Options:
    B: int
    rules: Rules
    treatment: str = "sample"  # or "mean" (Schmee & Hahn), "drop", "ignore"
    kappa_max: float = math.inf
    max_iter: int = 10
    tol: float = 0.01  # of the range of y
    # The paper only has the following defaults.
    positions: str = "paper"  # or "midpoint"
    joint: bool = True
    ceiling_rule: str = "shift"  # or "shrink"
    bootstrap: bool = True
    oob: bool = False
    min_variance: float = 0.0


@dataclass(frozen=True)
class Streams:
    """Random generators, one for each purpose, so that they do not affect each other."""

    bootstrap: np.random.Generator
    order: np.random.Generator
    trees: np.random.Generator


@dataclass
class Bootstrap:
    sample: list[list[int]]
    N: list[int]
    b_: list[list[int]]
    d_: list[list[int]]


@dataclass
class Fit:
    forest: Forest
    bootstrap: Bootstrap
    s: dict[int, list[float]] = field(default_factory=dict)  # of each censored point, copy by copy
    iterations: int = 0
    converged: bool = True


def fit(data: Data, options: Options, rng: np.random.Generator) -> Fit:
    """Fit a random forest to censored data."""
    streams = Streams(*rng.spawn(3))
    if options.treatment == "ignore" or (options.treatment == "drop" and data.c.all()):
        data = take_bounds_as_values(data)
    elif options.treatment == "drop":
        data = Data(data.theta[~data.c], data.y[~data.c], data.c[~data.c], data.categorical)
    bootstrap = draw_bootstrap(len(data.y), options, streams)  # lines 1 to 8
    forest = fit_uncensored(data, bootstrap, options, streams)  # line 9
    if not data.c.any():
        return Fit(forest, bootstrap)
    return impute_and_refit(data, bootstrap, options, streams, forest)  # lines 10 to 16


def take_bounds_as_values(data: Data) -> Data:
    return Data(data.theta, data.y, np.zeros_like(data.c), data.categorical)


def draw_bootstrap(n: int, options: Options, streams: Streams) -> Bootstrap:
    """Lines 1 to 8: n draws for each tree from all n points, "regardless of their censoring status"."""
    N = [0] * n
    b_: list[list[int]] = [[] for _ in range(n)]
    d_: list[list[int]] = [[] for _ in range(n)]
    sample = [[-1] * n for _ in range(options.B)]
    for b in range(options.B):
        for i in range(n):
            j = int(streams.bootstrap.integers(n)) if options.bootstrap else i  # "Resample a data point"
            sample[b][i] = j  # "Set the i-th data point of tree b to the resampled point"
            N[j] = N[j] + 1  # "Total number of times data point j was resampled so far"
            b_[j].append(b)  # "Tree of this resample of data point j"
            d_[j].append(i)  # "Index of the resampled data point in that tree"
    return Bootstrap(sample, N, b_, d_)


def fit_uncensored(data: Data, bootstrap: Bootstrap, options: Options, streams: Streams) -> Forest:
    """Line 9: "Fit forest using uncensored data".

    The paper is silent on two cases. A tree that holds no uncensored copy predicts the mean of all uncensored
    observations; if there is none at all, the bounds are taken as values for this one fit.
    """
    if data.c.all():
        data = take_bounds_as_values(data)
    table = Table(data.theta, data.categorical)
    fallback = Leaf(float(data.y[~data.c].mean()), math.nan, frozenset())
    seed = draw_seed(streams)
    trees: list[Node] = []
    for b in range(options.B):
        copies = [Copy(j, float(data.y[j])) for j in bootstrap.sample[b] if not data.c[j]]
        key = draws.root_key(seed, b)
        trees.append(grow(table, copies, key=key, rules=options.rules) if copies else fallback)
    return Forest(table, trees)


def impute_and_refit(
    data: Data, bootstrap: Bootstrap, options: Options, streams: Streams, forest: Forest
) -> Fit:
    """Lines 10 to 16: repeat until "converged or iteration limit reached"."""
    censored = [j for j in range(len(data.y)) if data.c[j]]
    means_before = [float(data.y[j]) for j in censored if bootstrap.N[j] > 0]
    converged = False
    iterations = 0
    s: dict[int, list[float]] = {}
    while not converged and iterations < options.max_iter:
        y_hat: Imputed = [{} for _ in range(options.B)]
        for j in censored:
            s[j] = impute(data, j, forest, bootstrap=bootstrap, options=options, streams=streams)
            for k in range(bootstrap.N[j]):
                y_hat[bootstrap.b_[j][k]][bootstrap.d_[j][k]] = s[j][k]  # line 14
        forest = refit(data, bootstrap, y_hat, options=options, streams=streams)  # lines 15 and 16
        iterations += 1
        means = [sum(s[j]) / len(s[j]) for j in censored if s[j]]
        change = np.mean(np.abs(np.subtract(means, means_before))) if means else 0.0
        converged = bool(change <= options.tol * np.ptp(data.y))
        means_before = means
    return Fit(forest, bootstrap, s, iterations, converged)


def impute(
    data: Data, j: int, forest: Forest, *, bootstrap: Bootstrap, options: Options, streams: Streams
) -> list[float]:
    """Lines 12 and 13: a value for each copy of the censored data point j."""
    N_j = bootstrap.N[j]
    if N_j == 0:
        return []
    mu, sigma = belief(data.theta[j], forest, trees_with_copies=bootstrap.b_[j], options=options)
    y_j = float(data.y[j])
    if options.treatment == "mean":
        return [min(options.kappa_max, truncated_mean(mu, sigma, y_j))] * N_j
    if options.positions == "paper":
        q = [k / (N_j + 1) for k in range(1, N_j + 1)]
    else:
        q = [(k - 1 / 2) / N_j for k in range(1, N_j + 1)]
    s = [truncated_quantile(q_k, mu, sigma, y_j) for q_k in q]  # "Stratified sampling"
    s = keep_mean_below(options.kappa_max, s, y_j, rule=options.ceiling_rule)
    return s if options.joint else [float(s_k) for s_k in streams.order.permutation(s)]


def belief(
    theta_j: Floats, forest: Forest, *, trees_with_copies: list[int], options: Options
) -> tuple[float, float]:
    """Line 12: "predictive distribution of {T_1, .., T_B} for theta_j"."""
    predictions = forest.predict_trees(theta_j[np.newaxis])[:, 0]
    without_copy = [b for b in range(options.B) if b not in trees_with_copies]
    if options.oob and without_copy:
        predictions = predictions[without_copy]
    return float(predictions.mean()), math.sqrt(max(options.min_variance, predictions.var()))


def keep_mean_below(kappa_max: float, s: list[float], y_j: float, *, rule: str) -> list[float]:
    """Subtract m - kappa_max from each sample if their mean m exceeds kappa_max (the paper's footnote)."""
    m = sum(s) / len(s)
    if m <= kappa_max:
        return s
    if rule == "shift":
        return [s_k - (m - kappa_max) for s_k in s]
    return [y_j + (s_k - y_j) * (kappa_max - y_j) / (m - y_j) for s_k in s]


def refit(data: Data, bootstrap: Bootstrap, y_hat: Imputed, *, options: Options, streams: Streams) -> Forest:
    """Lines 15 and 16: "Re-fit random forest using uncensored & imputed data"."""
    table = Table(data.theta, data.categorical)
    seed = draw_seed(streams)
    trees: list[Node] = []
    for b in range(options.B):
        copies = [
            Copy(j, y_hat[b][i] if data.c[j] else float(data.y[j])) for i, j in enumerate(bootstrap.sample[b])
        ]
        trees.append(grow(table, copies, key=draws.root_key(seed, b), rules=options.rules))
    return Forest(table, trees)


def draw_seed(streams: Streams) -> int:
    """Draw new columns and split points for the trees of every fit."""
    return int(streams.trees.integers(2**63))


def truncated_quantile(q: float, mu: float, sigma: float, kappa: float) -> float:
    """Quantile of N(mu, sigma^2) truncated to [kappa, inf).

    1 - F(x) = (1 - Phi((x - mu) / sigma)) / (1 - Phi((kappa - mu) / sigma)), where the paper's density has
    mu - kappa by a slip. Solved for x in logarithms, for bounds far above mu.
    """
    if sigma == 0:
        return max(mu, kappa)
    log_survival = math.log1p(-q) + log_ndtr((mu - kappa) / sigma)
    return max(kappa, float(mu - sigma * ndtri_exp(log_survival)))


def truncated_mean(mu: float, sigma: float, kappa: float) -> float:
    """Mean of N(mu, sigma^2) truncated to [kappa, inf): mu + sigma phi(a) / (1 - Phi(a))."""
    if sigma == 0:
        return max(mu, kappa)
    a = (kappa - mu) / sigma
    log_density = -a * a / 2 - math.log(2 * math.pi) / 2
    return max(kappa, float(mu + sigma * math.exp(log_density - log_ndtr(-a))))
