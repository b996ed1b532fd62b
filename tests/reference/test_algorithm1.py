"""The reference implementation of Algorithm 1, compared with mpmath and hand-worked cases."""

import math
from dataclasses import replace
from typing import Any

import mpmath
import numpy as np
import pytest

from reference.algorithm1 import (
    Bootstrap,
    Data,
    Options,
    Streams,
    draw_bootstrap,
    fit,
    fit_uncensored,
    impute,
    truncated_mean,
    truncated_quantile,
)
from reference.forest import Forest
from reference.tree import Rules

OPTIONS = Options(B=8, rules=Rules(1))


def streams(seed: int = 0) -> Streams:
    return Streams(*np.random.default_rng(seed).spawn(3))


def copies(data: Data, j: int, *, number: int) -> Bootstrap:
    """Give data point j this many copies, one in each of the first trees."""
    empty = [[] for _ in data.y]
    b_ = [list(range(number)) if k == j else [] for k in range(len(data.y))]
    return Bootstrap(sample=[], N=[len(trees) for trees in b_], b_=b_, d_=empty)


def line(n: int, *, seed: int = 0, n_censored: int = 4) -> Data:
    rng = np.random.default_rng(seed)
    c = np.zeros(n, dtype=bool)
    c[:n_censored] = True
    return Data(rng.random((n, 2)), rng.normal(size=n), rng.permutation(c), [False, False])


@pytest.mark.parametrize("distance", [-5, 0, 2, 10, 100, 1000])
@pytest.mark.parametrize("q", [0.05, 0.5, 0.95])
def test_quantiles_solve_the_truncated_distribution_function(distance: float, q: float) -> None:
    mu, sigma = 1.5, 0.5
    kappa = mu + sigma * distance
    x = truncated_quantile(q, mu, sigma, kappa)
    with mpmath.workdps(50):
        z, a = (mpmath.mpf(x) - mu) / sigma, (mpmath.mpf(kappa) - mu) / sigma
        mass = mpmath.erfc(a / mpmath.sqrt(2)) / 2
        excess = 1 - mpmath.erfc(z / mpmath.sqrt(2)) / 2 / mass - q
        error = excess / (mpmath.npdf(z) / sigma / mass)  # one step of Newton's method from x to the root
    assert abs(float(error)) < 1e-11 * abs(x)


@pytest.mark.parametrize("distance", [-5, 0, 2, 10, 100, 1000])
def test_the_truncated_mean_is_the_integral(distance: float) -> None:
    mu, sigma = 1.5, 0.5
    kappa = mu + sigma * distance
    with mpmath.workdps(30):
        scale = 1 / mpmath.mpf(max(1, distance))

        def density(z: mpmath.mpf) -> mpmath.mpf:
            return mpmath.exp(-z * distance - z * z / 2)

        ends = [0, scale, 5 * scale, 40 * scale] if distance > 0 else [0, 1, 5, 10, 20]
        excess = mpmath.quad(lambda z: z * density(z), ends) / mpmath.quad(density, ends)
    assert truncated_mean(mu, sigma, kappa) == pytest.approx(float(kappa + sigma * excess), rel=1e-10)


def test_without_spread_the_larger_of_belief_and_bound_is_imputed() -> None:
    assert [truncated_quantile(0.3, 2.0, 0.0, kappa) for kappa in (1.0, 3.0)] == [2.0, 3.0]
    assert [truncated_mean(2.0, 0.0, kappa) for kappa in (1.0, 3.0)] == [2.0, 3.0]


def test_each_copy_is_found_through_its_tree_and_index() -> None:
    boot = draw_bootstrap(9, OPTIONS, streams())
    assert sum(boot.N) == 9 * OPTIONS.B
    for j in range(9):
        assert [boot.sample[b][d] for b, d in zip(boot.b_[j], boot.d_[j], strict=True)] == [j] * boot.N[j]
        assert boot.b_[j] == sorted(boot.b_[j])


def test_the_first_fit_ignores_censored_points() -> None:
    data = line(12)
    higher = replace(data, y=data.y + 100 * data.c)
    boot = draw_bootstrap(12, OPTIONS, streams())
    X = np.random.default_rng(1).random((20, 2))
    one, other = (fit_uncensored(each, boot, OPTIONS, streams(4)).predict_trees(X) for each in (data, higher))
    np.testing.assert_array_equal(one, other)


def test_a_tree_without_uncensored_copies_predicts_the_mean_of_all_uncensored() -> None:
    data = line(6, n_censored=4)
    boot = draw_bootstrap(6, OPTIONS, streams())
    boot.sample[2] = [int(np.flatnonzero(data.c)[0])] * 6
    forest = fit_uncensored(data, boot, OPTIONS, streams())
    assert forest.predict_trees(data.theta)[2] == pytest.approx(data.y[~data.c].mean())


def test_with_all_points_censored_the_first_fit_takes_the_bounds_as_values() -> None:
    data = line(6, n_censored=6)
    options = replace(OPTIONS, bootstrap=False)
    forest = fit_uncensored(data, draw_bootstrap(6, options, streams()), options, streams())
    np.testing.assert_allclose(forest.predict(data.theta)[0], data.y)


def test_samples_ascend_in_tree_order_and_stay_above_the_bound() -> None:
    data = line(14, n_censored=8)
    result = fit(data, OPTIONS, np.random.default_rng(0))
    for j, s in result.s.items():
        assert s == sorted(s)
        assert all(value >= data.y[j] for value in s)
        assert len(s) == result.bootstrap.N[j]


@pytest.fixture(name="censored_point")
def _censored_point() -> tuple[Data, int, Forest]:
    data = line(14, n_censored=8)
    return data, int(np.flatnonzero(data.c)[0]), fit(data, OPTIONS, np.random.default_rng(0)).forest


def impute_copies(point: tuple[Data, int, Forest], *, number: int, **changes: Any) -> list[float]:
    data, j, forest = point
    options, boot = replace(OPTIONS, **changes), copies(data, j, number=number)
    return impute(data, j, forest, bootstrap=boot, options=options, streams=streams())


def test_independent_samples_are_the_joint_ones_in_another_order(censored_point: Any) -> None:
    joint = impute_copies(censored_point, number=20)
    independent = impute_copies(censored_point, number=20, joint=False)
    assert independent != joint
    assert sorted(independent) == joint


@pytest.mark.parametrize(("positions", "share"), [("paper", 0.62), ("midpoint", 0.88)])
def test_positions_keep_the_documented_share_of_the_variance(
    censored_point: Any, positions: str, share: float
) -> None:
    data, j, forest = censored_point
    s = impute_copies((replace(data, y=np.full(14, -1e3)), j, forest), number=10, positions=positions)
    assert np.var(s) / forest.predict(data.theta[[j]])[1][0] == pytest.approx(share, abs=0.01)


def test_the_mean_of_the_samples_is_shifted_down_to_the_ceiling(censored_point: Any) -> None:
    free = impute_copies(censored_point, number=9)
    ceiling = float(np.mean(free)) - 0.25
    held = impute_copies(censored_point, number=9, kappa_max=ceiling)
    np.testing.assert_allclose(held, np.array(free) - 0.25)


def test_shrinking_keeps_the_bound_the_order_and_the_mean_at_the_ceiling(censored_point: Any) -> None:
    data, j, _ = censored_point
    ceiling = float(data.y[j] + np.mean(impute_copies(censored_point, number=9))) / 2
    held = impute_copies(censored_point, number=9, kappa_max=ceiling, ceiling_rule="shrink")
    assert np.mean(held) == pytest.approx(ceiling)
    assert held == sorted(held)
    assert min(held) >= data.y[j]


def test_out_of_bag_beliefs_leave_out_trees_with_a_copy(censored_point: Any) -> None:
    data, j, forest = censored_point
    free = replace(data, y=np.full(14, -1e3))
    (value,) = set(impute_copies((free, j, forest), number=7, oob=True))
    assert value == forest.predict_trees(data.theta[[j]])[7, 0]


def test_a_variance_floor_widens_the_samples(censored_point: Any) -> None:
    assert np.ptp(impute_copies(censored_point, number=5, min_variance=100.0)) > 5


def test_mean_imputation_gives_every_copy_the_same_value_up_to_the_ceiling() -> None:
    data = line(14, n_censored=8)
    options = replace(OPTIONS, treatment="mean", kappa_max=float(data.y[data.c].max()))
    result = fit(data, options, np.random.default_rng(0))
    values = [value for s in result.s.values() for value in s]
    assert max(values) <= options.kappa_max
    assert all(len(set(s)) <= 1 for s in result.s.values())


@pytest.mark.parametrize("treatment", ["sample", "mean", "drop", "ignore"])
def test_treatments_agree_when_nothing_is_censored(treatment: str) -> None:
    data = line(12, n_censored=0)
    plain = fit(data, replace(OPTIONS, treatment=treatment), np.random.default_rng(3))
    other = fit(data, OPTIONS, np.random.default_rng(3))
    X = np.random.default_rng(1).random((20, 2))
    np.testing.assert_array_equal(plain.forest.predict_trees(X), other.forest.predict_trees(X))


def test_ignoring_takes_bounds_as_values() -> None:
    data = line(12, n_censored=5)
    options = replace(OPTIONS, treatment="ignore", bootstrap=False)
    forest = fit(data, options, np.random.default_rng(3)).forest
    np.testing.assert_allclose(forest.predict(data.theta)[0], data.y)


def test_the_iteration_limit_ends_what_does_not_converge() -> None:
    result = fit(line(12), replace(OPTIONS, max_iter=3, tol=0.0), np.random.default_rng(3))
    assert (result.iterations, result.converged) == (3, False)


def test_a_wide_tolerance_ends_after_one_iteration() -> None:
    result = fit(line(12), replace(OPTIONS, tol=math.inf), np.random.default_rng(3))
    assert (result.iterations, result.converged) == (1, True)
