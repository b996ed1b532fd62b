"""How much sooner many workers get to a good config, in simulated time.

    python experiments/scaling.py            1, 4, 16, 64 and 256 workers, 5 seeds each (minutes)
    python experiments/scaling.py --quick    fewer, to see that it works
    python experiments/scaling.py --processes 2

SPEAR is tuned for software verification. The runs are those of the surrogate that `spear_swv.py` uses, from
the folder that the environment variable TIGHTROPE_DATA names. Decisions take the CPU time that they really
take, so that no two experiments are quite the same.

An interrupted experiment goes on where it was. It writes a table of all attempts, a summary, and a picture.
"""

import argparse
from functools import cache, partial
from pathlib import Path

from arena.surrogate import CACHE
from scale.measure import attempt
from scale.picture import draw_times
from scale.report import markdown, summarise
from spear.arena import arena
from table import Row, do_jobs, read_rows, write_rows

FIRST_SEED = 2000  # smaller ones were used to try things out
WORKERS = (1, 4, 16, 64, 256)
WORKER_S = 100_000.0  # of all workers together
Job = tuple[int, int]

_arena = cache(arena)


def main(arguments: list[str] | None = None) -> None:
    options = _parse(arguments)
    stem = "scaling-quick" if options.quick else "scaling"
    table = options.out / f"{stem}.csv"
    done = {(int(row["workers"]), int(row["seed"])) for row in read_rows(table)}
    jobs = [job for job in _jobs(options) if job not in done]
    _arena("surrogate", folder=options.cache)  # fitted before processes need it
    work = partial(run_job, folder=options.cache, worker_s=WORKER_S / (10.0 if options.quick else 1.0))
    do_jobs(work, jobs, path=table, processes=options.processes)
    rows = read_rows(table)
    summary = summarise(rows)
    write_rows(table.with_name(f"{stem}-summary.csv"), summary)
    draw_times(rows, table.with_suffix(".png"))
    print(
        "\nsimulated time until the incumbent's mean cost on the training instances is at most this, median\n"
    )
    print(markdown(summary))
    print(f"\nwrote {table}, its summary and {table.with_suffix('.png')}")


def run_job(job: Job, *, folder: Path, worker_s: float) -> list[Row]:
    """Make one attempt."""
    workers, seed = job
    record = attempt(_arena("surrogate", folder=folder), workers=workers, worker_s=worker_s, seed=seed)
    return [{"workers": workers, "seed": seed, **record}]


def _jobs(options: argparse.Namespace) -> list[Job]:
    """List seed by seed, so that an interrupted experiment has something of everything."""
    counts = (1, 16) if options.quick else options.workers
    seeds = range(FIRST_SEED, FIRST_SEED + (1 if options.quick else options.seeds))
    return [(workers, seed) for seed in seeds for workers in counts]


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder of the results")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of the fitted surrogate")
    parser.add_argument("--workers", type=int, nargs="+", default=WORKERS, help="how many there are")
    parser.add_argument("--seeds", type=int, default=5, help="attempts with each number of workers")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--quick", action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
