"""Parallel updates of expectation propagation, accelerated by Anderson mixing.

===========  =======  =================================================================================
symbol       shape    meaning
===========  =======  =================================================================================
point        (2 m,)   precisions and shifts of the m sites, in units that make them comparable
change       (2 m,)   what a plain parallel update would add to a point
differences  (k, 2m)  change of this round less the changes of the last k rounds
shares       (k,)     weights of the last k rounds in the extrapolation
mismatch              largest error of the moments, in standard deviations
===========  =======  =================================================================================

Near the fixed point the rounds converge linearly. Extrapolating from the last few (Anderson mixing) needs
about two thirds as many rounds. The mismatch need not fall in every round. If it rises sharply, the stored
rounds are discarded.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dposv

from tightrope.gp.sites import SMALLEST_PRECISION, Sites

Floats = NDArray[np.float64]

_MEMORY = 5  # rounds to extrapolate from
_EXTRAPOLATE_BELOW = 1.0  # mismatch
_MOST_GROWTH = 1.5  # of the mismatch from one round to the next, before the stored rounds are discarded
_RIDGE = 1e-9  # makes the shares unique where the last rounds changed alike
_TINY = 1e-300


class AndersonMixing:
    """The last rounds of parallel updates, and the extrapolation from them."""

    def __init__(self, variance: Floats) -> None:
        self._unit = np.concatenate([variance, np.sqrt(variance)])
        self._points = np.empty((_MEMORY, self._unit.size))
        self._changes = np.empty((_MEMORY, self._unit.size))
        self._n_stored = 0  # rounds since the memory was cleared
        self._mismatch = np.inf

    def next_sites(self, sites: Sites, updated: Sites, *, mismatch: float) -> Sites:
        """Return the sites of the next round: extrapolated if rounds are stored, else the updated ones."""
        growth, self._mismatch = mismatch / self._mismatch, mismatch
        if mismatch > _EXTRAPOLATE_BELOW or growth > _MOST_GROWTH:
            self._n_stored = 0
        if mismatch > _EXTRAPOLATE_BELOW:
            return updated
        point = self._unit * np.concatenate([sites.precision, sites.shift])
        change = self._unit * np.concatenate([updated.precision, updated.shift]) - point
        extrapolated = self._extrapolate(point, change)
        self._store(point, change)
        precision, shift = extrapolated[: sites.shift.size], extrapolated[sites.shift.size :]
        valid = precision > SMALLEST_PRECISION
        if valid.all():
            return Sites(precision, shift)
        return Sites(np.where(valid, precision, updated.precision), np.where(valid, shift, updated.shift))

    def _store(self, point: Floats, change: Floats) -> None:
        row = self._n_stored % _MEMORY
        self._points[row], self._changes[row] = point, change
        self._n_stored += 1

    def _extrapolate(self, point: Floats, change: Floats) -> Floats:
        """Combine the stored points so that their changes nearly cancel."""
        extrapolated = point + change
        n = min(self._n_stored, _MEMORY)
        if n > 0:
            differences = change - self._changes[:n]
            products = differences @ differences.T
            products.flat[:: n + 1] = (1.0 + _RIDGE) * products.diagonal() + _TINY
            _, shares, failure = dposv(products, differences @ change)
            if failure == 0:  # otherwise the last rounds changed alike, to the last digit
                extrapolated -= shares @ (point - self._points[:n] + differences)
        return np.asarray(extrapolated / self._unit)
