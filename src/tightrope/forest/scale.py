"""The scale that trees are grown on, and the way back from it."""

from dataclasses import dataclass
from math import frexp, ldexp, sqrt

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_EXTREME = 256  # squares of numbers beyond 2**256, and sums of many such squares, are at risk


@dataclass(frozen=True, slots=True)
class Scale:
    """What fit has used: logarithms or not, the unit that y was divided by, the floor of variances in it."""

    log: bool
    unit: float
    min_variance: float

    def believe(self, mean: Floats, variance: Floats) -> tuple[Floats, Floats]:
        """Mean and standard deviation on the model's scale, from what the trees say in units."""
        return mean * self.unit, np.sqrt(np.maximum(variance, self.min_variance)) * self.unit

    def to_response(self, values: Floats) -> Floats:
        """From the model's scale to that of y."""
        return np.exp(values) if self.log else values


def choose_unit(y: Floats, *, min_variance: float, imputes: bool) -> float:
    """Choose a power of two to divide y by, so that variances neither overflow nor vanish; mostly 1.

    Where the division would lose digits, and nothing is imputed from a variance, it is 1 too: trees can do
    with any numbers.
    """
    largest = float(np.abs(y).max(initial=0.0))
    exponent = frexp(largest)[1]
    if largest == 0.0 or abs(exponent) <= _EXTREME:
        return 1.0
    if exponent < 0:
        # A floor that exceeds all variances must be finite in this unit.
        exponent = min(max(exponent, frexp(sqrt(min_variance))[1] if min_variance > 0 else exponent), 0)
    unit = ldexp(1.0, exponent)
    return unit if imputes or np.array_equal(y / unit * unit, y) else 1.0


def mean_shares(gains: Floats) -> Floats:
    """Share of each column in a tree's gains, shape (trees, columns), averaged over trees that have any."""
    largest = gains.max(axis=1, initial=0.0)
    gains, largest = gains[largest > 0], largest[largest > 0]
    relative = gains / largest[:, np.newaxis]  # their sum is finite whatever the unit of y
    return np.asarray((relative / relative.sum(axis=1, keepdims=True)).sum(axis=0) / max(len(gains), 1))
