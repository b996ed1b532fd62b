"""Caps of `minimize`: by the slack, or by expected information (`race.duel` has the caps of `tune`).

==========  ==================================================================================
symbol      meaning
==========  ==================================================================================
best        smallest cost known
mean, s     belief about the config's cost, on the model's scale: a normal distribution
a           a cap, standardised: (cap - mean) / s on the model's scale
==========  ==================================================================================
"""

from dataclasses import dataclass
from math import inf
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtr

from tightrope import truncated

Floats = NDArray[np.float64]

_SQRT_TWO_PI = np.sqrt(2.0 * np.pi)
_LEAST = 0.01  # nats that any run is worth, because the belief may be wrong


class CapRule(Protocol):
    """Decides the cap of a trial."""

    def cap(self, best: float, *, mean: float, s: float) -> float:
        """Return a positive cap; `best` is inf if no cost is known yet."""
        ...


@dataclass(frozen=True, slots=True)
class FixedSlack:
    """The paper's rule: the cap is a multiple of the best cost; never above the ceiling."""

    slack: float = 1.3
    ceiling: float = inf

    def cap(self, best: float, *, mean: float = 0.0, s: float = 0.0) -> float:
        """Return slack x best, at most the ceiling."""
        if self.slack == inf:  # also for a best cost below zero
            return self.ceiling
        return min(self.slack * best, self.ceiling)


@dataclass(frozen=True, slots=True)
class InformationRate:
    """The cap that yields the most information for its expected cost, by the model's belief.

    Finishing tells the cost up to a relative `resolution`; being stopped tells that it is larger. What either
    takes off the belief's entropy, weighted by how likely it is, is divided by the expected cost of the run.
    Caps from the best cost to `most_slack` times as much are compared: below, an improvement might be missed.
    """

    most_slack: float = 4.0
    resolution: float = 0.05
    ceiling: float = inf
    log: bool = True
    n_caps: int = 33

    def cap(self, best: float, *, mean: float, s: float) -> float:
        """Return the best of the caps that are compared; the best cost if there is no belief to speak of."""
        resolution = self.resolution if self.log else self.resolution * best
        if best == inf or s <= resolution or s == inf:
            return min(best, self.ceiling)
        caps = best * np.geomspace(1.0, self.most_slack, self.n_caps)
        a = ((np.log(caps) if self.log else caps) - mean) / s
        learnt = _LEAST + information(a, finished=np.log(s / resolution))
        best_cap = caps[np.argmax(learnt / self._expected_cost(caps, mean=mean, s=s))]
        return min(float(best_cap), self.ceiling)

    def _expected_cost(self, caps: Floats, *, mean: float, s: float) -> Floats:
        return (
            expected_capped_lognormal(caps, mean=mean, s=s)
            if self.log
            else expected_capped(caps, mean=mean, s=s)
        )


def information(a: Floats, *, finished: float) -> Floats:
    """Return the expected loss of entropy of a standard normal value that is seen only if it is below a.

    Seeing it is worth `finished`. Knowing that it is above a leaves a truncated normal distribution; more
    than `finished` that cannot be worth.
    """
    hazard, _, _ = truncated.standard_moments(a)
    stopped = np.minimum(-log_ndtr(-a) - 0.5 * a * hazard, finished)
    return np.asarray(ndtr(a) * finished + ndtr(-a) * stopped)


def expected_capped_lognormal(caps: Floats, *, mean: float, s: float) -> Floats:
    """E[min(exp(z), cap)] for a normal z."""
    a = (np.log(caps) - mean) / s
    with np.errstate(over="ignore"):
        below = np.exp(np.minimum(mean + 0.5 * s * s + log_ndtr(a - s), np.log(caps)))
    return np.asarray(below + caps * ndtr(-a))


def expected_capped(caps: Floats, *, mean: float, s: float) -> Floats:
    """E[min(z, cap)] for a normal z, but at least a thousandth of the cap: no run is free."""
    a = (caps - mean) / s
    expected = caps - s * (a * ndtr(a) + np.exp(-0.5 * a * a) / _SQRT_TWO_PI)
    return np.asarray(np.maximum(expected, 1e-3 * caps))
