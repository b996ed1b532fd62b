"""Measure the cost to get close to the optimum of functions whose evaluation costs their value.

    python experiments/black_box                    everything (hours of one core)
    python experiments/black_box --quick            a short test with few seeds and arms
    python experiments/black_box --processes 2      on two cores
    python experiments/black_box --only peers       Optuna and SMAC3, which pay for full evaluations

An interrupted experiment resumes. It writes a table of all attempts, a summary with intervals, and a picture.
"""

import argparse
from pathlib import Path

from lib.tables import Row, read_rows, run_jobs, write_rows

from black_box.arms import ARMS, NUMERIC_ONLY
from black_box.measure import TOLERANCES, attempt
from black_box.peers import MISSING, PEERS
from black_box.picture import draw_ratios
from black_box.problems import PROBLEMS
from black_box.report import BASE, goals, markdown, summarise

FIRST_SEED = 1000  # smaller seeds were used during development
QUICK_PROBLEMS = ("bowl", "solver")
QUICK_ARMS = (BASE, "forest, slack 1.3", "default")
Job = tuple[str, str, int]


def main(arguments: list[str] | None = None) -> None:
    options = _parse(arguments)
    table = options.out / ("blackbox-quick.csv" if options.quick else "blackbox.csv")
    done = {(row["problem"], row["arm"], int(row["seed"])) for row in read_rows(table)}
    jobs = [job for job in _jobs(options) if job not in done]
    run_jobs(run_job, jobs, path=table, processes=options.processes)
    rows = read_rows(table)
    write_rows(table.with_name(f"{table.stem}-summary.csv"), summarise(rows))
    picture = table.with_suffix(".png")
    draw_ratios(rows, picture)
    for tolerance in TOLERANCES:
        print(f"\ncost to get within {tolerance:.0%} of the optimum (share of successful attempts)\n")
        print(markdown(rows, tolerance=tolerance))
    print(goals(rows))
    print(f"wrote {table}, its summary and {picture}")


def run_job(job: Job) -> list[Row]:
    """Make one attempt."""
    problem, arm, seed = job
    record = attempt(PROBLEMS[problem], {**ARMS, **PEERS}[arm], seed=seed)
    return [{"problem": problem, "arm": arm, "seed": seed, **record}]


def _jobs(options: argparse.Namespace) -> list[Job]:
    problems = QUICK_PROBLEMS if options.quick else options.problems
    arms = {"ours": tuple(ARMS), "peers": tuple(PEERS), "all": (*ARMS, *PEERS)}[options.only]
    if options.only != "ours" and not options.quick:
        for peer, command in MISSING.items():
            print(f"without {peer}: {command}")
    arms = QUICK_ARMS if options.quick else options.arms or arms
    seeds = range(FIRST_SEED, FIRST_SEED + (2 if options.quick else options.seeds))
    return [
        (problem, arm, seed)
        for seed in seeds
        for problem in problems
        for arm in arms
        if PROBLEMS[problem].numeric or arm not in NUMERIC_ONLY
    ]


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder of the results")
    parser.add_argument("--seeds", type=int, default=50, help="attempts of each arm on each problem")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--only", choices=("ours", "peers", "all"), default="all")
    parser.add_argument("--problems", nargs="+", choices=PROBLEMS, default=tuple(PROBLEMS), metavar="PROBLEM")
    parser.add_argument("--arms", nargs="+", choices=(*ARMS, *PEERS), metavar="ARM", help="only these")
    parser.add_argument("--quick", action="store_true")
    return parser.parse_args(arguments)
