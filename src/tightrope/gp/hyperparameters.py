"""Hyperparameters of a process: length-scales, signal, noise and mean, with their priors and limits.

Data are standardised here: inputs have range 1 and responses have spread 1. The search moves a vector theta:

==========  =================  =========================================================================
entry       coordinate         meaning
==========  =================  =========================================================================
0 .. d-1    log of lengths     length-scale of each column
d           log of signal      standard deviation of f about its mean
d + 1       log of noise       standard deviation of the responses about f; absent if it is fixed
last        mean               mean of f far from all points
==========  =================  =========================================================================

The prior is normal in each coordinate.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SMALLEST_NOISE = 1e-4  # less noise is raised to this: the linear algebra would lose too many digits
_MEDIAN_LENGTH, _MEDIAN_SIGNAL, _MEDIAN_NOISE = 0.2, 1.0, 1e-3  # docs/design/gp.md has the evidence
_FIRST_NOISE = 0.1  # where the search begins: from less it may end where a wiggly f explains the noise
_LENGTH_SPREAD, _SIGNAL_SPREAD, _NOISE_SPREAD, _MEAN_SPREAD = 1.0, 0.7, 2.0, 1.0
_LENGTH_LIMITS, _SIGNAL_LIMITS, _NOISE_LIMITS = (5e-3, 1e2), (5e-2, 2e1), (SMALLEST_NOISE, 3.0)
_MEAN_LIMITS = (-1e1, 1e1)
_LARGEST_RATIO = _SIGNAL_LIMITS[1] / SMALLEST_NOISE  # of signal to noise; digits would be lost above it


@dataclass(frozen=True, slots=True)
class Hyperparameters:
    """Hyperparameters of one process, in the units of its inputs and responses."""

    lengths: Floats
    signal: float
    noise: float
    mean: float


@dataclass(frozen=True, slots=True)
class Coordinates:
    """The search space: first point, centre and spread of the prior, limits, and the noise if it is fixed."""

    first: Floats
    centre: Floats
    spread: Floats
    lowest: Floats
    highest: Floats
    noise: float | None

    def to_hyperparameters(self, theta: Floats) -> Hyperparameters:
        """Return the hyperparameters of a point theta."""
        natural = np.exp(theta[:-1])
        n_columns = theta.size - (2 if self.noise is not None else 3)
        noise = float(natural[-1]) if self.noise is None else self.noise
        return Hyperparameters(natural[:n_columns], float(natural[n_columns]), noise, float(theta[-1]))

    def to_theta(self, hyperparameters: Hyperparameters) -> Floats:
        """Return the point theta of hyperparameters, moved within the limits."""
        noise = [hyperparameters.noise] if self.noise is None else []
        natural = np.array([*hyperparameters.lengths, hyperparameters.signal, *noise])
        with np.errstate(divide="ignore"):
            theta = np.append(np.log(natural), hyperparameters.mean)
        return np.asarray(np.clip(theta, self.lowest, self.highest))

    def draw(self, rng: np.random.Generator) -> Floats:
        """Draw from the prior, within the limits."""
        return np.clip(rng.normal(self.centre, self.spread), self.lowest, self.highest)

    def log_prior(self, theta: Floats) -> tuple[float, Floats]:
        """Return the log density, up to a constant, and its gradient."""
        deviation = (theta - self.centre) / self.spread
        return -0.5 * float(deviation @ deviation), -deviation / self.spread


def coordinates(n_columns: int, *, noise: float | None) -> Coordinates:
    """Return the coordinates for this many columns; a number fixes the noise.

    The median length grows with the root of the number of columns, as the distances between points do.
    """
    free = noise is None
    lengths = [_MEDIAN_LENGTH * np.sqrt(n_columns)] * n_columns
    medians = [*lengths, _MEDIAN_SIGNAL] + [_MEDIAN_NOISE] * free
    first = [*lengths, _MEDIAN_SIGNAL] + [_FIRST_NOISE] * free
    spreads = [_LENGTH_SPREAD] * n_columns + [_SIGNAL_SPREAD] + [_NOISE_SPREAD] * free + [_MEAN_SPREAD]
    limits = [_LENGTH_LIMITS] * n_columns + [_SIGNAL_LIMITS] + [_NOISE_LIMITS] * free
    lowest, highest = np.log(limits).T
    return Coordinates(
        first=np.append(np.log(first), 0.0),
        centre=np.append(np.log(medians), 0.0),
        spread=np.array(spreads),
        lowest=np.append(lowest, _MEAN_LIMITS[0]),
        highest=np.append(highest, _MEAN_LIMITS[1]),
        noise=noise,
    )


def raise_noise(noise: float, *, signal: float) -> float:
    """Raise a noise that is too small for the linear algebra, even where points nearly coincide."""
    return max(noise, SMALLEST_NOISE, signal / _LARGEST_RATIO)
