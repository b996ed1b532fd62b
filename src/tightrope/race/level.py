"""Where the race is held: costs are cut at the ceiling, or at first at a lower level that rises to it."""

from dataclasses import dataclass
from math import ceil, log2
from typing import Protocol


class LevelRule(Protocol):
    """Decides the level."""

    def level(self, used: float) -> float:
        """Return where costs are cut when this share of the budget is used."""
        ...


@dataclass(frozen=True, slots=True)
class FixedLevel:
    """The paper's race: costs are cut at the ceiling only."""

    ceiling: float

    def level(self, used: float) -> float:
        """Return the ceiling."""
        return self.ceiling


@dataclass(frozen=True, slots=True)
class RisingLevel:
    """The level doubles from a fraction of the ceiling until it reaches it, at a share of the budget.

    Configs are told apart by what they cost up to the level, which takes far less time than running the
    slow ones of them to the ceiling. The more is known, the higher the level.
    """

    ceiling: float
    doublings: int = 6
    reached: float = 0.5  # of the budget, when the level is the ceiling

    def level(self, used: float) -> float:
        """Return the ceiling, halved as many times as there are doublings to come."""
        to_come = ceil(self.doublings * (1.0 - used / self.reached) - 1e-9)
        return self.ceiling / 2.0 ** max(0, min(to_come, self.doublings))


def doublings_between(first: float, ceiling: float) -> int:
    """Return how many doublings lead from a first level to the ceiling."""
    return max(0, ceil(log2(ceiling / first)))
