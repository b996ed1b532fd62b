"""Rules that decide caps."""

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm, truncnorm

from tightrope.search.cap import (
    FixedSlack,
    InformationRate,
    expected_capped,
    expected_capped_lognormal,
    information,
)

POSITIVE = st.floats(1e-6, 1e6)
MEANS = st.floats(-20.0, 20.0)
SPREADS = st.floats(0.0, 20.0)


@given(best=POSITIVE, slack=st.floats(1.0, 10.0))
def test_a_fixed_slack_is_a_multiple_of_the_best_cost_and_never_rounded(best: float, slack: float) -> None:
    assert FixedSlack(slack).cap(best) == slack * best


def test_without_a_best_cost_a_fixed_slack_gives_the_ceiling() -> None:
    assert FixedSlack(1.3, ceiling=7.0).cap(inf) == 7.0
    assert FixedSlack(1.3).cap(inf) == inf


@given(best=POSITIVE, mean=MEANS, s=SPREADS, ceiling=POSITIVE, log=st.booleans())
def test_caps_by_information_are_positive_and_at_most_the_ceiling(
    best: float, mean: float, s: float, ceiling: float, log: bool
) -> None:
    cap = InformationRate(ceiling=ceiling, log=log).cap(best, mean=mean, s=s)
    assert 0.0 < cap <= ceiling


@given(best=POSITIVE, mean=MEANS, s=SPREADS)
def test_caps_by_information_never_miss_an_improvement(best: float, mean: float, s: float) -> None:
    cap = InformationRate(most_slack=4.0).cap(best, mean=mean, s=s)
    assert best <= cap <= 4.0 * best * (1 + 1e-12)


def test_a_config_believed_to_be_bad_for_certain_gets_the_smallest_cap() -> None:
    assert InformationRate().cap(1.0, mean=np.log(100.0), s=0.1) == 1.0


def test_a_config_that_probably_finishes_just_above_the_best_cost_gets_more() -> None:
    assert InformationRate().cap(1.0, mean=np.log(1.5), s=0.2) > 1.5


@pytest.mark.parametrize("a", [-3.0, -0.5, 0.0, 1.0, 4.0])
def test_the_information_in_being_stopped_is_the_loss_of_entropy(a: float) -> None:
    stopped = norm.entropy() - truncnorm.entropy(a, 38.0)
    expected = norm.cdf(a) * 3.0 + norm.sf(a) * min(stopped, 3.0)
    assert information(np.array([a]), finished=3.0)[0] == pytest.approx(expected)


@pytest.mark.parametrize(("cap", "mean", "s"), [(1.0, 0.0, 1.0), (5.0, 1.0, 0.3), (0.2, 2.0, 2.0)])
def test_the_expected_cost_under_a_cap_is_the_integral(cap: float, mean: float, s: float) -> None:
    density = norm(mean, s).pdf
    wide = (mean - 12 * s, mean + 12 * s)

    def integral(cost, kink: float) -> float:
        return quad(lambda z: min(cost(z), cap) * density(z), *wide, points=[kink], limit=200)[0]

    by_log = expected_capped_lognormal(np.array([cap]), mean=mean, s=s)[0]
    assert by_log == pytest.approx(integral(np.exp, np.log(cap)), rel=1e-6)
    raw = expected_capped(np.array([cap]), mean=mean, s=s)[0]
    assert raw == pytest.approx(max(integral(lambda z: z, cap), 1e-3 * cap), rel=1e-6)
