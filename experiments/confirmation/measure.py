"""Tune twice, live and in simulated time, and judge either result both ways."""

import json
import time
from collections.abc import Mapping
from statistics import fmean
from typing import Any

from arena.arena import Arena
from arena.arms import ARMS
from arena.measure import pose
from recording.claim import Outcome, judge
from series import Job
from table import Row

from confirmation.site import REPEATS, SLOTS, Site
from tightrope import Scenario, tune, validate
from tightrope.records import Config, Status
from tightrope.run import LocalPool, Virtual

LIVE, SIMULATED = "live", "simulated"  # how a tuning was done
BY_CLOCK, BY_COUNT, BY_ARENA = "by_clock", "by_count", "by_arena"  # how its result is judged
_INTERRUPTED = "it was interrupted"


def confirm(arena: Arena, site: Site, job: Job) -> Row:
    """Make a tuning for real and its simulated counterpart; costs are multiples of the default's."""
    budget = job.budget * arena.train_cost(arena.default)
    scenario = pose(arena, ARMS[job.arm], budget=budget)
    real = site.relocate(scenario, n_default_runs=job.budget)
    start_s = time.monotonic()
    live = tune(real, executor=LocalPool(SLOTS), seed=job.seed)
    wall_s = time.monotonic() - start_s
    if live.reason == _INTERRUPTED:
        raise KeyboardInterrupt  # what was found so far is no result of a whole tuning
    simulated = tune(scenario, executor=Virtual(arena.cost, slots=SLOTS), seed=job.seed)
    clock = judge_by_clock(real, {LIVE: live.best, SIMULATED: simulated.best}, default=arena.default)
    default_s, default_count = clock["default"], judge_by_count(site, arena.default, ceiling=arena.ceiling)
    row: Row = {"default_s": _short(default_s), "ceiling_s": _short(site.ceiling_s)}
    for kind, result, whole in ((LIVE, live, real.budget.cost), (SIMULATED, simulated, budget)):
        row |= {
            column(kind, BY_CLOCK): _short(clock[kind] / default_s),
            column(kind, BY_COUNT): _short(
                judge_by_count(site, result.best, ceiling=arena.ceiling) / default_count
            ),
            column(kind, BY_ARENA): _short(arena.test_cost(result.best) / arena.default_cost_test),
            f"{kind}_runs": len(result.history),
            f"{kind}_share_spent": round(result.spent / whole, 3),
            f"{kind}_config": json.dumps(result.best, sort_keys=True),
        }
    n_failed = len(live.history.filter(status=Status.FAILED))
    return row | {"live_failures": n_failed, "live_wall_s": round(wall_s, 1)}


def column(kind: str, judge: str) -> str:
    """Return the name of the column of costs of results that were found so and judged so."""
    return f"{kind}_{judge}"


def judge_by_clock(
    scenario: Scenario, configs: dict[str, dict[str, Any]], *, default: Config
) -> dict[str, float]:
    """Return mean CPU seconds on the test instances, of the default as well: all are run side by side."""
    found = validate(scenario, {"default": default, **configs}, repeat=REPEATS, executor=LocalPool(SLOTS))
    return {each.name: each.cost.mean for each in found.contenders}


def judge_by_count(site: Site, config: Mapping[str, Any], *, ceiling: float) -> float:
    """Return what the solver itself counts on the test instances: the cost of which recordings are made."""
    target, costs = site.target, []
    for name in site.test:
        claim = target.program.solve(config, target.paths[name], ceiling=ceiling)
        is_done = judge(claim, expected=target.answers[name], ceiling=ceiling) is Outcome.DONE
        costs.append(claim.cost if is_done else ceiling)
    return fmean(costs)


def _short(number: float) -> float:
    return float(f"{number:.5g}")
