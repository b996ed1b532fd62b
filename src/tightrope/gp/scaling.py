"""Standardised data: inputs of range 1, responses of mean 0 and spread 1.

========  ======  ==============================================================================
symbol    shape   meaning
========  ======  ==============================================================================
origin    (d,)    least value of each column
width     (d,)    range of each column; 1 where it is constant
centre            mean of the responses, bounds taken as values
spread            their standard deviation
========  ======  ==============================================================================

Bounds are taken as values here because little depends on it: the hyperparameters adapt. Fitting a normal
distribution that treats bounds as bounds made no difference to optimisation runs.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tightrope.gp.hyperparameters import Hyperparameters

Floats = NDArray[np.float64]

_SAME = 1e-12  # responses that differ by less, as a share of the largest, are the same


@dataclass(frozen=True, slots=True)
class Scaling:
    """Conversion between the user's units and those of the process."""

    origin: Floats
    width: Floats
    centre: float
    spread: float

    def inputs(self, X: Floats) -> Floats:
        """Return X in units of the process."""
        return (X - self.origin) / self.width

    def responses(self, y: Floats) -> Floats:
        """Return y in units of the process."""
        return (y - self.centre) / self.spread

    def to_user(self, inner: Hyperparameters) -> Hyperparameters:
        """Return hyperparameters in the user's units."""
        return Hyperparameters(
            lengths=inner.lengths * self.width,
            signal=inner.signal * self.spread,
            noise=inner.noise * self.spread,
            mean=inner.mean * self.spread + self.centre,
        )

    def from_user(self, outer: Hyperparameters) -> Hyperparameters:
        """Return hyperparameters in units of the process."""
        return Hyperparameters(
            lengths=np.asarray(outer.lengths, dtype=np.float64) / self.width,
            signal=outer.signal / self.spread,
            noise=outer.noise / self.spread,
            mean=(outer.mean - self.centre) / self.spread,
        )


def measure_scaling(X: Floats, y: Floats, *, constant_spread: float) -> Scaling:
    """Measure ranges, centre and spread; the spread is `constant_spread` if all responses are equal."""
    origin, width = X.min(axis=0), np.ptp(X, axis=0)
    width[width <= _SAME * np.abs(X).max(axis=0)] = 1.0
    peak = float(np.abs(y).max())
    if np.ptp(y) <= _SAME * peak:
        return Scaling(origin, width, centre=float(y[0]), spread=constant_spread)
    relative = y / peak  # so that squares do not overflow
    return Scaling(origin, width, centre=float(relative.mean()) * peak, spread=float(relative.std()) * peak)
