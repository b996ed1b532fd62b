import numpy as np
import pytest

from tightrope.gp.hyperparameters import Hyperparameters, coordinates

RNG = np.random.default_rng(2)
HYPERPARAMETERS = Hyperparameters(np.array([0.2, 3.0]), signal=1.5, noise=0.05, mean=-0.5)


@pytest.mark.parametrize("noise", [None, 0.05])
def test_hyperparameters_survive_the_way_to_coordinates_and_back(noise: float | None) -> None:
    space = coordinates(2, noise=noise)
    read = space.to_hyperparameters(space.to_theta(HYPERPARAMETERS))
    np.testing.assert_allclose(read.lengths, HYPERPARAMETERS.lengths, rtol=1e-12)
    assert (read.signal, read.noise, read.mean) == pytest.approx((1.5, 0.05, -0.5), rel=1e-12)


@pytest.mark.parametrize("noise", [None, 0.3])
def test_the_gradient_of_the_prior_is_that_of_finite_differences(noise: float | None) -> None:
    space = coordinates(3, noise=noise)
    theta = RNG.normal(size=space.centre.size)
    step = 1e-5
    differences = [
        (space.log_prior(theta + step * unit)[0] - space.log_prior(theta - step * unit)[0]) / (2 * step)
        for unit in np.eye(theta.size)
    ]
    np.testing.assert_allclose(space.log_prior(theta)[1], differences, atol=1e-7)


def test_the_prior_is_largest_at_its_centre() -> None:
    space = coordinates(3, noise=None)
    assert space.log_prior(space.centre)[0] == 0.0
    assert space.log_prior(space.draw(RNG))[0] < 0.0


def test_all_coordinates_lie_within_the_limits() -> None:
    space = coordinates(1, noise=None)
    extreme = Hyperparameters(np.array([1e-9]), signal=1e9, noise=0.0, mean=1e9)
    for theta in (space.to_theta(extreme), *(space.draw(RNG) for _ in range(100))):
        assert (theta >= space.lowest).all()
        assert (theta <= space.highest).all()


def test_the_median_length_grows_with_the_root_of_the_number_of_columns() -> None:
    one, nine = (coordinates(n, noise=None) for n in (1, 9))
    assert nine.to_hyperparameters(nine.centre).lengths == pytest.approx(
        3.0 * one.to_hyperparameters(one.centre).lengths[0]
    )
