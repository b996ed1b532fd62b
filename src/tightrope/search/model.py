"""The small protocol that forest and process fulfil."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Observations:
    """What a model learns from: rows as `Space.for_model` gives them; y is a bound where censored."""

    X: Floats
    y: Floats
    censored: NDArray[np.bool_]
    categorical: NDArray[np.bool_]

    def head(self, n: int) -> "Observations":
        """Return the first n of them."""
        return Observations(self.X[:n], self.y[:n], self.censored[:n], self.categorical)


class Belief(Protocol):
    """A fitted model."""

    def __call__(self, X: Floats) -> tuple[Floats, Floats]:
        """Return mean and standard deviation on the model's scale, each of shape (n,)."""
        ...


class Model(Protocol):
    """A model that can be fitted to costs of which some are only bounds."""

    @property
    def log(self) -> bool:
        """Whether it models logarithms of costs."""
        ...

    def fit(self, observations: Observations, *, seed: int) -> Belief:
        """Fit anew."""
        ...
