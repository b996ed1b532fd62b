"""Measure where tunings lose, on arenas whose true costs are known.

    python experiments/regret
    python experiments/regret --half judge --arms now default --seeds 10 20
    python experiments/regret --quick
    python experiments/regret --report

The arenas are in two halves: settings are chosen on one and judged by the other (lib/arenas/registry.py).
For each arena and arm the table shows, over all seeds:

* median and geometric mean of the test cost, and the ratio of the latter to the first arm on the same seeds;
* search regret: true training cost of the best config that was run over the best possible;
* selection regret: true training cost of the returned config over the best config that was run;
* share of the budget in runs that cost at least a third of the ceiling;
* promotions after which the true training cost was worse, of all promotions;
* tunings whose result is worse than the default on the test instances;
* medians of the number of runs, of the incumbent's tasks, and of tightrope's own CPU time for each run.

The last rows are over all arenas that every arm was tried on, with equal weights. An interrupted run resumes.
"""

import argparse
import os
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from lib.arena.arena import Arena
from lib.arenas.registry import ENTRIES, Entry
from lib.budgets import QUICK_SHARE
from lib.scenarios import RECORDINGS
from lib.surrogate.surrogate import CACHE
from lib.tables import Row, read_rows, run_jobs

from regret.arms import ARMS, FIRST
from regret.measure import attempt
from regret.optimum import find_optimum, truth_key
from regret.report import report

_SEEDS, _QUICK_SEEDS = (5,), (2,)


class Job(NamedTuple):
    """One tuning; its budget is in runs of the default config."""

    arena: str
    budget: float
    arm: str
    seed: int

    @property
    def plan(self) -> str:
        """The budget as text."""
        return f"{self.budget:g} runs"

    @property
    def key(self) -> tuple[str, ...]:
        """What distinguishes its row in the table."""
        return self.arena, self.plan, self.arm, str(self.seed)


def main(arguments: list[str] | None = None) -> None:
    options = _parse(arguments)
    entries = choose_entries(options.half, options.scenarios)
    table = options.out / "regret.csv"
    jobs = _list_jobs(entries, options)
    if not options.report:
        _run(jobs, table=table, options=options)
    wanted = {job.key for job in jobs}
    places = {entry.name: place for place, entry in enumerate(entries)}
    rows = [row for row in read_rows(table) if _key_of(row) in wanted]
    if rows:
        print(report(sorted(rows, key=lambda row: places[row["arena"]]), options.arms))
    else:
        print("the table has no tuning of these")


def choose_entries(half: str, wanted: Sequence[str] | None) -> list[Entry]:
    """Return the wanted arenas of a half, and print why others are missing."""
    unknown = set(wanted or ()) - {entry.name for entry in ENTRIES}
    if unknown:
        names = "; ".join(entry.name for entry in ENTRIES)
        raise SystemExit(f"no such scenario: {'; '.join(sorted(unknown))}; there are: {names}")
    chosen = [entry for entry in ENTRIES if (entry.name in wanted if wanted else half in ("all", entry.half))]
    for entry in chosen:
        if reason := entry.missing():
            print(f"without {entry.name}: {reason}")
    return [entry for entry in chosen if entry.missing() is None]


def _list_jobs(entries: Sequence[Entry], options: argparse.Namespace) -> list[Job]:
    share = QUICK_SHARE if options.quick else 1.0
    seeds = options.seeds or (_QUICK_SEEDS if options.quick else _SEEDS)
    return [
        Job(entry.name, share * entry.budget, arm, seed)
        for seed in range(*seeds)
        for entry in entries
        for arm in options.arms
    ]


def _run(jobs: Sequence[Job], *, table: Path, options: argparse.Namespace) -> None:
    """Run the jobs that the table does not have yet."""
    done = {_key_of(row) for row in read_rows(table)}
    left = [job for job in jobs if job.key not in done]
    for name in dict.fromkeys(job.arena for job in left):
        find_arena(name, options.recordings, options.cache)  # fit and search before processes need it
    work = partial(_tune_once, recordings=options.recordings, folder=options.cache)
    run_jobs(work, left, path=table, processes=options.processes)


def _key_of(row: Row) -> tuple[str, ...]:
    return row["arena"], row["plan"], row["arm"], row["seed"]


@cache
def find_arena(name: str, recordings: Path, folder: Path) -> tuple[Entry, Arena, float]:
    """Return an arena and its best possible training cost."""
    entry = next(entry for entry in ENTRIES if entry.name == name)
    arena = entry.make(recordings, folder)
    return entry, arena, find_optimum(arena, folder=folder)


def _tune_once(job: Job, *, recordings: Path, folder: Path) -> list[Row]:
    entry, arena, optimum = find_arena(job.arena, recordings, folder)
    budget = job.budget * arena.train_cost(arena.default)
    settings = ARMS[job.arm](arena, budget)
    found = attempt(arena, settings, budget=budget, slots=entry.slots, seed=job.seed)
    names: Row = {"arena": job.arena, "plan": job.plan, "arm": job.arm, "seed": job.seed}
    return [{**names, "truth": truth_key(arena), "optimum": optimum, **found}]


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--half", choices=("choose", "judge", "all"), default="choose", help="which arenas")
    parser.add_argument("--scenarios", nargs="+", metavar="NAME", help="only these, of any half")
    parser.add_argument("--arms", nargs="+", choices=ARMS, default=list(FIRST), metavar="ARM")
    parser.add_argument("--seeds", nargs="+", type=int, metavar="N", help="number of seeds, or first and end")
    parser.add_argument("--quick", action="store_true", help="two seeds and smaller budgets")
    parser.add_argument("--report", action="store_true", help="print the table of what is done, tune nothing")
    parser.add_argument("--recordings", type=Path, default=RECORDINGS, help="folder of the recordings")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of fitted surrogates and optima")
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder of the results")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    return parser.parse_args(arguments)
