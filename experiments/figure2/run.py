"""Repeat the paper's Figure 2: error and log likelihood of four treatments of censored runs, by slack.

    python experiments/figure2                  everything (about ten minutes of one core)
    python experiments/figure2 --quick          a short test with three seeds
    python experiments/figure2 --processes 2    on two cores

An interrupted experiment resumes. The environment variable TIGHTROPE_DATA names the folder of recorded runs;
without it only generated runtimes are used.
"""

import argparse
from dataclasses import asdict
from functools import partial
from pathlib import Path

import numpy as np
from lib.data import VARIABLE, data_folder
from lib.tables import Row, read_rows, run_jobs, write_rows
from lib.treatments import synthetic
from lib.treatments.capping import cap_runs
from lib.treatments.fitting import TREATMENTS, fit_and_score
from lib.treatments.problem import Problem
from lib.treatments.summary import summarise

from figure2.picture import draw_treatments
from figure2.recorded_runs import draw_clasp, draw_spear

MEASURES = ("rmse", "log_likelihood", "rmse_all", "log_likelihood_all", "rmse_stopped", "censored", "cpu_s")
SLACKS = (1.0, 1.1, 1.3, 1.5, 2.0, np.inf)
RECORDED = {
    "spear-20": partial(draw_spear, n_instances=20),
    "spear-100": partial(draw_spear, n_instances=100),
    "clasp-120": partial(draw_clasp, n_instances=120),
}
Job = tuple[str, int]


def main(arguments: list[str] | None = None) -> None:
    options = _parse(arguments)
    table = options.out / ("figure2-quick.csv" if options.quick else "figure2.csv")
    if options.fresh:
        table.unlink(missing_ok=True)
    names = ["synthetic-20", *(RECORDED if data_folder() else ())]
    if not data_folder():
        print(f"{VARIABLE} is not set: only generated runtimes are used, no recorded runs")
    done = {(row["data"], int(row["seed"])) for row in read_rows(table)}
    n_seeds = 3 if options.quick else options.seeds
    jobs = [(name, seed) for seed in range(n_seeds) for name in names if (name, seed) not in done]
    run_jobs(run_job, jobs, path=table, processes=options.processes)
    rows = read_rows(table)
    summary = summarise(rows, by=("data", "slack", "treatment"), measures=MEASURES, base="sample")
    write_rows(table.with_name(f"{table.stem}-summary.csv"), summary)
    picture = table.with_suffix(".png")
    draw_treatments(rows, picture)
    print(f"wrote {table}, its summary and {picture}")


def run_job(job: Job) -> list[Row]:
    """Fit and score every treatment under every slack, on one data set with one seed."""
    name, seed = job
    problem = make_problem(name, seed)
    rows = []
    for slack in SLACKS:
        capped = cap_runs(problem.train, slack=slack, ceiling=problem.ceiling)
        for treatment in TREATMENTS:
            score = fit_and_score(problem, capped, seed=seed, settings={"treatment": treatment})
            key = {"data": name, "slack": slack, "treatment": treatment, "seed": seed}
            rows.append(key | {"censored": capped.censored.mean()} | asdict(score))
    return rows


def make_problem(name: str, seed: int) -> Problem:
    """Draw the problem of a data set and a seed."""
    folder = data_folder()
    if name in RECORDED and folder is not None:
        return RECORDED[name](seed, folder=folder)
    return synthetic.make_problem(seed, n_instances=20)


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder of tables and picture")
    parser.add_argument("--seeds", type=int, default=30, help="problems drawn from each data set")
    parser.add_argument("--processes", type=int, default=1, help="number of parallel jobs")
    parser.add_argument("--quick", action="store_true", help="three seeds only, in a separate table")
    parser.add_argument("--fresh", action="store_true", help="start again instead of resuming")
    return parser.parse_args(arguments)
