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
        self._points: list[Floats] = []
        self._changes: list[Floats] = []

    def next(self, sites: Sites, wanted: Sites, *, mismatch: float) -> Sites:
        """Sites of the next round; a plain step wherever a precision would not be positive."""
        self._adapt(mismatch)
        plain = sites.towards(wanted, step=self._step)
        if mismatch > _NEAR:
            self._forget()
            return plain
        ahead, m = self._extrapolate(sites, wanted), sites.shift.size
        precision, shift = ahead[:m], ahead[m:]
        good = precision > SMALLEST_PRECISION
        return Sites(np.where(good, precision, plain.precision), np.where(good, shift, plain.shift))

    def _adapt(self, mismatch: float) -> None:
        growth, self._mismatch = mismatch / self._mismatch, mismatch
        extrapolated = len(self._points) > 1
        if growth > (_TOLERATED if extrapolated else 1.0):
            self._forget()
            if not extrapolated:
                self._step = max(self._step / 2.0, _SMALLEST_STEP)
        else:
            self._step = min(1.0, _GROWTH * self._step)

    def _forget(self) -> None:
        self._points.clear()
        self._changes.clear()

    def _extrapolate(self, sites: Sites, wanted: Sites) -> Floats:
        """From the mixture of the last points whose changes nearly cancel."""
        point = self._unit * np.concatenate([sites.precision, sites.shift])
        change = self._unit * np.concatenate([wanted.precision, wanted.shift]) - point
        ahead = point + self._step * change
        if self._points:
            turns = change - np.array(self._changes[-_MEMORY:])
            products = turns @ turns.T
            np.fill_diagonal(products, (1.0 + _RIDGE) * products.diagonal() + _NOTHING)
            shares = np.linalg.solve(products, turns @ change)
            ahead -= shares @ (point - np.array(self._points[-_MEMORY:]) + self._step * turns)
        self._points.append(point)
        self._changes.append(change)
        return np.asarray(ahead / self._unit)
