"""Scales of axes: from values to places between 0 and 1, and the ticks."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

_WIDE = 10.0  # largest over smallest value, above which a logarithmic axis is easier to read
_DECADES_WITH_STEPS = 2.6  # a longer logarithmic axis has ticks at powers of ten only
_MOST_TICKS = 7


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis from `low` to `high`, linear or logarithmic; with `names`, a tick for each whole number.

    Examples
    --------
    >>> scale = Scale.of([1.0, 1000.0])
    >>> scale.is_log, [label for _, label in Scale(1.0, 1000.0, is_log=True).ticks()]
    (True, ['1', '10', '100', '1000'])
    >>> Scale(0.0, 4.0).place([1.0, 2.0]).tolist()
    [0.25, 0.5]
    """

    low: float
    high: float
    is_log: bool = False
    names: Sequence[str] | None = None

    @classmethod
    def of(
        cls, values: ArrayLike, *, is_log: bool | None = None, margin: float = 0.05, from_zero: bool = False
    ) -> Self:
        """Return a scale that holds the finite values; it is logarithmic if they range widely."""
        known = np.asarray(values, dtype=np.float64).ravel()
        known = known[np.isfinite(known)]
        positive = known[known > 0]
        if is_log is None:
            is_log = bool(known.size and known.min() > 0 and known.max() >= _WIDE * known.min())
        if is_log and positive.size:
            low, high = np.log10(positive.min()), np.log10(positive.max())
            reach = margin * (high - low) or 0.3
            return cls(float(10 ** (low - reach)), float(10 ** (high + reach)), is_log=True)
        if not known.size:
            return cls(0.0, 1.0)
        low, high = (min(0.0, known.min()) if from_zero else known.min()), known.max()
        reach = margin * (high - low) or 0.1 * abs(high) or 1.0
        return cls(float(low if from_zero and low == 0 else low - reach), float(high + reach))

    def place(self, values: ArrayLike) -> Floats:
        """Return where values lie between the ends, 0 and 1; what lies beyond is put at the nearer end."""
        array = np.asarray(values, dtype=np.float64)
        if not self.is_log:
            return np.clip((array - self.low) / (self.high - self.low), 0.0, 1.0)
        logs = np.log10(np.clip(array, self.low, self.high))
        start, end = np.log10(self.low), np.log10(self.high)
        return np.asarray((logs - start) / (end - start), dtype=np.float64)

    def ticks(self) -> list[tuple[float, str]]:
        """Return values to mark, with their labels."""
        if self.names is not None:
            return [(float(i), name) for i, name in enumerate(self.names)]
        values = self._log_ticks() if self.is_log else self._linear_ticks()
        return [(value, label(value)) for value in values]

    def _log_ticks(self) -> list[float]:
        first, last = log10(self.low), log10(self.high)
        if last - first > _DECADES_WITH_STEPS:
            every = ceil((last - first) / _MOST_TICKS)
            powers = range(ceil(first), floor(last) + 1)
            return [10.0**power for power in powers if power % every == 0]
        steps = (1.0, 2.0, 5.0) if last - first > 0.7 else (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0)
        found = [step * 10.0**power for power in range(floor(first), floor(last) + 1) for step in steps]
        inside = [value for value in found if self.low <= value <= self.high]
        return inside if len(inside) >= 2 else self._linear_ticks()

    def _linear_ticks(self) -> list[float]:
        rough = (self.high - self.low) / (_MOST_TICKS - 2)
        power = 10.0 ** floor(log10(rough))
        step = next(factor * power for factor in (1.0, 2.0, 5.0, 10.0) if factor * power >= rough * 0.999)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [float(f"{i * step:.10g}") for i in range(first, last + 1)]


def label(value: Any) -> str:
    """Write the value of a tick.

    >>> label(20000.0), label(0.05), label(3e7)
    ('20 000', '0.05', '3e7')
    """
    if value != 0 and not 1e-4 <= abs(value) < 1e6:
        return f"{value:.2g}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")
    text = f"{value:.6g}"
    return f"{int(value):,d}".replace(",", " ") if abs(value) >= 10000 and value == int(value) else text


def grouped(n: int) -> str:
    """Write a whole number with its digits in groups of three, as the terminal does.

    >>> grouped(2500), grouped(40)
    ('2 500', '40')
    """
    return f"{n:,}".replace(",", " ")


def thin(n: int, most: int) -> NDArray[np.int64]:
    """Return at most so many of n indices, evenly spread, with the first and the last.

    >>> thin(4, 10).tolist(), thin(101, 3).tolist()
    ([0, 1, 2, 3], [0, 50, 100])
    """
    if n <= most:
        return np.arange(n, dtype=np.int64)
    return np.unique(np.linspace(0, n - 1, most).round().astype(np.int64))
