import numpy as np
from sklearn.gaussian_process.kernels import Matern

from tightrope.gp.kernel import length_gradient, matern, matern_and_slope

RNG = np.random.default_rng(3)
X = RNG.normal(size=(7, 3))
Z = RNG.normal(size=(4, 3))


def test_the_kernel_is_the_one_of_scikit_learn() -> None:
    np.testing.assert_allclose(matern(X, Z), Matern(nu=2.5)(X, Z), rtol=1e-12)


def test_the_slope_times_squared_distances_is_the_derivative_by_the_log_length() -> None:
    step, column = 1e-5, 1
    scale = np.ones(3)
    scale[column] = np.exp(-step)
    up, down = matern(X * scale, Z * scale), matern(X / scale, Z / scale)
    derivative = matern_and_slope(X, Z)[1] * (X[:, None, column] - Z[None, :, column]) ** 2
    np.testing.assert_allclose(derivative, (up - down) / (2 * step), atol=1e-9)


def test_the_length_gradient_is_the_sum_it_says() -> None:
    slope = matern_and_slope(X, X)[1]
    weights, scale = RNG.normal(size=7), RNG.uniform(0.5, 2.0, size=7)
    square = RNG.normal(size=(7, 7))
    symmetric = square @ square.T
    differences = (X[:, None, :] - X[None, :, :]) ** 2
    inner = np.outer(weights, weights) - np.outer(scale, scale) * symmetric
    expected = 0.5 * np.einsum("ij,ij,ijk->k", inner, slope, differences)
    found = length_gradient(slope, X, weights=weights, inverse=np.tril(symmetric), scale=scale)
    np.testing.assert_allclose(found, expected, rtol=1e-10)


def test_points_that_coincide_have_kernel_one_exactly() -> None:
    np.testing.assert_array_equal(np.diag(matern(X, X)), 1.0)
