"""Measure which settings matter to a censored forest: one change at a time, on generated runtimes.

    python experiments/ablation                  everything (about ten minutes of one core)
    python experiments/ablation --processes 2    on two cores

An interrupted experiment resumes.
"""

import argparse
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from lib.tables import Row, read_rows, run_jobs, write_rows
from lib.treatments.capping import cap_runs
from lib.treatments.fitting import TREATMENTS, fit_and_score, floor_variance
from lib.treatments.summary import collect, median, summarise
from lib.treatments.synthetic import make_problem

SLACK = 1.3
N_INSTANCES = 20
BASE = "base"
MEASURES = ("rmse", "log_likelihood", "rmse_stopped", "censored", "n_iter", "cpu_s")


@dataclass(frozen=True, slots=True)
class Arm:
    """Settings of CensoredForest that differ from the base, and the number of instances."""

    group: str
    name: str
    settings: dict[str, Any] = field(default_factory=dict)
    n_instances: int = N_INSTANCES


def arms() -> Iterator[Arm]:
    """Yield every arm, the base first; arms that share their runs follow each other."""
    yield Arm("treatment", BASE)
    yield from _treatment_arms()
    yield from _setting_arms()
    for n_instances in (1, 5, 50, 200):
        for treatment in TREATMENTS:
            name = f"{treatment}, {n_instances} instances"
            yield Arm("instances", name, {"treatment": treatment}, n_instances)


def _treatment_arms() -> Iterator[Arm]:
    for treatment in TREATMENTS[1:]:
        yield Arm("treatment", treatment, {"treatment": treatment})
    for treatment in TREATMENTS:
        # A log model's floor makes no sense in seconds; the resolution of a timer replaces it.
        raw = {"treatment": treatment, "log": False, "min_variance": 0.01**2}
        yield Arm("scale", f"{treatment}, not log", raw)


def _setting_arms() -> Iterator[Arm]:
    for n_trees in (10, 50, 300):
        for treatment in TREATMENTS[:3]:
            settings: dict[str, Any] = {"n_estimators": n_trees, "treatment": treatment}
            yield Arm("trees", f"{treatment}, {n_trees} trees", settings)
    for decades in (0.0, 0.3):
        for treatment in TREATMENTS[:3]:
            settings = {"treatment": treatment, "min_variance": floor_variance(decades)}
            yield Arm("floor", f"{treatment}, floor {decades:g}", settings)
        few = {"n_estimators": 10, "min_variance": floor_variance(decades)}
        yield Arm("floor", f"10 trees, floor {decades:g}", few)
    for treatment, rounds in (("sample", (1, 5, 10, 30)), ("mean", (1, 5, 10))):
        for max_iter in rounds:
            settings = {"max_iter": max_iter, "tol": 0.0, "treatment": treatment}
            yield Arm("iterations", f"{treatment}, {max_iter} rounds", settings)
    yield Arm("joint", "independent", {"joint": False})
    yield Arm("joint", "independent, 10 rounds", {"joint": False, "tol": 0.0})
    yield Arm("bootstrap", "no bootstrap", {"bootstrap": False})
    yield Arm("positions", "midpoint", {"positions": "midpoint"})
    yield Arm("positions", "midpoint, 10 trees", {"positions": "midpoint", "n_estimators": 10})
    yield Arm("positions", "midpoint, 10 rounds", {"positions": "midpoint", "tol": 0.0})
    yield Arm("oob", "out-of-bag beliefs", {"oob": True})
    yield Arm("leaves", "min_samples_split 10", {"min_samples_split": 10})


def run_seed(seed: int) -> list[Row]:
    """Fit and score every arm on the problem of a seed."""
    rows = []
    for n_instances, neighbours in groupby(arms(), key=lambda arm: arm.n_instances):
        problem = make_problem(seed, n_instances=n_instances)
        capped = cap_runs(problem.train, slack=SLACK, ceiling=problem.ceiling)
        for arm in neighbours:
            score = fit_and_score(problem, capped, seed=seed, settings=arm.settings)
            key = {"group": arm.group, "arm": arm.name, "seed": seed}
            rows.append(key | {"censored": capped.censored.mean()} | asdict(score))
    return rows


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder of the tables")
    parser.add_argument("--seeds", type=int, default=30, help="number of problems")
    parser.add_argument("--processes", type=int, default=1, help="number of parallel seeds")
    parser.add_argument("--fresh", action="store_true", help="start again instead of resuming")
    options = parser.parse_args(arguments)
    table = options.out / "ablation.csv"
    if options.fresh:
        table.unlink(missing_ok=True)
    done = {int(row["seed"]) for row in read_rows(table)}
    seeds = [seed for seed in range(options.seeds) if seed not in done]
    run_jobs(run_seed, seeds, path=table, processes=options.processes)
    rows = read_rows(table)
    write_rows(
        table.with_name("ablation-summary.csv"), summarise(rows, by=("arm",), measures=MEASURES, base=BASE)
    )
    _print_table(rows)
    print(f"wrote {table} and its summary")


def _print_table(rows: list[Row]) -> None:
    columns = [collect(rows, by=("arm",), measure=measure) for measure in MEASURES[:2]]
    print(f"{'':26s}{'RMSE of log10 cost':>26s}{'log likelihood':>36s}")
    for (arm,) in columns[0]:
        error, likelihood = (median(column[arm,]) for column in columns)
        print(f"{arm:26s}{error!s:>26s}{likelihood!s:>36s}")
