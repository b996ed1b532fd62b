"""Tightrope, random search with the same race, SMAC3 and Optuna on the same recorded solvers.

    pip install optuna smac==2.4.1                         the peers: without them, the others compete
    python experiments/peer_contest.py
    python experiments/peer_contest.py --scenarios cp-sat-knapsacks --arms tightrope Optuna --seeds 5

Everyone may spend as much as so many runs of the default config, on the same training instances. An
interrupted experiment goes on where it was.
"""

import argparse
import os
from functools import cache, partial
from pathlib import Path

from arena.arena import Arena
from arena.report import by_scenario, versus
from arena.summary import collect
from arena.surrogate import CACHE
from catalogue import RECORDINGS, find_scenarios
from peers.contest import ARMS_OF_CONTEST, compete, why_missing
from table import Row, do_jobs, read_rows

FIRST_SEED = 7000  # smaller ones were used to try things out
Job = tuple[str, int, str, int]  # scenario, budget, arm, seed


def main(arguments: list[str] | None = None) -> None:
    options = _parse(arguments)
    catalogue = find_scenarios(options.recordings, cache=options.cache)
    lacking = {arm: why_missing(arm) for arm in options.arms}
    for name, reason in (*catalogue.missing.items(), *lacking.items()):
        if reason:
            print(f"without {name}: {reason}")
    scenarios = options.scenarios or [name for name in catalogue.arenas if not name.endswith(", recorded")]
    table = options.out / "peers.csv"
    done = {(row["arena"], row["plan"], row["arm"], row["seed"]) for row in read_rows(table)}
    jobs = [
        (name, options.budget, arm, seed)
        for seed in range(FIRST_SEED, FIRST_SEED + options.seeds)
        for name in scenarios
        for arm in options.arms
        if lacking[arm] is None and (name, f"{options.budget} runs", arm, str(seed)) not in done
    ]
    for name in dict.fromkeys(job[0] for job in jobs):
        _arena(name, options.recordings, options.cache)  # fitted before processes need it
    work = partial(run_job, recordings=options.recordings, folder=options.cache)
    do_jobs(work, jobs, path=table, processes=options.processes)
    _report(read_rows(table), table)


def run_job(job: Job, *, recordings: Path, folder: Path) -> list[Row]:
    """Make one attempt."""
    name, budget, arm, seed = job
    record = compete(_arena(name, recordings, folder), arm, budget=budget, seed=seed)
    return [{"arena": name, "plan": f"{budget} runs", "arm": arm, "seed": seed, **record}]


@cache
def _arena(name: str, recordings: Path, folder: Path) -> Arena:
    return find_scenarios(recordings, cache=folder).arenas[name]()


def _report(rows: list[Row], table: Path) -> None:
    if not rows:
        raise SystemExit("there is nothing to tune on: record something first (see experiments/record.py)")
    text = f"{by_scenario(rows)}\n\n{versus(rows, 'tightrope')}\n"
    table.with_suffix(".md").write_text(text, encoding="utf-8")
    print(f"\nmedians of the mean cost on the test instances\n\n{text}")
    for (name, _), arms in collect(rows, key="cpu_ms_a_run").items():
        print(f"{name}: ms a run " + ", ".join(f"{arm} {ms.mean():.3g}" for arm, ms in arms.items()))
    print(f"wrote {table} and {table.with_suffix('.md')}")


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder of the results")
    parser.add_argument("--recordings", type=Path, default=RECORDINGS, help="folder of the recordings")
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of fitted surrogates")
    parser.add_argument("--scenarios", nargs="+", metavar="NAME", help="only these")
    parser.add_argument("--arms", nargs="+", choices=ARMS_OF_CONTEST, default=ARMS_OF_CONTEST, metavar="ARM")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--budget", type=int, default=1000, help="of a tuning, in runs of the default config")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
