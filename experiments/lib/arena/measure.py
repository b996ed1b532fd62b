"""Tune once in simulated time, and return the true costs of the result."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from lib.arena.arena import Arena
from tightrope import Budget, Scenario, Tactics, TuneResult, tune
from tightrope.records import Incumbent
from tightrope.run import Virtual

FRACTIONS = (0.05, 0.1, 0.2, 0.5, 1.0)  # shares of the budget after which the incumbent is tested


class Stopwatch:
    """Simulates the solver and measures the CPU time of the simulation, to exclude it from the overhead."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self.cpu_s = 0.0

    def cost(self, config: Mapping[str, Any], instance: str, seed: int) -> float:
        """Return the cost of a run in the arena."""
        start_s = time.process_time()
        cost = self._arena.cost(config, instance, seed)
        self.cpu_s += time.process_time() - start_s
        return cost


def make_scenario(arena: Arena, settings: Mapping[str, Any], *, budget: float) -> Scenario:
    """Return the arena's Scenario with these settings, which may replace the arena's own."""
    own: dict[str, Any] = {
        "space": arena.space,
        "instances": arena.instances_train,
        "features": arena.features or None,
        "ceiling": arena.ceiling,
        "resolution": arena.resolution,
        "budget": Budget(cost=budget),
        "candidates": arena.candidates,
        "default": arena.default,
    }
    return Scenario(**(own | _with_tactics(settings)))


def attempt(arena: Arena, settings: Mapping[str, Any], *, budget: float, seed: int) -> dict[str, float]:
    """Tune with these settings of a Scenario; return the costs of the result and statistics of the tuning."""
    scenario = make_scenario(arena, settings, budget=budget)
    watch = Stopwatch(arena)
    start_s = time.process_time()
    result = tune(scenario, executor=Virtual(cost=watch.cost), seed=seed)
    cpu_s = time.process_time() - start_s - watch.cpu_s
    return _summarise(arena, result, budget=budget) | {
        "cpu_s": round(cpu_s, 2),
        "cpu_ms_a_run": round(1000.0 * cpu_s / len(result.history), 3),
    }


def _with_tactics(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings with tactics as an object: they are given as a dictionary."""
    tactics = settings.get("tactics", {})
    return {**settings, "tactics": Tactics(**tactics)}


def _summarise(arena: Arena, result: TuneResult, *, budget: float) -> dict[str, float]:
    return {
        "test_cost": arena.test_cost(result.best),
        "train_cost": arena.train_cost(result.best),
        "estimated_cost": result.cost,
        "n_tasks": result.n_tasks,
        "n_runs": len(result.history),
        "n_configs": len(set(result.history.columns.config.tolist())),
        "n_incumbents": len(result.trajectory),
        "spent": float(f"{result.spent:.6g}"),
        **{
            f"test_cost_{fraction:g}": arena.test_cost(
                incumbent_at(result.trajectory, fraction * budget, default=arena.default)
            )
            for fraction in FRACTIONS
        },
    }


def incumbent_at(
    trajectory: Sequence[Incumbent], spent: float, *, default: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the incumbent after this much was spent; the default before the first incumbent."""
    known = [each.config for each in trajectory if each.spent <= spent]
    return known[-1] if known else default
