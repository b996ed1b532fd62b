"""Low-rank factors of a table of log costs in which timeouts are only bounds.

| symbol | meaning | shape |
| --- | --- | --- |
| Y | log10 of the cost of each config on each instance; where it timed out, of the ceiling | (n, m) |
| scores | what distinguishes the configs | (n, k) |
| loadings | how much each instance minds | (k, m) |
| centre | what is typical of each instance | (m,) |

The fit is centre + scores @ loadings. It alternates between imputing each timeout by its expectation above
the bound, given the fit and the spread of the residuals, and a truncated singular value decomposition whose
singular values are shrunk a little; k is at most RANK.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

Floats = NDArray[np.float64]

RANK = 10  # ten more lower the error at held-out entries by 3 % only
_SHRINKAGE = 5.0 / (np.sqrt(1001) + np.sqrt(604))  # of SPEAR's table: noise grows with the sides of a table
_ROUNDS = 40
_HEADROOM = 4.5 - np.log10(300.0)  # decades above its bound that a timeout is believed to be at most


@dataclass(frozen=True, slots=True, eq=False)
class Factors:
    """The fit; the module says what its parts mean."""

    scores: Floats
    loadings: Floats
    centre: Floats

    def fitted(self) -> Floats:
        """Return the log costs without the residuals, shape (n, m)."""
        return np.asarray(self.centre + self.scores @ self.loadings)


def factorise(Y: Floats, censored: NDArray[np.bool_]) -> Factors:
    """Fit factors to log costs."""
    Z, spread = Y, float(Y.std())
    for _ in range(_ROUNDS):
        factors = _decompose(Z)
        fit = factors.fitted()
        spread = float(np.sqrt(np.mean((Y - fit)[~censored] ** 2)))
        Z = np.where(censored, np.minimum(_above(Y, fit, spread), Y + _HEADROOM), Y)
    return factors


def _decompose(Z: Floats) -> Factors:
    centre = Z.mean(axis=0)
    left, singular, right = np.linalg.svd(Z - centre, full_matrices=False)
    shrunk = singular[:RANK] - _SHRINKAGE * np.sqrt(Z.shape).sum()
    kept = np.flatnonzero(shrunk > 0.0)
    return Factors(left[:, kept] * shrunk[kept], right[kept], centre)


def _above(bound: Floats, mean: Floats, spread: float) -> Floats:
    """Return the expectation of normal variables that are known to exceed their bounds."""
    gap = (bound - mean) / spread
    return np.asarray(mean + spread * np.exp(norm.logpdf(gap) - norm.logsf(gap)))
