"""How long may a trial run? Slack lives here and only here."""

from dataclasses import dataclass
from math import inf
from typing import Protocol


class CapRule(Protocol):
    """Decides the cap of a trial whose config the model believes to cost exp(mean +- s), or mean +- s."""

    def cap(self, best: float, *, mean: float, s: float) -> float:
        """Return a positive cap; `best` is the smallest cost known, inf if there is none."""
        ...


@dataclass(frozen=True, slots=True)
class FixedSlack:
    """The paper's rule: the cap is a multiple of the best cost; never above the ceiling."""

    slack: float = 1.3
    ceiling: float = inf

    def cap(self, best: float, *, mean: float = 0.0, s: float = 0.0) -> float:
        """Return slack x best, at most the ceiling."""
        return min(self.slack * best, self.ceiling)
