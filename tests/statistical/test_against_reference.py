"""CensoredForest compared with the reference Algorithm 1: exactly, given its draws, and on average."""

from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import ks_2samp

from reference import algorithm1
from reference.algorithm1 import Data, Options
from reference.tree import Rules
from tightrope.forest import ALGORITHM_1, CensoredForest, imputation
from tightrope.forest.growth import Growth
from tightrope.forest.responses import Responses

Floats = NDArray[np.float64]

CEILING = 3.2
N_SEEDS = 300
# Two means over independent seeds differ by less than this many standard errors, unless they estimate
# different things: a normal variable exceeds 4.5 once in 147,000 times, and fewer than 100 are looked at.
MOST_STANDARD_ERRORS = 4.5
# The same for whole distributions: p-value of the two-sample Kolmogorov-Smirnov test.
LEAST_P_VALUE = 1e-5


def make_data(n: int, *, seed: int, share_censored: float) -> Data:
    """Draw points on three columns, the last one categorical; all observed values are at most CEILING."""
    rng = np.random.default_rng(seed)
    theta = rng.random((n, 3))
    theta[:, 2] = rng.integers(0, 4, n)
    truth = 3 * theta[:, 0] + theta[:, 2] / 2 + rng.normal(scale=0.3, size=n)
    c = rng.random(n) < share_censored
    y = np.minimum(np.where(c, truth - rng.exponential(0.5, n), truth), CEILING)
    return Data(theta, y, c, [False, False, True])


def grow_package(data: Data, options: Options, rng: np.random.Generator) -> imputation.Imputed:
    names = {field.name for field in fields(imputation.Rules)} & {field.name for field in fields(Options)}
    rules = {name: getattr(options, name) for name in names}
    return imputation.grow_forest(
        data.theta,
        Responses(data.y, data.c, ceiling=options.kappa_max),
        categorical=np.array(data.categorical),
        rules=imputation.Rules(**rules),
        growth=Growth(
            options.B,
            options.rules.drawn_columns,
            options.rules.min_samples_split,
            options.rules.min_samples_leaf,
            options.bootstrap,
        ),
        rng=rng,
    )


VARIANTS: dict[str, dict[str, Any]] = {
    "sample": {},
    "midpoint": {"positions": "midpoint"},
    "mean": {"treatment": "mean"},
    "drop": {"treatment": "drop"},
    "ignore": {"treatment": "ignore"},
    "ceiling": {"kappa_max": CEILING},
    "shrink": {"kappa_max": CEILING, "ceiling_rule": "shrink"},
    "mean below a ceiling": {"treatment": "mean", "kappa_max": CEILING},
    "no bootstrap": {"bootstrap": False},
    "out of bag": {"oob": True},
    "variance floor": {"min_variance": 0.5},
    "one iteration": {"max_iter": 1},
    "larger leaves": {"rules": Rules(2, 4, 2)},
}
SHARES = {"few": 0.2, "half": 0.5, "most": 0.9, "all": 1.0, "none": 0.0}


@pytest.mark.parametrize("share", SHARES.values(), ids=SHARES.keys())
@pytest.mark.parametrize("changes", VARIANTS.values(), ids=VARIANTS.keys())
def test_with_the_same_draws_every_tree_equals_algorithm_1(changes: dict[str, Any], share: float) -> None:
    data = make_data(25, seed=round(10 * share), share_censored=share)
    options = replace(Options(B=7, rules=Rules(2), max_iter=4), **changes)
    expected = algorithm1.fit(data, options, np.random.default_rng(5))
    found = grow_package(data, options, np.random.default_rng(5))
    X = make_data(40, seed=99, share_censored=0.0).theta
    np.testing.assert_allclose(
        found.forest.predict_trees(X, 1), expected.forest.predict_trees(X), rtol=1e-9, atol=1e-9
    )


def test_with_the_same_draws_trees_without_uncensored_copies_equal_algorithm_1() -> None:
    data = make_data(10, seed=4, share_censored=1.0)
    data = replace(data, c=np.arange(10) > 0)  # a tree has no copy of point 0 with probability 0.35
    options = Options(B=9, rules=Rules(2), max_iter=2)
    expected = algorithm1.fit(data, options, np.random.default_rng(5))
    assert any(0 not in sample for sample in expected.bootstrap.sample)
    found = grow_package(data, options, np.random.default_rng(5))
    np.testing.assert_allclose(
        found.forest.predict_trees(data.theta, 1),
        expected.forest.predict_trees(data.theta),
        rtol=1e-9,
        atol=1e-9,
    )


@pytest.mark.parametrize("tol", [0.0, 0.02, 0.1])
def test_with_the_same_draws_samples_and_iterations_equal_algorithm_1(tol: float) -> None:
    data = make_data(25, seed=3, share_censored=0.5)
    options = Options(B=7, rules=Rules(2), tol=tol)
    expected = algorithm1.fit(data, options, np.random.default_rng(5))
    found = grow_package(data, options, np.random.default_rng(5))
    assert (found.n_iter, found.converged) == (expected.iterations, expected.converged)
    for column, j in enumerate(np.flatnonzero(data.c)):
        trees = np.array(expected.bootstrap.b_[j])
        for b in range(options.B):
            of_tree = np.array(expected.s[j])[trees == b]
            value = np.mean(of_tree) if of_tree.size else np.nan
            np.testing.assert_allclose(found.samples[b, column], value, rtol=1e-9)


DATA = make_data(16, seed=1, share_censored=0.5)
QUERIES = np.vstack([DATA.theta[DATA.c], make_data(3, seed=2, share_censored=0.0).theta])
OPTIONS = Options(B=5, rules=Rules(2), max_iter=3, tol=0.0)
DRAWN: dict[str, dict[str, Any]] = {
    "sample": {},
    "independent": {"joint": False},
    "mean": {"treatment": "mean"},
}


@dataclass(frozen=True)
class Beliefs:
    """One forest per seed: shapes (seeds, queries) and, for the mean over all queries, (seeds, 1)."""

    mean: Floats
    std: Floats
    std_of_average: Floats


def summarize(trees: list[Floats]) -> Beliefs:
    """Turn predictions of the trees, of shape (B, queries) for each seed, into beliefs."""
    stacked = np.array(trees)
    average = stacked.mean(axis=2, keepdims=True)
    return Beliefs(stacked.mean(axis=1), stacked.std(axis=1), average.std(axis=1))


@cache
def reference_beliefs(name: str) -> Beliefs:
    options = replace(OPTIONS, **DRAWN[name])
    fits = [algorithm1.fit(DATA, options, np.random.default_rng(seed)) for seed in range(N_SEEDS)]
    return summarize([fit.forest.predict_trees(QUERIES) for fit in fits])


@cache
def package_beliefs(name: str) -> Beliefs:
    options = replace(OPTIONS, **DRAWN[name])
    forest = CensoredForest(
        options.B,
        treatment=options.treatment,
        joint=options.joint,
        tol=options.tol,
        **{**ALGORITHM_1, "max_iter": options.max_iter, "max_features": options.rules.drawn_columns},
    )
    trees = []
    for seed in range(N_SEEDS):
        forest.set_params(random_state=seed).fit(DATA.theta, DATA.y, DATA.c, categorical=[2])
        trees.append(forest.predict_trees(QUERIES).T)
    return summarize(trees)


def standard_errors_apart(one: Floats, other: Floats) -> Floats:
    """Return the difference of the means over seeds in units of its standard error, for each query."""
    error = np.sqrt(one.var(axis=0, ddof=1) / len(one) + other.var(axis=0, ddof=1) / len(other))
    return np.abs(one.mean(axis=0) - other.mean(axis=0)) / error


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("statistic", ["mean", "std", "std_of_average"])
def test_beliefs_agree_on_average_over_seeds(name: str, statistic: str) -> None:
    reference, package = (
        getattr(beliefs(name), statistic) for beliefs in (reference_beliefs, package_beliefs)
    )
    assert standard_errors_apart(reference, package).max() < MOST_STANDARD_ERRORS


@pytest.mark.parametrize("name", DRAWN)
def test_beliefs_scatter_equally_between_seeds(name: str) -> None:
    reference, package = reference_beliefs(name).mean, package_beliefs(name).mean
    squares = [(mean - mean.mean(axis=0)) ** 2 for mean in (reference, package)]
    assert standard_errors_apart(*squares).max() < MOST_STANDARD_ERRORS


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("statistic", ["mean", "std", "std_of_average"])
def test_beliefs_have_the_same_distribution_over_seeds(name: str, statistic: str) -> None:
    reference, package = (
        getattr(beliefs(name), statistic) for beliefs in (reference_beliefs, package_beliefs)
    )
    p_values = [ks_2samp(*columns).pvalue for columns in zip(reference.T, package.T, strict=True)]
    assert min(p_values) > LEAST_P_VALUE


@pytest.mark.parametrize(("other", "statistic"), [("independent", "std_of_average"), ("mean", "std")])
def test_the_number_of_seeds_suffices_to_tell_variants_apart(other: str, statistic: str) -> None:
    sample, variant = (
        getattr(reference_beliefs("sample"), statistic),
        getattr(reference_beliefs(other), statistic),
    )
    assert standard_errors_apart(sample, variant).max() > MOST_STANDARD_ERRORS
