"""A random function of configs, drawn from the prior of a Gaussian process by random Fourier features.

Its covariance is variance * exp(-sum of w * distance), as in `lib.surrogate.smoother`. It is a sum of cosine
waves. Numbers have Cauchy-distributed frequencies. Each categorical parameter has a random sign for each
value, which depends on the value with probability 1 - exp(-w).

| symbol | meaning | shape |
| --- | --- | --- |
| frequencies, phases | of the waves | (n_numbers, n_waves), (n_waves,) |
| signs | of each value of each categorical parameter | (n_choices, largest number of values, n_waves) |
| heights | of the waves | (n_waves,) |
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

N_WAVES = 300


@dataclass(frozen=True, slots=True, eq=False)
class RandomFunction:
    """The drawn function; the module's table explains the fields."""

    frequencies: Floats
    phases: Floats
    signs: NDArray[np.int8]
    heights: Floats

    def values(self, X: Floats) -> Floats:
        """Return each wave's value at each config, shape (n, n_waves)."""
        n_numbers = len(self.frequencies)
        chosen = X[:, n_numbers:].astype(np.intp)
        sign = self.signs[np.arange(len(self.signs)), chosen].prod(axis=1, dtype=np.int8)
        return np.asarray(self.heights * np.cos(X[:, :n_numbers] @ self.frequencies + self.phases) * sign)


def draw_function(
    weights: Floats, variance: float, *, n_values: NDArray[np.intp], rng: np.random.Generator
) -> RandomFunction:
    """Draw a function of numbers followed by categorical parameters with `n_values` values."""
    n_numbers = len(weights) - len(n_values)
    by_number, by_choice = weights[:n_numbers], weights[n_numbers:]
    signs = rng.choice(np.array([-1, 1], dtype=np.int8), size=(len(n_values), int(n_values.max()), N_WAVES))
    is_ignored = rng.random((len(n_values), 1, N_WAVES)) < np.exp(-by_choice)[:, np.newaxis, np.newaxis]
    return RandomFunction(
        frequencies=rng.standard_cauchy((n_numbers, N_WAVES)) * by_number[:, np.newaxis],
        phases=rng.uniform(0.0, 2.0 * np.pi, N_WAVES),
        signs=np.where(is_ignored, np.int8(1), signs),
        heights=rng.normal(size=N_WAVES) * np.sqrt(2.0 * variance / N_WAVES),
    )


def join(functions: list[RandomFunction]) -> RandomFunction:
    """Return several functions as one with all their waves."""
    return RandomFunction(
        np.concatenate([each.frequencies for each in functions], axis=1),
        np.concatenate([each.phases for each in functions]),
        np.concatenate([each.signs for each in functions], axis=2),
        np.concatenate([each.heights for each in functions]),
    )
