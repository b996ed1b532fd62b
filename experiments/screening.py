"""Tactics compared where peers are not: recordings that are no longer used, and two large ones.

    git archive dbb3979 experiments/recordings | tar x -C out --one-top-level=retired
    python experiments/screening.py --retired out/retired/experiments/recordings
    python experiments/screening.py --retired ... --arms now "8 tasks, then 0.06" --seeds 0 10
    python experiments/screening.py --retired ... --tailed

Each recording is given 60 instances to tune on and 60 for the test (arena/mixture.py), or with --tailed 300
and 300, of which a few make up most of the mean. A tuning may spend what is worth about a thousand runs. What
is shown are geometric means of costs over those of the first arm, on the same seeds, and how many tunings end
with a config that is worse than the default on the test. An interrupted screening goes on where it was.
"""

import argparse
import os
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from arena.arena import Arena
from arena.arms import Settings
from arena.measure import attempt
from arena.mixture import EVEN, TAILED, mixed_arena
from arena.recorded import Recorded
from arena.surrogate import CACHE, Model, make_surrogate
from catalogue import RECORDINGS
from recording.matrix import read_matrix
from recording.recorded import as_recorded
from table import Row, do_jobs, read_rows

RETIRED = {  # and what a tuning may spend, in runs of the default config
    "cp-sat-knapsacks": 100,
    "cp-sat-lot-sizing": 320,
    "kissat-threshold": 190,
    "kissat-quasigroups": 115,
    "clasp-circuits": 350,
}
UNSEEN_BY_PEERS = {"kissat-large-parity": 380, "clasp-large-circuits": 430}
BUDGETS = RETIRED | UNSEEN_BY_PEERS
TAILED_BUDGETS = {  # a thousand runs over the median of seeds 1 to 3 with 250 runs of the default
    "cp-sat-knapsacks": 155,
    "cp-sat-lot-sizing": 115,
    "kissat-threshold": 110,
    "kissat-quasigroups": 195,
    "clasp-circuits": 160,
    "kissat-large-parity": 215,
    "clasp-large-circuits": 160,
}


def _tasks(first: int, then: float, **others: object) -> Settings:
    return {"tactics": {"first_tasks": first, "defence": then}, **others}


ARMS: dict[str, Settings] = {
    "20 tasks, then 0.25": _tasks(20, 0.25),  # as it was
    "now": {},
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
        find_model(name, options.retired, options.cache)  # fitted before processes need it
    work = partial(_tune_once, retired=options.retired, folder=options.cache)
    do_jobs(work, jobs, path=table, processes=options.processes)
    print(report(read_rows(table), options.arms))


@cache
def find_model(name: str, retired: Path, folder: Path) -> tuple[Recorded, Model]:
    """Return a recording, and what was learnt from it."""
    place = (retired if name in RETIRED else RECORDINGS) / name
    recorded = as_recorded(read_matrix(place), name=name)
    return recorded, make_surrogate(recorded, folder=folder).model


@cache
def find_arena(name: str, is_tailed: bool, retired: Path, folder: Path) -> Arena:
    """Return the mixture of a recording."""
    return mixed_arena(*find_model(name, retired, folder), TAILED if is_tailed else EVEN)


def _tune_once(job: Job, *, retired: Path, folder: Path) -> list[Row]:
    arena = find_arena(job.arena, job.is_tailed, retired, folder)
    budgets = TAILED_BUDGETS if job.is_tailed else BUDGETS
    budget = budgets[job.arena] * arena.train_cost(arena.default)
    found = attempt(arena, {"slack": 1.3, **ARMS[job.arm]}, budget=budget, seed=job.seed)
    default = {"default_cost": arena.default_cost_test}
    return [{"arena": job.arena, "arm": job.arm, "seed": job.seed, **default, **found}]


def report(rows: Sequence[Row], arms: Sequence[str]) -> str:
    """Write a line for each arm: test and training costs over the first arm's, with one standard error."""
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
    """Return the geometric mean over arenas, each of which counts the same."""
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
    parser.add_argument("--retired", type=Path, required=True, help="folder of the retired recordings")
    parser.add_argument("--tailed", action="store_true", help="with few instances that cost most")
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder of the results")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of fitted surrogates")
    parser.add_argument("--arms", nargs="+", choices=ARMS, default=list(ARMS), metavar="ARM")
    parser.add_argument("--seeds", nargs=2, type=int, default=(30, 60), metavar=("FIRST", "END"))
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
