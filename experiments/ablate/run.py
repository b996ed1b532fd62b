"""Compare `ablate` with a full ablation, which runs every change at every step on every task, uncapped.

    python experiments/ablate
    python experiments/ablate --scenarios kissat-parity --seeds 10
    python experiments/ablate --report

Each job tunes a recorded solver in simulated time, takes the best config apart in both ways on the same
tasks, and compares: the first steps, the cost after them, what was spent, and, on instances that were not
used, what the stripped config keeps of the gain. Two generated scenarios have three of forty parameters that
matter.
"""

import argparse
import os
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from lib.arena.arena import Arena
from lib.arena.measure import make_scenario
from lib.arenas.registry import ENTRIES
from lib.scenarios import RECORDINGS
from lib.surrogate.surrogate import CACHE
from lib.tables import Row, read_rows, run_jobs

from ablate.full import full_ablation
from ablate.planted import MATTER, Planted, planted_scenario
from tightrope import Ablation, Scenario, tune
from tightrope import ablate as take_apart
from tightrope.compare.ablation.changes import Changes, Chosen
from tightrope.records import Task
from tightrope.run import Virtual
from tightrope.space import Space

_PLANTED = {"planted, no noise": 0.0, "planted, noise 0.1": 0.1}
_SCENARIOS = (*_PLANTED, "kissat-parity", "clasp-circuits", "cp-sat-lot-sizing", "SPEAR-SWV, 10,000 s")
_SEEDS, _QUICK_SEEDS = 5, 1
_FIRST = 3  # steps that are compared


class Job(NamedTuple):
    """One tuning and its two ablations."""

    scenario: str
    seed: int


def main(arguments: list[str] | None = None) -> None:
    options = _parse(arguments)
    n_seeds = options.seeds or (_QUICK_SEEDS if options.quick else _SEEDS)
    jobs = [Job(name, seed) for seed in range(n_seeds) for name in options.scenarios if _is_there(name)]
    table = options.out / "ablate.csv"
    if not options.report:
        done = {(row["scenario"], int(row["seed"])) for row in read_rows(table)}
        work = partial(_compare, recordings=options.recordings, folder=options.cache)
        run_jobs(work, [job for job in jobs if job not in done], path=table, processes=options.processes)
    wanted = {(job.scenario, str(job.seed)) for job in jobs}
    print(report([row for row in read_rows(table) if (row["scenario"], row["seed"]) in wanted]))


def report(rows: Sequence[Row]) -> str:
    """Return the table in markdown: a row for each scenario, with medians over seeds."""
    head = (
        "scenario",
        "seeds",
        "changes",
        "kept",
        "same first steps",
        "cost after them",
        "spent",
        "gain kept",
    )
    lines = [f"| {' | '.join(head)} |", "| --- " * len(head) + "|"]
    for name in dict.fromkeys(row["scenario"] for row in rows):
        own = [row for row in rows if row["scenario"] == name]

        def middle(key: str, own: Sequence[Row] = own) -> float:
            return float(np.median([float(row[key]) for row in own]))

        same = sum(row["is_same"] == "True" for row in own)
        lines.append(
            f"| {name} | {len(own)} | {middle('n_changes'):g} | {middle('n_kept'):g} | {same} of {len(own)} "
            f"| {middle('cost_ratio'):.3f} | {middle('spent_share'):.1%} | {middle('test_share'):.0%} |"
        )
    return "\n".join(lines)


def _is_there(name: str) -> bool:
    if name in _PLANTED:
        return True
    (entry,) = (entry for entry in ENTRIES if entry.name == name)
    if reason := entry.missing():
        print(f"without {name}: {reason}")
    return entry.missing() is None


@cache
def _arena(name: str, recordings: Path, folder: Path) -> Arena:
    (entry,) = (entry for entry in ENTRIES if entry.name == name)
    return entry.make(recordings, folder)


def _compare(job: Job, *, recordings: Path, folder: Path) -> list[Row]:
    facts = {"scenario": job.scenario, "seed": job.seed}
    if job.scenario in _PLANTED:
        cost: Any = Planted(_PLANTED[job.scenario])
        found, compared = _both(planted_scenario(), cost, seed=job.seed)
        names = {change.name for step in found.steps for change in step.changes}
        return [facts | compared | {"test_share": found.route.share, "is_exact": names == set(MATTER)}]
    arena = _arena(job.scenario, recordings, folder)
    (entry,) = (entry for entry in ENTRIES if entry.name == job.scenario)
    budget = entry.budget * arena.train_cost(arena.default)
    found, compared = _both(make_scenario(arena, {}, budget=budget), arena.cost, seed=job.seed)
    default, best, stripped = map(arena.test_cost, (arena.default, found.best, found.stripped))
    share = (default - stripped) / (default - best) if default > best else float("nan")
    return [facts | compared | {"test_share": share, "is_exact": ""}]


def _both(scenario: Scenario, cost: Any, *, seed: int) -> tuple[Ablation, Row]:
    """Tune, take the best config apart in both ways, and compare the two."""
    executor = Virtual(cost)
    tuned = tune(scenario, executor=executor, seed=seed)
    found = take_apart(scenario, tuned.best, history=tuned.history, executor=executor, seed=seed)
    space = Space.of(scenario.space)
    changes = Changes(space, scenario.default_config, found.route.best)
    tasks = sorted({run.trial.task for run in found.history}, key=lambda task: (task.instance, task.seed))
    full = full_ablation(changes, tasks, partial(_run, cost), ceiling=scenario.ceiling)
    ours = [_numbers(changes, [change.name for change in step.changes]) for step in found.steps]
    n = min(_FIRST, len(ours))
    after = found.route.costs[0].mean if n == 0 else found.steps[n - 1].cost.mean
    compared = {
        "n_changes": len(changes),
        "n_kept": len(ours),
        "first": " ".join(change.name for step in found.steps[:n] for change in step.changes),
        "first_full": " ".join(each.name for each in changes.describe(full.order[:n])),
        "is_same": frozenset().union(*ours[:n]) == frozenset(full.order[:n]),
        "is_same_order": [min(each) for each in ours[:n]] == list(full.order[:n]),
        "cost_ratio": after / full.costs[n],
        "train_share": found.route.share,
        "spent": found.spent,
        "spent_share": found.spent / full.spent,
        "runs": len(found.history),
        "tuning_spent": tuned.spent,
    }
    return found, compared


def _run(cost: Any, config: Any, task: Task) -> float:
    return float(cost(config, task.instance, task.seed))


def _numbers(changes: Changes, names: Sequence[str]) -> Chosen:
    """Return the changes that these parameters belong to."""
    return frozenset(
        number for number in changes.all if any(change.name in names for change in changes.describe([number]))
    )


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [*_PLANTED, *(entry.name for entry in ENTRIES)]
    parser.add_argument("--scenarios", nargs="+", choices=names, default=_SCENARIOS, metavar="NAME")
    parser.add_argument("--seeds", type=int, metavar="N", help="number of seeds")
    parser.add_argument("--quick", action="store_true", help="one seed")
    parser.add_argument("--report", action="store_true", help="print the table of what is done, run nothing")
    parser.add_argument("--recordings", type=Path, default=RECORDINGS, help="folder of the recordings")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of fitted surrogates")
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder of the results")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    return parser.parse_args(arguments)
