"""Measure how much faster many workers find a good config, in simulated time.

    python experiments/scaling            1, 4, 16, 64 and 256 workers, 5 seeds each (minutes)
    python experiments/scaling --quick    a short test
    python experiments/scaling --processes 2

SPEAR is tuned for software verification, on the same surrogate as in experiments/spear. The environment
variable TIGHTROPE_DATA names the folder of the recorded runs. Decisions take their real CPU time, so results
differ slightly from run to run.

An interrupted experiment resumes. It writes a table of all tunings, a summary, and a picture.
"""

import argparse
from functools import cache, partial
from pathlib import Path

from lib.spear import spear_arena
from lib.surrogate.surrogate import CACHE
from lib.tables import Row, read_rows, run_jobs, write_rows

from scaling.measure import attempt
from scaling.picture import draw_times
from scaling.report import markdown, summarise

FIRST_SEED = 2000  # smaller seeds were used during development
WORKERS = (1, 4, 16, 64, 256)
WORKER_S = 100_000.0  # of all workers together
Job = tuple[int, int]

_arena = cache(spear_arena)


def main(arguments: list[str] | None = None) -> None:
    options = _parse(arguments)
    stem = "scaling-quick" if options.quick else "scaling"
    table = options.out / f"{stem}.csv"
    done = {(int(row["workers"]), int(row["seed"])) for row in read_rows(table)}
    jobs = [job for job in _jobs(options) if job not in done]
    _arena("surrogate", folder=options.cache)  # fit the surrogate before processes need it
    work = partial(run_job, folder=options.cache, worker_s=WORKER_S / (10.0 if options.quick else 1.0))
    run_jobs(work, jobs, path=table, processes=options.processes)
    rows = read_rows(table)
    summary = summarise(rows)
    write_rows(table.with_name(f"{stem}-summary.csv"), summary)
    draw_times(rows, table.with_suffix(".png"))
    print("\nmedian simulated time until the incumbent's mean cost on the training instances is at most:\n")
    print(markdown(summary))
    print(f"\nwrote {table}, its summary and {table.with_suffix('.png')}")


def run_job(job: Job, *, folder: Path, worker_s: float) -> list[Row]:
    """Make one tuning."""
    workers, seed = job
    record = attempt(_arena("surrogate", folder=folder), workers=workers, worker_s=worker_s, seed=seed)
    return [{"workers": workers, "seed": seed, **record}]


def _jobs(options: argparse.Namespace) -> list[Job]:
    """Return the jobs seed by seed, so that an interrupted experiment covers all numbers of workers."""
    counts = (1, 16) if options.quick else options.workers
    seeds = range(FIRST_SEED, FIRST_SEED + (1 if options.quick else options.seeds))
    return [(workers, seed) for seed in seeds for workers in counts]


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder of the results")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of the fitted surrogate")
    parser.add_argument("--workers", type=int, nargs="+", default=WORKERS, help="numbers of workers")
    parser.add_argument("--seeds", type=int, default=5, help="tunings with each number of workers")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--quick", action="store_true")
    return parser.parse_args(arguments)
