"""How far to move the sites in a round of expectation propagation.

=========  =======  ===================================================================================
symbol     shape    meaning
=========  =======  ===================================================================================
point      (2 m,)   precisions and shifts of the m sites, in units that make them comparable
change     (2 m,)   what one round would add to a point
step                share of the change that is made
shares     (k,)     shares of the last k rounds in the extrapolation
mismatch            of moments, in standard deviations; it does not depend on the step
=========  =======  ===================================================================================

A full step may overshoot, since all sites respond to the same surprise. The step is halved whenever the
mismatch grows after a plain step, and grows otherwise. Near the fixed point the rounds converge linearly;
extrapolating from the last few (Anderson's mixing) needs about half as many. It need not fall in every round,
but where it rises by much the memory was no guide and is cleared.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dposv

from tightrope.gp.sites import SMALLEST_PRECISION, Sites

Floats = NDArray[np.float64]

_SMALLEST_STEP = 0.02
_GROWTH = 1.2
_MEMORY = 5  # rounds to extrapolate from
_NEAR = 1.0  # mismatch below which to extrapolate
_TOLERATED = 1.5  # growth of the mismatch after extrapolating
_RIDGE = 1e-9  # makes the mixture unique where the last rounds changed alike
_NOTHING = 1e-300


class Stride:
    """Step length and memory of the last rounds."""

    def __init__(self, variance: Floats) -> None:
        self._unit = np.concatenate([variance, np.sqrt(variance)])
        self._step, self._mismatch = 1.0, np.inf
        self._points = np.empty((_MEMORY, self._unit.size))
        self._changes = np.empty((_MEMORY, self._unit.size))
        self._n_kept = 0  # rounds since the memory was cleared

    def next(self, sites: Sites, wanted: Sites, *, mismatch: float) -> Sites:
        """Sites of the next round; a plain step wherever a precision would not be positive."""
        self._adapt(mismatch)
        if mismatch > _NEAR:
            self._n_kept = 0
            return sites.towards(wanted, step=self._step)
        point = self._unit * np.concatenate([sites.precision, sites.shift])
        change = self._unit * np.concatenate([wanted.precision, wanted.shift]) - point
        ahead = self._extrapolate(point, change)
        self._keep(point, change)
        precision, shift = ahead[: sites.shift.size], ahead[sites.shift.size :]
        good = precision > SMALLEST_PRECISION
        if good.all():
            return Sites(precision, shift)
        plain = sites.towards(wanted, step=self._step)
        return Sites(np.where(good, precision, plain.precision), np.where(good, shift, plain.shift))

    def _adapt(self, mismatch: float) -> None:
        growth, self._mismatch = mismatch / self._mismatch, mismatch
        extrapolated = self._n_kept > 1
        if growth > (_TOLERATED if extrapolated else 1.0):
            self._n_kept = 0
            if not extrapolated:
                self._step = max(self._step / 2.0, _SMALLEST_STEP)
        else:
            self._step = min(1.0, _GROWTH * self._step)

    def _keep(self, point: Floats, change: Floats) -> None:
        row = self._n_kept % _MEMORY
        self._points[row], self._changes[row] = point, change
        self._n_kept += 1

    def _extrapolate(self, point: Floats, change: Floats) -> Floats:
        """From the mixture of the last points whose changes nearly cancel."""
        ahead = point + self._step * change
        n = min(self._n_kept, _MEMORY)
        if n > 0:
            turns = change - self._changes[:n]
            products = turns @ turns.T
            products.flat[:: n + 1] = (1.0 + _RIDGE) * products.diagonal() + _NOTHING
            _, shares, failure = dposv(products, turns @ change)
            if failure == 0:  # otherwise the last rounds changed alike to the last digit: a plain step
                ahead -= shares @ (point - self._points[:n] + self._step * turns)
        return np.asarray(ahead / self._unit)
