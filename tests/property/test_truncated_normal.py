import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tightrope import truncated

means = st.floats(-1e3, 1e3)
spreads = st.one_of(st.just(0.0), st.floats(1e-6, 1e3))
bounds = st.floats(-1e3, 1e3)


@given(mu=means, s=spreads, bound=bounds, n=st.integers(2, 400))
def test_quantiles_increase_and_lie_above_the_bound(mu: float, s: float, bound: float, n: int) -> None:
    excess = truncated.quantile_excess(np.arange(1, n + 1) / (n + 1), bound, mu=mu, s=s)
    assert np.isfinite(excess).all()
    assert excess[0] >= 0.0
    assert (np.diff(excess) > 0).all() or s <= 1e-15 * abs(mu - bound)


@given(mu=means, s=spreads, bound=bounds, rise=st.floats(0.0, 1e3), p=st.floats(1e-6, 1 - 1e-6))
def test_raising_a_bound_never_lowers_a_quantile(
    mu: float, s: float, bound: float, rise: float, p: float
) -> None:
    lower, higher = truncated.quantile(p, [bound, bound + rise], mu=mu, s=s)
    assert higher >= lower - 1e-12 * (abs(lower) + abs(mu))


@given(mu=means, s=spreads, bound=bounds)
def test_mean_lies_above_the_bound_and_above_the_mean_before_truncation(
    mu: float, s: float, bound: float
) -> None:
    mean = truncated.mean(bound, mu=mu, s=s)
    assert mean >= bound
    assert mean >= mu - 1e-12 * (abs(mu) + abs(bound))


@given(mu=means, s=spreads, bound=bounds, rise=st.floats(0.0, 1e3))
def test_raising_a_bound_never_lowers_the_mean(mu: float, s: float, bound: float, rise: float) -> None:
    lower, higher = truncated.mean([bound, bound + rise], mu=mu, s=s)
    assert higher >= lower - 1e-12 * (abs(lower) + abs(mu))
