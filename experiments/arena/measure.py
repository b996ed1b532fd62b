"""Tune once in simulated time, and tell the truth about what was found."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from arena.arena import Arena
from tightrope import Budget, Scenario, Tactics, TuningResult, tune
from tightrope.records import Incumbent
from tightrope.run import Virtual

FRACTIONS = (0.05, 0.1, 0.2, 0.5, 1.0)  # of the budget, at which the incumbent is tested


class Stopwatch:
    """Answers for the solver, and knows how long that took: this is no overhead of the tuning."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self.cpu_s = 0.0

    def cost(self, config: Mapping[str, Any], instance: str, seed: int) -> float:
        """Return what the arena does."""
        start_s = time.process_time()
        cost = self._arena.cost(config, instance, seed)
        self.cpu_s += time.process_time() - start_s
        return cost


def pose(arena: Arena, settings: Mapping[str, Any], *, budget: float) -> Scenario:
    """Return what is to be tuned, with these settings of a Scenario."""
    return Scenario(
        space=arena.space,
        instances=arena.instances_train,
        features=arena.features,
        ceiling=arena.ceiling,
        resolution=arena.resolution,
        budget=Budget(cost=budget),
        candidates=arena.candidates,
        default=arena.default,
        **_read(settings),
    )


def attempt(arena: Arena, settings: Mapping[str, Any], *, budget: float, seed: int) -> dict[str, float]:
    """Tune with these settings of a Scenario; return costs of the result, and how it was found."""
    scenario = pose(arena, settings, budget=budget)
    watch = Stopwatch(arena)
    start_s = time.process_time()
    result = tune(scenario, executor=Virtual(cost=watch.cost), seed=seed)
    cpu_s = time.process_time() - start_s - watch.cpu_s
    return _sum_up(arena, result, budget=budget) | {
        "cpu_s": round(cpu_s, 2),
        "cpu_ms_a_run": round(1000.0 * cpu_s / len(result.history), 3),
    }


def _read(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings as a Scenario takes them: tactics may be given as a dictionary."""
    tactics = settings.get("tactics", {})
    return {**settings, "tactics": Tactics(**tactics)}


def _sum_up(arena: Arena, result: TuningResult, *, budget: float) -> dict[str, float]:
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
    """Return the config that was best when this had been spent; the default before there was any."""
    known = [each.config for each in trajectory if each.spent <= spent]
    return known[-1] if known else default
