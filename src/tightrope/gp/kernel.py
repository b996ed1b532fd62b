"""The Matern 5/2 kernel with a length-scale for each column, and sums over its derivatives.

========  ==============================  ==========================================================
symbol    shape                           meaning
========  ==============================  ==========================================================
X, Z      (n, d), (m, d)                  points, divided by the length-scales of their columns
r         (n, m)                          Euclidean distances of such points
kernel    (n, m)                          (1 + sqrt(5) r + 5/3 r^2) exp(-sqrt(5) r)
slope     (n, m)                          5/3 (1 + sqrt(5) r) exp(-sqrt(5) r)
========  ==============================  ==========================================================

The slope times the squared distance along column k is the derivative of the kernel by the logarithm of that
column's length-scale.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

Floats = NDArray[np.float64]


def matern(X: Floats, Z: Floats) -> Floats:
    """Compute the kernel of each row of X with each row of Z, in few passes over the large arrays."""
    square = cdist(X, Z, "sqeuclidean")
    square *= 5.0
    root = np.sqrt(square)
    square /= 3.0
    square += root
    square += 1.0
    np.negative(root, out=root)
    square *= np.exp(root, out=root)
    return square


def matern_and_slope(X: Floats, Z: Floats) -> tuple[Floats, Floats]:
    """Compute kernel and slope, which share most of the work."""
    square = cdist(X, Z, "sqeuclidean")
    square *= 5.0
    root = np.sqrt(square)
    decay = np.exp(-root)
    root += 1.0
    root *= decay
    square *= decay
    square += 3.0 * root
    square /= 3.0
    root *= 5.0 / 3.0
    return square, root


def length_gradient(slope: Floats, X: Floats, *, weights: Floats, inverse: Floats, scale: Floats) -> Floats:
    """Compute half the sum over i, j of (w_i w_j - R_ij) slope_ij (X_ik - X_jk)^2, for each column k.

    R is diag(scale) inverse diag(scale). `inverse` (overwritten) holds its lower triangle and zeros above it.
    """
    square = X**2
    weighted = weights[:, np.newaxis] * X
    outer = (weights * (slope @ weights)) @ square - np.sum(weighted * (slope @ weighted), axis=0)
    inverse *= slope
    scaled = scale[:, np.newaxis] * X
    sums = scale * (inverse @ scale + inverse.T @ scale)
    lower = sums @ square - 2.0 * np.sum(scaled * (inverse @ scaled), axis=0)
    return np.asarray(outer - lower)
