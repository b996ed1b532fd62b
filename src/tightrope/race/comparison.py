"""How much better one config is than another, on the tasks that both were run on, and how sure that is."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

from tightrope.race.objective import Objective, Score


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two configs on the same tasks.

    Attributes
    ----------
    cost, other : float
        Mean costs of the one and the other.
    n_tasks : int
        How many tasks there are to compare them on; without any the costs mean nothing.
    is_bound, other_is_bound : bool
        Whether they are lower bounds, because runs were stopped below the ceiling.
    is_same : bool
        Whether the two are the same config.
    """

    cost: float
    other: float
    n_tasks: int
    is_bound: bool = False
    other_is_bound: bool = False
    is_same: bool = False

    @property
    def speedup(self) -> float:
        """How many times less the one costs; a lower bound if only the other's cost is one."""
        return self.other / self.cost if self.cost > 0 else inf

    def __str__(self) -> str:
        if self.is_same:
            return "it is the default"
        on = "1 task" if self.n_tasks == 1 else f"{self.n_tasks} tasks"
        if self.n_tasks == 0 or self.is_bound:
            return f"how it compares with the default is open ({on} in common)"
        if self.speedup < 1 and self.other_is_bound:
            return f"how it compares with the default is open ({on} in common)"
        if self.speedup < 1:
            return f"{1.0 / self.speedup:.3g} times as much as the default on {on} in common"
        sign = ">= " if self.other_is_bound else ""
        return f"{sign}{self.speedup:.3g} times less than the default on {on} in common"


def compare(
    one: Mapping[int, Score], other: Mapping[int, Score], objective: Objective, *, is_same: bool = False
) -> Comparison:
    """Compare two configs on the tasks that they share."""
    common = [task for task in one if task in other]
    n = len(common)
    if n == 0:
        return Comparison(inf, inf, 0, is_same=is_same)
    return Comparison(
        sum(objective.charge(one[task]) for task in common) / n,
        sum(objective.charge(other[task]) for task in common) / n,
        n,
        is_bound=not all(objective.is_settled(one[task]) for task in common),
        other_is_bound=not all(objective.is_settled(other[task]) for task in common),
        is_same=is_same,
    )
