"""Problems of the comparison: training runs and test runs of configs on instances."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Runs:
    """Finished evaluations, one per row: X holds config columns followed by instance columns.

    Where `known` is false the run was recorded as a timeout, and `cost` is a lower bound.
    """

    X: Floats
    cost: Floats
    instance: NDArray[np.intp]
    known: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Problem:
    """Training runs, in the order in which they were made, and test runs."""

    train: Runs
    test: Runs
    categorical: tuple[int, ...]
    ceiling: float
