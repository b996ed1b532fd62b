"""Expected improvement is what its definition says."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import lognorm, norm

from tightrope.search.acquisition import expected_improvement, expected_improvement_log

BEST = 1.5


@pytest.mark.parametrize(("mean", "s"), [(1.0, 0.5), (3.0, 0.5), (1.0, 2.0)])
def test_of_a_normal_belief_it_is_an_integral(mean: float, s: float) -> None:
    integral, _ = quad(lambda f: (BEST - f) * norm.pdf(f, mean, s), mean - 12 * s, BEST)
    found = expected_improvement(np.array([mean]), np.array([s]), best=BEST)
    assert found[0] == pytest.approx(integral, rel=1e-6)


@pytest.mark.parametrize(("mean", "s"), [(0.0, 0.5), (1.0, 0.5), (0.0, 2.0)])
def test_of_a_lognormal_belief_it_is_an_integral(mean: float, s: float) -> None:
    integral, _ = quad(lambda f: (BEST - f) * lognorm.pdf(f, s, scale=np.exp(mean)), 0.0, BEST)
    found = expected_improvement_log(np.array([mean]), np.array([s]), best=BEST)
    assert found[0] == pytest.approx(integral, rel=1e-6)


def test_of_a_certain_value_it_is_the_improvement() -> None:
    assert expected_improvement(np.array([1.0, 2.0]), np.zeros(2), best=BEST).tolist() == [0.5, 0.0]
    found = expected_improvement_log(np.log([1.0, 2.0]), np.zeros(2), best=BEST)
    np.testing.assert_allclose(found, [0.5, 0.0])
