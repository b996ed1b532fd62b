"""A series of tunings: scenarios, arms and seeds, on all cores, resumable."""

import argparse
import os
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from lib.arena.arena import Arena
from lib.recording.studies import STUDIES
from lib.scenarios import RECORDINGS, find_scenarios
from lib.surrogate.surrogate import CACHE
from lib.tables import Row, read_rows, run_jobs


class Job(NamedTuple):
    """One tuning; its budget is in runs of the default config."""

    scenario: str
    budget: int
    arm: str
    seed: int

    @property
    def plan(self) -> str:
        """The budget as text."""
        return f"{self.budget} runs"


Attempt = Callable[[Arena, Job], Row]


def make_parser(
    description: str | None, *, arms: Iterable[str], chosen: Sequence[str]
) -> argparse.ArgumentParser:
    """Return a parser of the options that all series have."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder of the results")
    parser.add_argument("--recordings", type=Path, default=RECORDINGS, help="folder of the recordings")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of fitted surrogates")
    parser.add_argument("--scenarios", nargs="+", metavar="NAME", help="only these")
    parser.add_argument("--arms", nargs="+", choices=arms, default=chosen, metavar="ARM")
    parser.add_argument("--seeds", type=int, help="tunings of each arm")
    parser.add_argument(
        "--budget",
        type=int,
        help="budget of a tuning, in runs of the default config; by default enough for about a thousand runs",
    )
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--list", action="store_true", help="list the scenarios")
    return parser


def list_scenarios(options: argparse.Namespace) -> list[str]:
    """Return the names of all scenarios whose recordings exist, and print why others are missing.

    Studies without a recording in the repository are mentioned with --list only.
    """
    scenarios = find_scenarios(options.recordings, cache=options.cache)
    for name, reason in scenarios.missing.items():
        if options.list or name not in STUDIES:
            print(f"without {name}: {reason}")
    return list(scenarios.arenas)


def choose_scenarios(
    wanted: list[str] | None, *, known: Sequence[str], is_default: Callable[[str], bool]
) -> list[str]:
    """Return the wanted scenarios or, if none are named, the default ones."""
    unknown = set(wanted or ()) - set(known)
    if unknown:
        names, others = ", ".join(sorted(unknown)), ", ".join(known)
        raise SystemExit(
            f"no such scenario: {names}; there are {others} (--list says why others are missing)"
        )
    return wanted or [name for name in known if is_default(name)]


def run_series(attempt: Attempt, jobs: Iterable[Job], *, table: Path, options: argparse.Namespace) -> None:
    """Run the jobs that the table does not have yet."""
    done = {(row["arena"], row["plan"], row["arm"], row["seed"]) for row in read_rows(table)}
    left = [job for job in jobs if (job.scenario, job.plan, job.arm, str(job.seed)) not in done]
    for name in dict.fromkeys(job.scenario for job in left):
        _arena(name, options.recordings, options.cache)  # fit the surrogate before processes need it
    work = partial(_run_one, attempt=attempt, recordings=options.recordings, folder=options.cache)
    run_jobs(work, left, path=table, processes=options.processes)


def rows_for(table: Path, *, jobs: Iterable[Job]) -> list[Row]:
    """Return the rows on the scenarios of these jobs with the same budgets."""
    plans = {(job.scenario, job.plan) for job in jobs}
    rows = [row for row in read_rows(table) if (row["arena"], row["plan"]) in plans]
    if not rows:
        raise SystemExit("there is no scenario to tune on: record one first (see experiments/record)")
    return rows


def _run_one(job: Job, *, attempt: Attempt, recordings: Path, folder: Path) -> list[Row]:
    found = attempt(_arena(job.scenario, recordings, folder), job)
    return [{"arena": job.scenario, "plan": job.plan, "arm": job.arm, "seed": job.seed, **found}]


@cache
def _arena(name: str, recordings: Path, folder: Path) -> Arena:
    return find_scenarios(recordings, cache=folder).arenas[name]()
