"""The protocol between engines and models: observations in, a belief out.

A new model implements `Model` (for `minimize`) or `MarginalModel` (for `tune` as well), and gets a name in
`search.options` or `scenario.setup`.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Observations:
    """Training data: rows as `Space.for_model` returns them; `y` is a lower bound where `censored`.

    `baseline`, if given, holds a cost for each row; the model then learns `y` as multiples of it.
    """

    X: Floats
    y: Floats
    censored: NDArray[np.bool_]
    categorical: NDArray[np.bool_]
    baseline: Floats | None = None

    def head(self, n: int) -> "Observations":
        """Return the first n observations."""
        baseline = None if self.baseline is None else self.baseline[:n]
        return Observations(self.X[:n], self.y[:n], self.censored[:n], self.categorical, baseline)


class Belief(Protocol):
    """A fitted model."""

    def __call__(self, X: Floats) -> tuple[Floats, Floats]:
        """Return mean and standard deviation on the model's scale, each of shape (n,)."""
        ...


class MarginalBelief(Belief, Protocol):
    """A fitted model that can average over instances."""

    def marginal(
        self, configs: Floats, instances: Floats, *, baseline: Floats | None
    ) -> tuple[Floats, Floats]:
        """Return mean and standard deviation of each config's mean cost over the instances.

        `configs` are the leading columns of the training rows, `instances` the others; `baseline` holds a
        cost for each instance. Both results are on the model's scale, of shape (n,).
        """
        ...


class Model(Protocol):
    """A model that can be fitted to costs of which some are only lower bounds."""

    @property
    def log(self) -> bool:
        """Whether it models logarithms of costs."""
        ...

    def fit(self, observations: Observations, *, seed: int) -> Belief:
        """Fit to all observations; nothing is kept from an earlier fit that could change the result."""
        ...


class MarginalModel(Model, Protocol):
    """A model for `tune`, which compares configs by their mean cost over instances."""

    def fit(self, observations: Observations, *, seed: int) -> MarginalBelief:
        """Fit to all observations."""
        ...
