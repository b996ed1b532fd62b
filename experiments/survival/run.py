"""Compare CensoredForest with other models on survival data, by five-fold cross-validation.

    python experiments/survival            all seven data sets (about 10 minutes of one core)
    python experiments/survival --quick    two small ones

Nothing is tuned. It prints means over the data sets of Harrell's concordance, the integrated Brier score and the log likelihood of time, and the share of
responses in 90 % intervals. It needs `pip install --group survival`. An interrupted experiment resumes.
"""  # noqa: E501

import argparse
import warnings
from pathlib import Path

import numpy as np
from lib.tables import Row, read_rows, run_jobs

from survival.models import MODELS
from survival.scores import score
from survival.sets import NAMES, QUICK, SurvivalSet, load

FOLDS = 5
MEASURES = ("concordance", "brier", "log_likelihood", "coverage")


def run_job(job: tuple[str, int, str]) -> list[Row]:
    """Fit a model to one fold of a data set, and score it on the rest."""
    from sklearn.model_selection import StratifiedKFold

    name, fold, model = job
    data = load(name)
    splits = StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(data.X, data.event)
    kept, held = list(splits)[fold]
    train, test = (
        SurvivalSet(data.X[rows], data.time[rows], data.event[rows], data.categorical)
        for rows in (kept, held)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the peers
        predicted = MODELS[model](train, test.X)
    return [{"set": name, "fold": fold, "model": model, **score(predicted, train=train, test=test)}]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder of the table")
    parser.add_argument("--quick", action="store_true", help="two small data sets only")
    parser.add_argument("--processes", type=int, default=1, help="number of parallel fits")
    parser.add_argument("--fresh", action="store_true", help="start again instead of resuming")
    options = parser.parse_args(arguments)
    table = options.out / "survival.csv"
    if options.fresh:
        table.unlink(missing_ok=True)
    names = QUICK if options.quick else NAMES
    done = {(row["set"], int(row["fold"]), row["model"]) for row in read_rows(table)}
    wanted = [(name, fold, model) for name in names for fold in range(FOLDS) for model in MODELS]
    run_jobs(run_job, [job for job in wanted if job not in done], path=table, processes=options.processes)
    _print_table([row for row in read_rows(table) if row["set"] in names], names)
    print(f"wrote {table}")


def _print_table(rows: list[Row], names: tuple[str, ...]) -> None:
    print(f"{'':18s}" + "".join(f"{measure:>16s}" for measure in MEASURES))
    for model in MODELS:
        means = []
        for measure in MEASURES:
            of_sets = [
                np.mean([float(r[measure]) for r in rows if (r["set"], r["model"]) == (name, model)])
                for name in names
            ]
            means.append(float(np.mean(of_sets)))
        print(f"{model:18s}" + "".join(f"{mean:16.4f}" for mean in means))
