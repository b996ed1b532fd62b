"""Measure what an earlier tuning on other instances gains, and what a misleading one costs.

    python experiments/earlier
    python experiments/earlier --scenarios SPEAR-SWV --seeds 20
    python experiments/earlier --report

The training instances of each arena are split into halves. All tunings are on the second half:

* cold: without a history, with budget B;
* cold, half: without a history, with budget B/2;
* helpful: with the history of a tuning on the first half (budget B), with budget B/2;
* best only: the best config of that tuning as an initial config, with budget B/2;
* misleading: with the same history, but each config has the runs of another one, with budget B.

The table has the geometric mean of test costs, and their ratio to cold tunings with the same seeds.
"""

import argparse
import os
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from lib.arena.arena import Arena
from lib.arenas.registry import ENTRIES, Entry
from lib.scenarios import RECORDINGS
from lib.surrogate.surrogate import CACHE
from lib.tables import Row, read_rows, run_jobs

from earlier.halves import COLD, SHARES, attempt

_SCENARIOS = (
    "SPEAR-SWV, 50,000 s",
    "kissat-parity",
    "cp-sat-lot-sizing",
    "kissat-large-parity, even",
)
_SEEDS, _QUICK_SEEDS, _QUICK_SHARE = 10, 2, 0.2


class Job(NamedTuple):
    """One tuning; its budget B is in runs of the default config."""

    arena: str
    budget: float
    arm: str
    seed: int

    @property
    def key(self) -> tuple[str, ...]:
        """What distinguishes its row in the table."""
        return self.arena, f"{self.budget:g}", self.arm, str(self.seed)


def main(arguments: list[str] | None = None) -> None:
    options = _parse(arguments)
    share = options.share * (_QUICK_SHARE if options.quick else 1.0)
    n_seeds = options.seeds or (_QUICK_SEEDS if options.quick else _SEEDS)
    entries = _entries(options.scenarios)
    jobs = [
        Job(entry.name, share * entry.budget, arm, seed)
        for seed in range(n_seeds)
        for entry in entries
        for arm in SHARES
    ]
    table = options.out / "earlier.csv"
    if not options.report:
        done = {_key_of(row) for row in read_rows(table)}
        work = partial(_tune_once, recordings=options.recordings, folder=options.cache)
        left = [job for job in jobs if job.key not in done]
        run_jobs(work, left, path=table, processes=options.processes)
    wanted = {job.key for job in jobs}
    print(report([row for row in read_rows(table) if _key_of(row) in wanted]))


def report(rows: Sequence[Row]) -> str:
    """Return the table in markdown: a row for each arena and arm."""
    lines = ["| arena | arm | budget | seeds | test cost | over cold |", "| --- " * 6 + "|"]
    for arena in dict.fromkeys(row["arena"] for row in rows):
        here = [row for row in rows if row["arena"] == arena]
        cold = {row["seed"]: float(row["test_cost"]) for row in here if row["arm"] == COLD}
        for arm in SHARES:
            own = {row["seed"]: float(row["test_cost"]) for row in here if row["arm"] == arm}
            logs = np.log([own[seed] / cold[seed] for seed in own if seed in cold])
            if logs.size == 0:
                continue
            error = logs.std(ddof=1) / np.sqrt(logs.size) if logs.size > 1 else 0.0
            low, middle, high = np.exp(logs.mean() + error * np.array([-1.0, 0.0, 1.0]))
            mean = np.exp(np.mean(np.log(list(own.values()))))
            budget = "B" if SHARES[arm] == 1.0 else "B/2"
            ratio = "1" if arm == COLD else f"{middle:.3f} ({low:.3f} to {high:.3f})"
            lines.append(f"| {arena} | {arm} | {budget} | {logs.size} | {mean:.4g} | {ratio} |")
    return "\n".join(lines)


def _entries(wanted: Sequence[str]) -> list[Entry]:
    found = [entry for entry in ENTRIES if entry.name in wanted]
    for entry in found:
        if reason := entry.missing():
            print(f"without {entry.name}: {reason}")
    return [entry for entry in found if entry.missing() is None]


def _key_of(row: Row) -> tuple[str, ...]:
    return row["arena"], row["budget"], row["arm"], row["seed"]


@cache
def _arena(name: str, recordings: Path, folder: Path) -> Arena:
    (entry,) = (entry for entry in ENTRIES if entry.name == name)
    return entry.make(recordings, folder)


def _tune_once(job: Job, *, recordings: Path, folder: Path) -> list[Row]:
    arena = _arena(job.arena, recordings, folder)
    budget = job.budget * arena.train_cost(arena.default)
    found = attempt(arena, job.arm, budget=budget, seed=job.seed)
    return [{"arena": job.arena, "budget": f"{job.budget:g}", "arm": job.arm, "seed": str(job.seed), **found}]


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = [entry.name for entry in ENTRIES]
    parser.add_argument("--scenarios", nargs="+", choices=names, default=_SCENARIOS, metavar="NAME")
    parser.add_argument("--seeds", type=int, metavar="N", help="number of seeds")
    parser.add_argument("--share", type=float, default=0.5, help="B as a share of the arena's usual budget")
    parser.add_argument("--quick", action="store_true", help="two seeds and smaller budgets")
    parser.add_argument("--report", action="store_true", help="print the table of what is done, tune nothing")
    parser.add_argument("--recordings", type=Path, default=RECORDINGS, help="folder of the recordings")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of fitted surrogates")
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder of the results")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    return parser.parse_args(arguments)
