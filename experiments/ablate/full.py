"""A full ablation: at each step, every change that is left is run on every task, up to the ceiling."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tightrope.compare.ablation.changes import Changes, Chosen
from tightrope.records import Config, Task

Cost = Callable[[Config, Task], float]


@dataclass(frozen=True, slots=True)
class FullAblation:
    """The order of the changes, the mean cost of the default and after each step, and what all runs cost."""

    order: tuple[int, ...]
    costs: tuple[float, ...]
    spent: float


def full_ablation(changes: Changes, tasks: Sequence[Task], cost: Cost, *, ceiling: float) -> FullAblation:
    """Run every legal next change at each step; the one with the smallest mean cost comes next."""
    spent = 0.0

    def mean(chosen: Chosen) -> float | None:
        nonlocal spent
        config = changes.config(chosen)
        if config is None:
            return None
        costs = [min(cost(config, task), ceiling) for task in tasks]
        spent += sum(costs)
        return sum(costs) / len(costs)

    done: Chosen = frozenset()
    order: list[int] = []
    start = mean(done)
    assert start is not None
    costs = [start]
    while done != changes.all:
        found = [(mean(done | {number}), number) for number in sorted(changes.all - done)]
        legal = [(each, number) for each, number in found if each is not None]
        if not legal:  # the rest is legal only as a whole
            break
        best, number = min(legal)
        done |= {number}
        order.append(number)
        costs.append(best)
    return FullAblation(tuple(order), tuple(costs), spent)
