"""The sites of the next round of expectation propagation, when all of them are exchanged at once.

=========  =======  ===================================================================================
symbol     shape    meaning
=========  =======  ===================================================================================
point      (2 m,)   precisions and shifts of the m sites, in units that make them comparable
change     (2 m,)   what one round would add to a point
shares     (k,)     shares of the last k rounds in the extrapolation
mismatch            of moments, in standard deviations
=========  =======  ===================================================================================

Near the fixed point the rounds converge linearly; extrapolating from the last few (Anderson's mixing) needs
about two thirds as many. The mismatch need not fall in every round, but where it rises by much the memory was
no guide and is cleared.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dposv

from tightrope.gp.sites import SMALLEST_PRECISION, Sites

Floats = NDArray[np.float64]

_MEMORY = 5  # rounds to extrapolate from
_NEAR = 1.0  # mismatch below which to extrapolate
_TOLERATED = 1.5  # growth of the mismatch after extrapolating
_RIDGE = 1e-9  # makes the mixture unique where the last rounds changed alike
_NOTHING = 1e-300


class Stride:
    """Memory of the last rounds."""

    def __init__(self, variance: Floats) -> None:
        self._unit = np.concatenate([variance, np.sqrt(variance)])
        self._points = np.empty((_MEMORY, self._unit.size))
        self._changes = np.empty((_MEMORY, self._unit.size))
        self._n_kept = 0  # rounds since the memory was cleared
        self._mismatch = np.inf

    def next(self, sites: Sites, wanted: Sites, *, mismatch: float) -> Sites:
        """Sites of the next round; the wanted ones where there is nothing to extrapolate from."""
        growth, self._mismatch = mismatch / self._mismatch, mismatch
        if mismatch > _NEAR or growth > _TOLERATED:
            self._n_kept = 0
        if mismatch > _NEAR:
            return wanted
        point = self._unit * np.concatenate([sites.precision, sites.shift])
        change = self._unit * np.concatenate([wanted.precision, wanted.shift]) - point
        ahead = self._extrapolate(point, change)
        self._keep(point, change)
        precision, shift = ahead[: sites.shift.size], ahead[sites.shift.size :]
        good = precision > SMALLEST_PRECISION
        if good.all():
            return Sites(precision, shift)
        return Sites(np.where(good, precision, wanted.precision), np.where(good, shift, wanted.shift))

    def _keep(self, point: Floats, change: Floats) -> None:
        row = self._n_kept % _MEMORY
        self._points[row], self._changes[row] = point, change
        self._n_kept += 1

    def _extrapolate(self, point: Floats, change: Floats) -> Floats:
        """From the mixture of the last points whose changes nearly cancel."""
        ahead = point + change
        n = min(self._n_kept, _MEMORY)
        if n > 0:
            turns = change - self._changes[:n]
            products = turns @ turns.T
            products.flat[:: n + 1] = (1.0 + _RIDGE) * products.diagonal() + _NOTHING
            _, shares, failure = dposv(products, turns @ change)
            if failure == 0:  # otherwise the last rounds changed alike, to the last digit
                ahead -= shares @ (point - self._points[:n] + turns)
        return np.asarray(ahead / self._unit)
