import mpmath
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm, truncnorm

from tightrope import truncated

BOUNDS = [-40.0, -12.0, -3.0, -0.5, 0.0, 0.7, 2.0, 6.0, 19.9, 20.1, 37.0, 90.0, 230.0, 1e3, 1e4, 1e6]
PROBABILITIES = [1e-12, 1e-6, 0.01, 0.3, 0.5, 0.9, 0.9999, 1 - 1e-12]


def log_survival(x: mpmath.mpf) -> mpmath.mpf:
    return mpmath.log(mpmath.erfc(x / mpmath.sqrt(2)) / 2)


def hazard(x: mpmath.mpf) -> mpmath.mpf:
    return mpmath.npdf(x) / (mpmath.erfc(x / mpmath.sqrt(2)) / 2)


def exact_quantile_excess(p: float, bound: float) -> mpmath.mpf:
    """Solve for it in 60 digits, by bisection: slow, and independent of any starting value."""
    a = mpmath.mpf(bound)
    depth = -mpmath.log1p(-mpmath.mpf(p))
    here = log_survival(a)
    low, high = mpmath.mpf(0), abs(a) + 10
    for _ in range(200):
        middle = (low + high) / 2
        if here - log_survival(a + middle) < depth:
            low = middle
        else:
            high = middle
    return low


@pytest.mark.parametrize("bound", BOUNDS)
def test_excess_of_quantiles_is_exact_from_forty_s_below_to_a_million_above(bound: float) -> None:
    with mpmath.workdps(60):
        exact = [float(exact_quantile_excess(p, bound)) for p in PROBABILITIES]
    np.testing.assert_allclose(
        truncated.quantile_excess(PROBABILITIES, bound, mu=0.0, s=1.0), exact, rtol=1e-10
    )


@pytest.mark.parametrize("bound", BOUNDS)
def test_excess_of_the_mean_is_exact_from_forty_s_below_to_a_million_above(bound: float) -> None:
    with mpmath.workdps(60):
        exact = float(hazard(mpmath.mpf(bound)) - bound)
    assert truncated.mean_excess(bound, mu=0.0, s=1.0) == pytest.approx(exact, rel=1e-10)


def test_normaliser_is_the_probability_above_the_bound_and_not_the_slip_in_the_paper() -> None:
    mu, s, bound = 2.0, 0.5, 3.0
    density = norm(mu, s).pdf
    above = 1 - norm.cdf((bound - mu) / s)
    slip = 1 - norm.cdf((mu - bound) / s)
    assert quad(density, bound, np.inf)[0] / slip == pytest.approx(0.023, abs=0.001)
    first_moment = quad(lambda x: x * density(x), bound, np.inf)[0]
    assert truncated.mean(bound, mu=mu, s=s) == pytest.approx(first_moment / above, rel=1e-8)


def test_quantiles_invert_the_distribution_function() -> None:
    mu, s, bound = 2.0, 0.5, 3.0
    p = np.linspace(0.01, 0.99, 99)
    x = truncated.quantile(p, bound, mu=mu, s=s)
    np.testing.assert_allclose(1 - norm.sf(x, mu, s) / norm.sf(bound, mu, s), p, rtol=1e-10)


@pytest.mark.parametrize("distance", [10.0, 1e3, 1e6])
def test_far_above_the_mean_quantiles_are_finite_increasing_and_just_above_the_bound(distance: float) -> None:
    s = 0.5
    excess = truncated.quantile_excess(np.arange(1, 100) / 100, 7.0 + distance * s, mu=7.0, s=s)
    assert np.isfinite(excess).all()
    assert (np.diff(excess) > 0).all()
    assert excess[0] > 0
    assert excess[-1] < 5 * s / distance


def test_far_above_the_mean_the_mean_excess_tends_to_the_variance_over_the_distance() -> None:
    s, distance = 0.5, 1e4
    assert truncated.mean_excess(7.0 + distance, mu=7.0, s=s) == pytest.approx(s**2 / distance, rel=1e-8)


@pytest.mark.parametrize("mu", [1.0, 5.0])
def test_without_spread_the_distribution_is_the_larger_of_mean_and_bound(mu: float) -> None:
    assert truncated.mean(3.0, mu=mu, s=0.0) == max(mu, 3.0)
    assert truncated.quantile(0.1, 3.0, mu=mu, s=0.0) == max(mu, 3.0)


@pytest.mark.parametrize("mu", [1.0, 5.0])
def test_a_spread_too_small_to_divide_by_counts_as_none(mu: float) -> None:
    assert truncated.mean(3.0, mu=mu, s=5e-324) == max(mu, 3.0)
    assert truncated.quantile(0.1, 3.0, mu=mu, s=5e-324) == max(mu, 3.0)


def test_a_bound_far_below_the_mean_leaves_the_normal_as_it_is() -> None:
    p = np.array([0.001, 0.5, 0.999])
    np.testing.assert_allclose(
        truncated.quantile(p, -100.0, mu=3.0, s=2.0), norm(3.0, 2.0).ppf(p), rtol=1e-13
    )
    assert truncated.mean(-100.0, mu=3.0, s=2.0) == 3.0


@pytest.mark.parametrize("mu", np.linspace(37.6, 37.7, 101))
def test_where_the_reciprocal_hazard_overflows_the_mean_excess_does_not(mu: float) -> None:
    assert truncated.mean_excess(0.0, mu=mu, s=1.0) == pytest.approx(mu)


def test_probability_zero_is_the_bound() -> None:
    np.testing.assert_array_equal(
        truncated.quantile(0.0, [-50.0, 1.0, 2e3], mu=0.0, s=1.0), [-50.0, 1.0, 2e3]
    )


def test_arguments_broadcast() -> None:
    p = np.array([0.2, 0.5, 0.8])
    bounds = np.array([[0.0], [1e4]])
    table = truncated.quantile(p, bounds, mu=0.0, s=np.array([[1.0], [2.0]]))
    rows = [truncated.quantile(p, 0.0, mu=0.0, s=1.0), truncated.quantile(p, 1e4, mu=0.0, s=2.0)]
    np.testing.assert_array_equal(table, rows)


def test_owners_name_the_distribution_of_each_quantile() -> None:
    p = np.array([0.5, 0.001, 0.9, 0.5])
    owner = np.array([1, 0, 2, 2])
    bounds, mu, s = np.array([0.0, 3.0, 2e3]), np.array([1.0, 0.0, 5.0]), np.array([1.0, 0.0, 0.3])
    np.testing.assert_array_equal(
        truncated.quantile_excess(p, bounds, mu=mu, s=s, owner=owner),
        truncated.quantile_excess(p, bounds[owner], mu=mu[owner], s=s[owner]),
    )


@pytest.mark.parametrize(
    ("lower", "upper"), [(-1.0, 0.5), (2.0, 3.0), (-3.0, -2.0), (-np.inf, -1.0), (1.0, np.inf), (30.0, 31.0)]
)
def test_quantiles_between_two_bounds_solve_the_distribution_function(lower: float, upper: float) -> None:
    p = np.array([0.01, 0.5, 0.99])
    ends = (np.array([lower]), np.array([upper]))
    owner = np.zeros(3, dtype=np.intp)
    x = truncated.quantile_between(p, *ends, mu=np.array([0.2]), s=np.array([1.1]), owner=owner)
    with mpmath.workdps(400):
        for level, value in zip(p, x, strict=True):
            below, above, at = (
                mpmath.ncdf((mpmath.mpf(end) - 0.2) / 1.1) for end in (lower, upper, float(value))
            )
            assert float((at - below) / (above - below)) == pytest.approx(level, rel=1e-6)


def test_the_mean_between_two_bounds_is_the_mean_of_the_quantiles() -> None:
    lower, upper = np.array([-1.0, -np.inf, 1.0, -np.inf]), np.array([0.5, 0.0, np.inf, np.inf])
    mu, s = np.array([0.3, 0.3, 0.3, 0.3]), np.array([1.0, 2.0, 1.0, 1.0])
    found = truncated.mean_between(lower, upper, mu=mu, s=s)
    expected = truncnorm.mean((lower - mu) / s, (upper - mu) / s, loc=mu, scale=s)
    assert found == pytest.approx(expected, abs=1e-3)
