"""Tune twice, live and in simulated time, and judge both results in all ways."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import Any

import numpy as np
from lib.arena.arena import Arena
from lib.arena.arms import ARMS
from lib.arena.measure import make_scenario
from lib.recording.result import Outcome, classify
from lib.series import Job
from lib.tables import Row

from live.setup import REPEATS, SLOTS, LiveSetup
from tightrope import Scenario, TuneResult, tune, validate
from tightrope.records import Config, Status, StopKind
from tightrope.run import ExecutorSpec, LocalPool, Virtual

LIVE, SIMULATED = "live", "simulated"  # how a tuning was done
UNTUNED = "untuned"
BY_CLOCK, BY_COUNT, BY_ARENA = "by_clock", "by_count", "by_arena"  # how a result is judged


def tune_both_ways(arena: Arena, setup: LiveSetup, job: Job) -> Row:
    """Make a live tuning and its simulated counterpart; costs are multiples of the default's."""
    budget = job.budget * arena.train_cost(arena.default)
    scenario = make_scenario(arena, ARMS[job.arm], budget=budget)
    real = setup.live_scenario(scenario, n_default_runs=job.budget)
    start_s = time.monotonic()
    live = _tune(real, LocalPool(SLOTS), seed=job.seed)
    wall_s = time.monotonic() - start_s
    simulated = _tune(scenario, Virtual(arena.cost, slots=SLOTS), seed=job.seed)
    judged = judge_all_ways(arena, setup, real, {LIVE: live.best, SIMULATED: simulated.best})
    row: Row = {"default_s": judged.default_s, "ceiling_s": _short(setup.ceiling_s)}
    for kind, result, whole in ((LIVE, live, real.budget.cost), (SIMULATED, simulated, budget)):
        row |= {column(kind, by): cost for by, cost in judged.costs[kind].items()}
        row |= {
            f"{kind}_runs": len(result.history),
            f"{kind}_share_spent": round(result.spent / whole, 3),
            f"{kind}_config": json.dumps(result.best, sort_keys=True),
        }
    n_failed = len(live.history.filter(status=Status.FAILED))
    return row | {"live_failures": n_failed, "live_wall_s": round(wall_s, 1)}


def _tune(scenario: Scenario, executor: ExecutorSpec, *, seed: int) -> TuneResult:
    result = tune(scenario, executor=executor, seed=seed)
    if result.reason.kind is StopKind.INTERRUPTED:
        raise KeyboardInterrupt  # the incumbent is not the result of a whole tuning
    return result


def judge_untuned(arena: Arena, setup: LiveSetup, job: Job) -> Row:
    """Judge a random config: unlike a tuning's result, it was not selected by the errors of a judge."""
    config = _draw(arena, np.random.default_rng(job.seed))
    real = setup.live_scenario(make_scenario(arena, {}, budget=1.0), n_default_runs=1)
    judged = judge_all_ways(arena, setup, real, {UNTUNED: config}, repeat=1)  # random configs differ a lot
    row = {column(UNTUNED, by): cost for by, cost in judged.costs[UNTUNED].items()}
    return row | {"default_s": judged.default_s, f"{UNTUNED}_config": json.dumps(config, sort_keys=True)}


def _draw(arena: Arena, rng: np.random.Generator) -> dict[str, Any]:
    if arena.candidates:
        return dict(arena.candidates[rng.integers(len(arena.candidates))])
    (drawn,) = arena.space.sample(1, rng)
    return dict(arena.space.decode(drawn))


@dataclass(frozen=True, slots=True)
class Judged:
    """The default's cost in CPU seconds, and the configs' costs by judge, as multiples of the default's."""

    default_s: float
    costs: Mapping[str, Mapping[str, float]]


def judge_all_ways(
    arena: Arena,
    setup: LiveSetup,
    scenario: Scenario,
    configs: Mapping[str, Mapping[str, Any]],
    *,
    repeat: int = REPEATS,
) -> Judged:
    """Judge configs on the test instances; CPU times are measured together with the default's."""
    named = {"default": arena.default, **configs}
    found = validate(scenario, named, repeat=repeat, executor=LocalPool(SLOTS))
    by_judge = {
        BY_CLOCK: {each.name: each.cost.mean for each in found.contenders},
        BY_COUNT: {name: count(setup, Config(named[name]), arena.ceiling) for name in named},
        BY_ARENA: {name: arena.test_cost(named[name]) for name in named},
    }
    costs = {
        name: {by: _short(seen[name] / seen["default"]) for by, seen in by_judge.items()} for name in configs
    }
    return Judged(_short(by_judge[BY_CLOCK]["default"]), costs)


@cache
def count(setup: LiveSetup, config: Config, ceiling: float) -> float:
    """Return the mean cost that the solver itself counts on the test instances, as recordings do."""
    target, costs = setup.target, []
    for name in setup.test:
        result = target.program.solve(config, target.paths[name], ceiling=ceiling)
        is_done = classify(result, expected=target.answers[name], ceiling=ceiling) is Outcome.DONE
        costs.append(result.cost if is_done else ceiling)
    return fmean(costs)


def column(kind: str, by: str) -> str:
    """Return the column of the costs of results that were found and judged in these ways."""
    return f"{kind}_{by}"


def _short(number: float) -> float:
    return float(f"{number:.5g}")
