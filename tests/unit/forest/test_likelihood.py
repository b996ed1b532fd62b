import numpy as np
import pytest
from scipy.stats import norm

from tightrope.forest.likelihood import best_floor, fit_normal, log_likelihoods

INF = np.inf


@pytest.mark.parametrize(
    ("lower", "upper", "expected"),
    [
        (1.0, 1.0, norm.logpdf(1.0, 0.5, 2.0)),
        (1.0, INF, norm.logsf(1.0, 0.5, 2.0)),
        (-INF, 1.0, norm.logcdf(1.0, 0.5, 2.0)),
        (0.0, 1.0, np.log(norm.cdf(1.0, 0.5, 2.0) - norm.cdf(0.0, 0.5, 2.0))),
        (80.0, INF, norm.logsf(80.0, 0.5, 2.0)),
        (80.0, 90.0, norm.logsf(80.0, 0.5, 2.0)),
        (-INF, INF, 0.0),
    ],
)  # fmt: skip
def test_a_row_counts_with_the_density_or_the_probability_of_what_is_known(
    lower: float, upper: float, expected: float
) -> None:
    ends = np.array([lower]), np.array([upper])
    found = log_likelihoods(*ends, mean=np.array([0.5]), s=np.array([2.0]))
    assert found[0] == pytest.approx(expected, rel=1e-9)


def test_the_normal_distribution_of_observed_responses_has_their_mean_and_deviation() -> None:
    y = np.random.default_rng(0).normal(3.0, 2.0, size=500)
    mean, std = fit_normal(y, y)
    assert (mean, std) == pytest.approx((y.mean(), y.std()), rel=1e-3)


def test_the_normal_distribution_is_found_behind_bounds() -> None:
    truth = np.random.default_rng(0).normal(3.0, 2.0, size=2000)
    lower = np.minimum(truth, 3.0)
    mean, std = fit_normal(lower, np.where(truth > 3.0, INF, truth))
    assert (mean, std) == pytest.approx((3.0, 2.0), rel=0.1)


def test_the_floor_of_beliefs_without_variance_is_the_mean_squared_error() -> None:
    y = np.random.default_rng(0).normal(0.0, 2.0, size=500)
    floor = best_floor(y, y, mean=np.zeros(500), variance=np.full(500, 1e-3))
    assert floor == pytest.approx(float(np.mean(y**2)), rel=0.2)
