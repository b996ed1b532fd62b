"""Problems of the comparison: runs of configs on instances, some to learn from and some to test on."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Runs:
    """Finished evaluations, one a row: X are config columns followed by instance columns.

    Where not `known` the run was recorded as a timeout, and `cost` is only a bound.
    """

    X: Floats
    cost: Floats
    instance: NDArray[np.intp]
    known: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Problem:
    """Runs to learn from, in the order in which they were made, and runs to test on."""

    train: Runs
    test: Runs
    categorical: tuple[int, ...]
    ceiling: float
