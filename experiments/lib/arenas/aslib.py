"""Scenarios of algorithm selection, as tunings with a single parameter: which solver to use.

The files are ASlib's, compressed. A run with another status than ok never ends.
"""

import csv
import gzip
from pathlib import Path

import numpy as np

from lib.arena.arena import Arena
from lib.arenas.matrix import matrix_arena, split
from lib.cost_table import Floats

_SMALLEST_COST_S = 0.005
_LARGEST_FEATURE = 1e30  # the forest works with single precision


def aslib_arena(folder: Path, *, ceiling: float, rank: float) -> Arena:
    """Return the arena of the folder's solvers; see `matrix_arena` for `rank`."""
    features = {row[0]: row[2:] for row in _read_arff(folder / "feature_values.arff.gz")}
    runs = _read_arff(folder / "algorithm_runs.arff.gz")
    instances = {name: i for i, name in enumerate(sorted(features))}
    solvers = {name: i for i, name in enumerate(sorted({row[2] for row in runs}))}
    costs = np.full((len(solvers), len(instances)), np.inf)
    for instance, _, solver, runtime, status in runs:
        if status.strip() == "ok":
            costs[solvers[solver], instances[instance]] = max(float(runtime), _SMALLEST_COST_S)
    return matrix_arena(
        folder.name,
        [{"solver": name} for name in solvers],
        costs,
        instances=list(instances),
        ceiling=ceiling,
        rank=rank,
        features=_varying(_numbers([features[name] for name in instances])),
    )


def _read_arff(path: Path) -> list[list[str]]:
    with gzip.open(path, "rt", newline="") as file:
        rows = [row for row in csv.reader(file) if row]
    start = next(i for i, row in enumerate(rows) if row[0].strip().upper() == "@DATA")
    return rows[start + 1 :]


def _numbers(rows: list[list[str]]) -> Floats:
    values = np.array([["nan" if value == "?" else value for value in row] for row in rows], dtype=float)
    return np.clip(values, -_LARGEST_FEATURE, _LARGEST_FEATURE)


def _varying(features: Floats) -> Floats:
    """Return the features that are not the same on all training instances."""
    training = features[~split(len(features))]
    return features[:, [np.unique(column[~np.isnan(column)]).size > 1 for column in training.T]]
