"""Tune once with many simulated workers: time to quality, and idle time of the workers."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lib.arena.arena import Arena
from lib.spear import CEILING_S
from lib.tables import Row

from tightrope import Budget, Scenario, TuneResult, tune
from tightrope.records import Event, Improved, Incumbent, Trial
from tightrope.run import Virtual
from tightrope.store import Decision, Entry, JournalReader

LEVELS_S = (10.0, 6.0, 4.0)  # mean costs to reach
Quality = Callable[[Mapping[str, Any]], float]


class DriverClock:
    """Simulates the solver, and measures the driver's CPU time per decision.

    It covers everything that the driver does in a decision and since the previous one, but not the arena.
    """

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._last_s = time.process_time()

    def cost(self, config: Mapping[str, Any], instance: str, seed: int) -> float:
        """Return the cost of a run in the arena."""
        start_s = time.process_time()
        cost = self._arena.cost(config, instance, seed)
        self._last_s += time.process_time() - start_s
        return cost

    def overhead(self, number: int) -> float:
        """Return the CPU time of this decision and of the work since the previous one."""
        now_s = time.process_time()
        used_s, self._last_s = now_s - self._last_s, now_s
        return used_s


def attempt(arena: Arena, *, workers: int, worker_s: float, seed: int) -> Row:
    """Tune until all levels are reached, or until the workers' total time is used up."""
    scenario = Scenario(
        space=arena.space,
        instances=arena.instances_train,
        features=arena.features,
        ceiling=CEILING_S,
        budget=Budget(wall=worker_s / workers),
        default=arena.default,
    )
    driver = DriverClock(arena)
    executor = Virtual(driver.cost, slots=workers, overhead=driver.overhead)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.journal"
        result = tune(
            scenario, executor=executor, seed=seed, journal=path, watch=_stop_when_good(arena.train_cost)
        )
        with JournalReader(path) as reader:
            entries = list(reader.entries())
    return _summarise(arena, result, entries, workers=workers)


def _stop_when_good(quality: Quality) -> Callable[[Event], None]:
    def watch(event: Event) -> None:
        if isinstance(event, Improved) and quality(event.incumbent.config) <= LEVELS_S[-1]:
            raise KeyboardInterrupt

    return watch


def _summarise(arena: Arena, result: TuneResult, entries: Sequence[Entry], *, workers: int) -> Row:
    thinking_s = sum(entry.what.overhead_s for entry in entries if isinstance(entry.what, Decision))
    times = {level: time_to(level, result.trajectory, quality=arena.train_cost) for level in LEVELS_S}
    return {
        **{f"time_{level:g}": round(at_s, 3) for level, at_s in times.items()},
        "wall_s": round(result.wall_s, 1),
        "idle_share": round(idle_share(entries, workers=workers, wall_s=result.wall_s), 4),
        "thinking_share": round(thinking_s / result.wall_s, 4),
        "n_runs": len(result.history),
        "n_cancelled": sum(run.outcome.note == "cancelled" for run in result.history),
        "n_incumbents": len(result.trajectory),
        "n_tasks": result.n_tasks,
        "train_cost": arena.train_cost(result.best),
        "test_cost": arena.test_cost(result.best),
        "spent_s": round(result.spent, 1),
    }


def time_to(level: float, trajectory: Iterable[Incumbent], *, quality: Quality) -> float:
    """Return the time of the first incumbent with a true cost of at most this level; inf if none."""
    return next((each.wall_s for each in trajectory if quality(each.config) <= level), inf)


def idle_share(entries: Iterable[Entry], *, workers: int, wall_s: float) -> float:
    """Return the share of the workers' time without a run, from a tuning's journal."""
    began_s: dict[int, float] = {}
    decided_s = busy_s = 0.0
    for entry in entries:
        what = entry.what
        if isinstance(what, Decision):
            decided_s = what.now_s + what.overhead_s
        elif isinstance(what, Trial):
            began_s[what.id] = decided_s
        else:
            busy_s += what.wall_s
            del began_s[what.trial_id]
    busy_s += sum(max(0.0, wall_s - start_s) for start_s in began_s.values())  # still running at the end
    return 1.0 - busy_s / (workers * wall_s)
