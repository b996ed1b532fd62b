"""The scale that trees are grown on, and conversions from it."""

from dataclasses import dataclass
from math import frexp, ldexp, sqrt

import numpy as np
from numpy.typing import NDArray

from tightrope.forest.moments import Moments

Floats = NDArray[np.float64]

_EXTREME = 256  # squares of numbers beyond 2**256, and sums of many such squares, may overflow


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of a fit: logarithmic or not, the unit that divides y, and the variance floors in it."""

    log: bool
    unit: float
    min_variance: float
    min_response_variance: float
    noise: bool

    def belief(self, mean: Floats, variance: Floats) -> tuple[Floats, Floats]:
        """Return mean and standard deviation on the model's scale, from those of the trees in units."""
        return mean * self.unit, np.sqrt(np.maximum(variance, self.min_variance)) * self.unit

    def belief_of_response(self, seen: Moments) -> tuple[Floats, Floats]:
        """Return mean and standard deviation of a response, noise included."""
        return seen.mean * self.unit, seen.std(self.min_response_variance) * self.unit

    def from_response(self, values: Floats) -> Floats:
        """Convert from the scale of y to the model's; without a logarithm where y is not positive."""
        if not self.log:
            return values
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.maximum(values, 0.0)))

    def to_response(self, values: Floats) -> Floats:
        """Convert from the model's scale to that of y."""
        return np.exp(values) if self.log else values


def choose_unit(y: Floats, *, min_variance: float, imputes: bool) -> float:
    """Choose a power of two to divide y by, so that variances neither overflow nor underflow; mostly 1.

    It is also 1 if the division would lose digits and nothing is imputed from a variance: trees can be grown
    from any numbers.
    """
    largest = float(np.abs(y).max(initial=0.0))
    exponent = frexp(largest)[1]
    if largest == 0.0 or abs(exponent) <= _EXTREME:
        return 1.0
    if exponent < 0:
        # A variance floor above all variances must stay finite in this unit.
        exponent = min(max(exponent, frexp(sqrt(min_variance))[1] if min_variance > 0 else exponent), 0)
    unit = ldexp(1.0, exponent)
    return unit if imputes or np.array_equal(y / unit * unit, y) else 1.0


def mean_shares(gains: Floats) -> Floats:
    """Average each column's share of the gains, shape (trees, columns), over the trees that have any gain."""
    largest = gains.max(axis=1, initial=0.0)
    gains, largest = gains[largest > 0], largest[largest > 0]
    relative = gains / largest[:, np.newaxis]  # their sum is finite in any unit of y
    return np.asarray((relative / relative.sum(axis=1, keepdims=True)).sum(axis=0) / max(len(gains), 1))
