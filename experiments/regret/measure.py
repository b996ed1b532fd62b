"""Tune once in simulated time, and compare every config that was run with the truth.

All true costs are means at the arena's own ceiling, even if the tuning used a smaller one.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from lib.arena.arena import Arena
from lib.arena.measure import Stopwatch, make_scenario
from lib.tables import Row

from tightrope import TuneResult, tune
from tightrope.records import Incumbent
from tightrope.run import Virtual
from tightrope.store.history import History

LONG = 1 / 3  # runs of at least this share of the ceiling are long


def attempt(
    arena: Arena, settings: Mapping[str, Any], *, budget: float, slots: int, seed: int
) -> dict[str, float]:
    """Tune with these settings of a Scenario; return the measures of the tuning."""
    scenario = make_scenario(arena, settings, budget=budget)
    watch = Stopwatch(arena)
    start_s = time.process_time()
    result = tune(scenario, executor=Virtual(cost=watch.cost, slots=slots), seed=seed)
    all_s = time.process_time() - start_s
    cpu_s = all_s - watch.cpu_s
    return measure(arena, result) | {
        "spent_share": round(result.spent / budget, 4),
        "cpu_s": round(all_s, 2),
        "cpu_ms_a_run": round(1000.0 * cpu_s / len(result.history), 3),
    }


def measure(arena: Arena, result: TuneResult) -> Row:
    """Return the true costs of the result and of the best config that was run, and statistics."""
    n_worse, n_promotions = count_promotions(arena, result.trajectory)
    configs = result.history.columns.configs
    return {
        "test_cost": arena.test_cost(result.best),
        "train_cost": arena.train_cost(result.best),
        "best_run_cost": min(map(arena.train_cost, [*configs, result.best])),
        "default_cost": arena.default_cost_test,
        "long_share": round(long_share(result.history, ceiling=arena.ceiling), 4),
        "n_worse_promotions": n_worse,
        "n_promotions": n_promotions,
        "n_runs": len(result.history),
        "n_configs": len(configs),
        "n_tasks": result.n_tasks,
    }


def long_share(history: History, *, ceiling: float) -> float:
    """Return the share of the cost of all runs that long runs have."""
    spent = history.columns.spent
    return float(spent[spent >= LONG * ceiling].sum() / spent.sum())


def count_promotions(arena: Arena, trajectory: Sequence[Incumbent]) -> tuple[int, int]:
    """Return how many promotions made the true training cost worse, and how many there were."""
    n_worse = n_promotions = 0
    before: Mapping[str, Any] = arena.default
    for each in trajectory:
        if each.config != before:
            n_promotions += 1
            n_worse += arena.train_cost(each.config) > arena.train_cost(before)
            before = each.config
    return n_worse, n_promotions
