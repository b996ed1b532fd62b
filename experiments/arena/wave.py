"""A random function over configs, drawn from a Gaussian process before anything is known.

Its covariance is variance * exp(-sum of w * distance), as in `arena.smoother`: waves of Cauchy-distributed
frequencies for numbers, and for each choice a sign that depends on it with probability 1 - exp(-w).

| symbol | meaning | shape |
| --- | --- | --- |
| frequencies, phases | of the waves | (n_numbers, n_waves), (n_waves,) |
| signs | of each choice | (n_choices, most values of a choice, n_waves) |
| heights | of the waves | (n_waves,) |
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

N_WAVES = 300


@dataclass(frozen=True, slots=True, eq=False)
class Waves:
    """The drawn function; the module says what its parts mean."""

    frequencies: Floats
    phases: Floats
    signs: NDArray[np.int8]
    heights: Floats

    def values(self, X: Floats) -> Floats:
        """Return each wave's height at each config, shape (n, n_waves)."""
        n_numbers = len(self.frequencies)
        chosen = X[:, n_numbers:].astype(np.intp)
        sign = self.signs[np.arange(len(self.signs)), chosen].prod(axis=1, dtype=np.int8)
        return np.asarray(self.heights * np.cos(X[:, :n_numbers] @ self.frequencies + self.phases) * sign)


def draw_waves(
    weights: Floats, variance: float, *, n_values: NDArray[np.intp], rng: np.random.Generator
) -> Waves:
    """Draw a function of numbers and, after them, choices that have `n_values`."""
    n_numbers = len(weights) - len(n_values)
    by_number, by_choice = weights[:n_numbers], weights[n_numbers:]
    signs = rng.choice(np.array([-1, 1], dtype=np.int8), size=(len(n_values), int(n_values.max()), N_WAVES))
    is_blind = rng.random((len(n_values), 1, N_WAVES)) < np.exp(-by_choice)[:, np.newaxis, np.newaxis]
    return Waves(
        frequencies=rng.standard_cauchy((n_numbers, N_WAVES)) * by_number[:, np.newaxis],
        phases=rng.uniform(0.0, 2.0 * np.pi, N_WAVES),
        signs=np.where(is_blind, np.int8(1), signs),
        heights=rng.normal(size=N_WAVES) * np.sqrt(2.0 * variance / N_WAVES),
    )


def join(waves: list[Waves]) -> Waves:
    """Put several functions side by side."""
    return Waves(
        np.concatenate([each.frequencies for each in waves], axis=1),
        np.concatenate([each.phases for each in waves]),
        np.concatenate([each.signs for each in waves], axis=2),
        np.concatenate([each.heights for each in waves]),
    )
