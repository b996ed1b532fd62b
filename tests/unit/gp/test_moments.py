"""Moments of the truncated standard normal, from which the sites are computed."""

import mpmath
import numpy as np
import pytest

from tightrope import truncated

BOUNDS = [-40.0, -12.0, -3.0, -0.5, 0.0, 0.7, 2.0, 6.0, 19.9, 20.1, 37.0, 90.0, 230.0, 1e3, 1e4, 1e6]


@pytest.mark.parametrize("bound", BOUNDS)
def test_moments_are_exact_from_forty_deviations_below_to_a_million_above(bound: float) -> None:
    with mpmath.workdps(60):
        a = mpmath.mpf(bound)
        hazard = mpmath.npdf(a) / (mpmath.erfc(a / mpmath.sqrt(2)) / 2)
        exact = [float(hazard), float(hazard - a), float(1 - hazard * (hazard - a))]
    moments = [float(moment[0]) for moment in truncated.standard_moments(np.array([bound]))]
    np.testing.assert_allclose(moments, exact, rtol=1e-10, atol=1e-300)


def test_no_bound_far_below_the_mean_overflows() -> None:
    hazard, excess, variance = truncated.standard_moments(np.linspace(-38.0, -37.0, 1001))
    assert hazard.max() < 1e-290
    np.testing.assert_array_equal(excess, -np.linspace(-38.0, -37.0, 1001))
    np.testing.assert_array_equal(variance, 1.0)


def test_mean_excess_does_not_overflow_far_below_the_mean() -> None:
    bounds = np.linspace(-38.0, -37.0, 1001)
    np.testing.assert_array_equal(truncated.mean_excess(bounds, mu=0.0, s=1.0), -bounds)
