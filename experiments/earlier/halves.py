"""Tunings of one half of an arena's training instances, with a history from the other half.

The history may be misleading: the runs of each config are attributed to another config, drawn at random.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from lib.arena.arena import Arena
from lib.arena.measure import make_scenario
from lib.tables import Row

from tightrope import TuneResult, tune
from tightrope.records import Run
from tightrope.run import Virtual
from tightrope.store import History

COLD, HALF, HELPFUL, BEST_ONLY, MISLEADING = "cold", "cold, half", "helpful", "best only", "misleading"
SHARES = {COLD: 1.0, HALF: 0.5, HELPFUL: 0.5, BEST_ONLY: 0.5, MISLEADING: 1.0}  # of the budget
_SPLIT_SEED = 2014
_HISTORY_SEEDS = 1000  # the history's tunings have other seeds than those that use it


def split(arena: Arena) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return two halves of the training instances, always the same."""
    shuffled = np.random.default_rng(_SPLIT_SEED).permutation(len(arena.instances_train))
    names = [arena.instances_train[i] for i in shuffled]
    return tuple(names[::2]), tuple(names[1::2])


def attempt(arena: Arena, arm: str, *, budget: float, seed: int) -> Row:
    """Tune on the second half; return the true costs of the result."""
    first, second = split(arena)
    settings: dict[str, Any] = {}
    earlier: list[Any] = []
    if arm in (HELPFUL, BEST_ONLY, MISLEADING):
        past = _tune(arena, first, budget=budget, seed=_HISTORY_SEEDS + seed)
        if arm == BEST_ONLY:
            settings["initial"] = [past.best]
        else:
            earlier.append(relabelled(past.history, seed=seed) if arm == MISLEADING else past)
    result = _tune(arena, second, budget=SHARES[arm] * budget, seed=seed, earlier=earlier, settings=settings)
    return {
        "test_cost": arena.test_cost(result.best),
        "default_cost": arena.default_cost_test,
        "n_runs": len(result.history),
        "spent": round(result.spent, 2),
    }


def relabelled(history: History, *, seed: int) -> History:
    """Return a misleading history: each config has the runs of another one."""
    configs = list(dict.fromkeys(run.trial.config for run in history))
    order = np.random.default_rng(seed).permutation(len(configs))
    other = {config: configs[i] for config, i in zip(configs, order, strict=True)}
    return History(Run(replace(run.trial, config=other[run.trial.config]), run.outcome) for run in history)


def _tune(
    arena: Arena,
    instances: tuple[str, ...],
    *,
    budget: float,
    seed: int,
    earlier: list[Any] | None = None,
    settings: dict[str, Any] | None = None,
) -> TuneResult:
    scenario = make_scenario(arena, {"instances": instances, **(settings or {})}, budget=budget)
    return tune(scenario, executor=Virtual(arena.cost), seed=seed, earlier=earlier or ())
