"""Scales of columns: conversion of native values to [0, 1] and back.

| symbol | meaning | shape |
| --- | --- | --- |
| values | native values, NaN where inactive; the last axis runs over columns | (..., d) |
| unit | positions in [0, 1] on each column's own scale | (..., d) |
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """Bounds and kinds of columns; all methods work on all columns at once.

    A whole column holds integers. `from_unit` assigns each of its values an interval of [0, 1]: intervals of
    equal length on a linear scale, ConfigSpace's intervals on a log scale. `to_unit` returns the middle of a
    value's interval, so that `from_unit(to_unit(values))` returns the values.
    """

    lower: Floats
    upper: Floats
    is_log: Mask
    is_whole: Mask

    @property
    def n_values(self) -> Floats:
        """Number of values of each column; infinite unless it is whole."""
        return np.where(self.is_whole, self.upper - self.lower + 1.0, np.inf)

    def take(self, columns: Ints) -> "Scale":
        """Return the scale of a selection of columns, which may repeat."""
        return Scale(self.lower[columns], self.upper[columns], self.is_log[columns], self.is_whole[columns])

    def from_unit(self, unit: Floats) -> Floats:
        """Return native values; uniform positions become uniform values, on a column's own scale."""
        values = unit * self._width + self.lower
        if self.is_log.any():
            log = self.is_log
            low, high = self.lower[log], self.upper[log]
            curved = np.exp(unit[..., log] * (np.log(high) - np.log(low)) + np.log(low))
            values[..., log] = (curved - low) * (self._width[log] / (high - low)) + low
        if self.is_whole.any():
            np.floor(values, out=values, where=self.is_whole)
        # Rounding may exceed a bound by one unit in the last place.
        return np.clip(values, self.lower, self.upper, out=values)

    def to_unit(self, values: Floats) -> Floats:
        """Return positions that `from_unit` maps to these values."""
        width = np.where(self._width > 0.0, self._width, 1.0)
        unit = (values - self.lower + 0.5 * self.is_whole) / width
        if self.is_log.any():
            log = self.is_log
            unit[..., log] = self._log_to_unit(values[..., log])
        return np.clip(unit, 0.0, 1.0, out=unit)

    def normalize(self, values: Floats) -> Floats:
        """Return values mapped linearly (log scales: their logarithms) so that the bounds are 0 and 1."""
        span = self.upper - self.lower
        unit = (values - self.lower) / np.where(span > 0.0, span, 1.0)
        if self.is_log.any():
            log = self.is_log
            low, high = self.lower[log], self.upper[log]
            unit[..., log] = (np.log(values[..., log]) - np.log(low)) / (np.log(high) - np.log(low))
        return unit

    def is_inside(self, values: Floats) -> Mask:
        """Return which values a column can take; False for NaN."""
        with np.errstate(invalid="ignore"):
            whole = ~self.is_whole | (values == np.floor(values))
        inside: Mask = (values >= self.lower) & (values <= self.upper) & whole
        return inside

    @property
    def _width(self) -> Floats:
        """Length of the interval that is divided among the values: n for n whole numbers."""
        return self.upper - self.lower + self.is_whole

    def _log_to_unit(self, values: Floats) -> Floats:
        log = self.is_log
        low, high, whole = self.lower[log], self.upper[log], self.is_whole[log]
        shrink = (high - low) / self._width[log]
        left = low + (values - low) * shrink
        right = left + whole * shrink
        middle = 0.5 * (np.log(left) + np.log(right))
        unit: Floats = (middle - np.log(low)) / (np.log(high) - np.log(low))
        return unit
