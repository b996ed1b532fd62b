"""Ablations in miniature: a table of costs, and a loop that runs what a part asks for."""

from collections.abc import Callable, Iterable

from tightrope.compare.ablation.board import Board, Need
from tightrope.compare.ablation.changes import Changes
from tightrope.race.objective import Objective, Score
from tightrope.records import Config, Task
from tightrope.space import Space

TASKS = tuple(Task(f"i{number}") for number in range(8))

Cost = Callable[[Config, Task], float]


def switches(names: str) -> Space:
    """Return a space of switches that are off by default."""
    return Space.of({name: ["off", "on"] for name in names})


def all_on(space: Space, names: str) -> Changes:
    """Return the changes that switch everything on."""
    return Changes(space, Config(dict.fromkeys(names, "off")), Config(dict.fromkeys(names, "on")))


def is_on(config: Config) -> str:
    """Return the names of the switches that are on."""
    return "".join(sorted(name for name, value in config.items() if value == "on"))


def board_of(changes: Changes, *, ceiling: float = 1000.0) -> Board:
    """Return an empty board."""
    return Board(TASKS, Objective(ceiling), best=changes.best, resolution=1e-6)


def run(board: Board, need: Need, cost: Cost) -> None:
    """Run what is needed, up to its cap."""
    amount = cost(need.config, need.task)
    board.add(need.config, need.task, Score(min(amount, need.cap), exact=amount < need.cap))


def measure(board: Board, configs: Iterable[Config], cost: Cost) -> None:
    """Measure configs on all tasks."""
    for config in configs:
        for need in list(board.to_measure(config)):
            run(board, need, cost)
