"""Responses on the model's scale: observed, or known only to lie in an interval."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """Lower and upper end of what is known about each row; equal where it was observed."""

    lower: Floats
    upper: Floats


@dataclass(frozen=True, slots=True)
class Responses:
    """Observed responses; y is a lower bound where censored, unless `ends` says otherwise.

    `costs` are exp(y), for log models only. At the ceiling costs are multiplied by `par`. Each row has its
    own ceiling, or all share one. y and the ceiling are divided by `unit`, a power of two, which is 1 unless
    y is extreme. With left- or interval-censored rows, `ends` holds the ends of each row's interval,
    and y is what stands for it when censoring is ignored.
    """

    y: Floats
    censored: NDArray[np.bool_]
    costs: Floats | None = None
    weights: Floats | None = None
    ceiling: float | Floats = np.inf
    unit: float = 1.0
    par: float = 1.0
    ends: Interval | None = None

    @property
    def present(self) -> NDArray[np.bool_]:
        """Mask of the rows of positive weight."""
        return np.ones(self.y.size, dtype=bool) if self.weights is None else self.weights > 0

    def rows(self, kept: NDArray[np.bool_] | NDArray[np.intp]) -> "Responses":
        """Return the rows to keep."""
        costs, weights = (None if values is None else values[kept] for values in (self.costs, self.weights))
        ends = None if self.ends is None else Interval(self.ends.lower[kept], self.ends.upper[kept])
        return replace(
            self,
            y=self.y[kept],
            censored=self.censored[kept],
            costs=costs,
            weights=weights,
            ceiling=self.ceilings[kept],
            ends=ends,
        )

    @property
    def ceilings(self) -> Floats:
        """The ceiling of each row."""
        return np.broadcast_to(self.ceiling, self.y.shape)

    @property
    def interval(self) -> tuple[Floats, Floats]:
        """Lower and upper end of what is known about each row; equal where it was observed."""
        if self.ends is not None:
            return self.ends.lower, self.ends.upper
        return self.y, np.where(self.censored, np.inf, self.y)
