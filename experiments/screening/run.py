"""Compare tactics on two scenarios that no peer is compared on.

    python experiments/screening
    python experiments/screening --arms now "8 tasks, then 0.06" --seeds 0 10
    python experiments/screening --tailed

Each recording gets 60 instances to tune on and 60 for the test (lib/arena/mixture.py); with --tailed 300 and
300, of which a few make up most of the mean. The budget of a tuning is enough for about a thousand runs. The
table shows geometric means of the ratio of costs to the first arm, on the same seeds, and the number of
tunings whose result is worse than the default on the test instances. An interrupted screening resumes.
"""

import argparse
import os
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from lib.arena.arena import Arena
from lib.arena.arms import Settings
from lib.arena.measure import attempt
from lib.arena.mixture import EVEN, TAILED, mixed_arena
from lib.cost_table import CostTable
from lib.recording.cost_table import as_cost_table
from lib.recording.files import read_recording
from lib.scenarios import RECORDINGS
from lib.surrogate.surrogate import CACHE, Model, make_surrogate
from lib.tables import Row, read_rows, run_jobs

BUDGETS = {"kissat-large-parity": 380, "clasp-large-circuits": 430}  # in runs of the default config
# Chosen such that tunings with seeds 1 to 3 make a thousand runs, from the median with a budget of 250.
TAILED_BUDGETS = {"kissat-large-parity": 215, "clasp-large-circuits": 160}


def _tasks(first: int, then: float, **others: object) -> Settings:
    return {"tactics": {"first_tasks": first, "defence": then}, **others}


ARMS: dict[str, Settings] = {
    "20 tasks, then 0.25": _tasks(20, 0.25),
    "now": {},  # the default tactics
    "random, 20 tasks, then 0.25": _tasks(20, 0.25, model="random"),
    "random, now": {"model": "random"},
    **{
        f"{first} tasks, then {then:g}": _tasks(first, then)
        for first, then in ((5, 0.03), (8, 0.01), (8, 0.06), (12, 0.03), (20, 0.03))
    },
    **{f"stake {stake:g}": {"tactics": {"stake": stake}} for stake in (0.1, 1.0)},
    **{f"slack {slack:g}": {"slack": slack} for slack in (1.0, 2.0)},
    "half of them random": {"tactics": {"random_share": 0.5}},
    "30 trees": {"tactics": {"trees": 30}},
}


class Job(NamedTuple):
    """One tuning."""

    arena: str
    is_tailed: bool
    arm: str
    seed: int


def main(arguments: list[str] | None = None) -> None:
    options = _parse(arguments)
    table = options.out / ("screening-tailed.csv" if options.tailed else "screening.csv")
    done = {(row["arena"], row["arm"], int(row["seed"])) for row in read_rows(table)}
    jobs = [
        Job(name, options.tailed, arm, seed)
        for seed in range(*options.seeds)
        for name in BUDGETS
        for arm in options.arms
        if (name, arm, seed) not in done
    ]
    for name in dict.fromkeys(job.arena for job in jobs):
        find_model(name, options.recordings, options.cache)  # fit the surrogate before processes need it
    work = partial(_tune_once, recordings=options.recordings, folder=options.cache)
    run_jobs(work, jobs, path=table, processes=options.processes)
    print(report(read_rows(table), options.arms))


@cache
def find_model(name: str, recordings: Path, folder: Path) -> tuple[CostTable, Model]:
    """Return a recording and the model fitted to it."""
    recorded = as_cost_table(read_recording(recordings / name), name=name)
    return recorded, make_surrogate(recorded, folder=folder).model


@cache
def find_arena(name: str, is_tailed: bool, recordings: Path, folder: Path) -> Arena:
    """Return the arena of a recording's mixtures."""
    return mixed_arena(*find_model(name, recordings, folder), TAILED if is_tailed else EVEN)


def _tune_once(job: Job, *, recordings: Path, folder: Path) -> list[Row]:
    arena = find_arena(job.arena, job.is_tailed, recordings, folder)
    budgets = TAILED_BUDGETS if job.is_tailed else BUDGETS
    budget = budgets[job.arena] * arena.train_cost(arena.default)
    found = attempt(arena, {"slack": 1.3, **ARMS[job.arm]}, budget=budget, seed=job.seed)
    default = {"default_cost": arena.default_cost_test}
    return [{"arena": job.arena, "arm": job.arm, "seed": job.seed, **default, **found}]


def report(rows: Sequence[Row], arms: Sequence[str]) -> str:
    """Return a row for each arm: ratios of test and training costs to the first arm, with standard errors."""
    cost = {
        key: {(row["arm"], row["arena"], row["seed"]): float(row[key]) for row in rows}
        for key in ("test_cost", "train_cost")
    }
    worse = {arm: sum(_is_worse(row) for row in rows if row["arm"] == arm) for arm in arms}
    lines = [
        "| arm | test | training | tunings | worse than the default |",
        "| --- | --- | --- | --- | --- |",
    ]
    for arm in arms:
        done = [(name, seed) for each, name, seed in cost["test_cost"] if each == arm]
        pairs = [pair for pair in done if (arms[0], *pair) in cost["test_cost"]]
        found = [_ratio(cost[key], pairs, arm, arms[0]) for key in ("test_cost", "train_cost")]
        lines.append(f"| {arm} | {found[0]} | {found[1]} | {len(pairs)} | {worse[arm]} |")
    return "\n".join(lines)


def _is_worse(row: Row) -> bool:
    return float(row["test_cost"]) > float(row["default_cost"])


def _ratio(
    cost: dict[tuple[str, str, str], float], pairs: Sequence[tuple[str, str]], arm: str, other: str
) -> str:
    """Return the geometric mean over arenas, which have equal weights."""
    logs: dict[str, list[float]] = {}
    for name, seed in pairs:
        logs.setdefault(name, []).append(np.log(cost[arm, name, seed] / cost[other, name, seed]))
    mean = np.mean([np.mean(each) for each in logs.values()])
    error = np.sqrt(sum(np.var(each) / len(each) for each in logs.values())) / len(logs)
    return f"{np.exp(mean):.3f} ({np.exp(mean - error):.3f} to {np.exp(mean + error):.3f})"


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--recordings", type=Path, default=RECORDINGS, help="folder of the recordings")
    parser.add_argument("--tailed", action="store_true", help="a few instances make up most of the mean")
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder of the results")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of fitted surrogates")
    parser.add_argument("--arms", nargs="+", choices=ARMS, default=list(ARMS), metavar="ARM")
    parser.add_argument("--seeds", nargs=2, type=int, default=(30, 60), metavar=("FIRST", "END"))
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    return parser.parse_args(arguments)
