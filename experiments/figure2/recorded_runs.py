"""Recorded runs of SPEAR and clasp, from the folder that TIGHTROPE_DATA names."""

import csv
import gzip
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from lib.treatments.problem import Floats, Problem, Runs
from numpy.typing import NDArray

N_COMPONENTS = 7  # principal components of the instance features
_SMALLEST_COST_S = 0.005  # half the resolution of the timers: shorter runs were recorded as 0 or close to it

Pairs = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class RecordedRuns:
    """Costs of every config on every instance; timeouts have the ceiling or more."""

    costs: Floats  # (n_configs, n_instances)
    configs: Floats  # (n_configs, n_config_columns)
    features: Floats  # (n_instances, N_COMPONENTS)
    categorical: tuple[int, ...]
    ceiling: float

    def problem(self, train: Pairs, test: Pairs) -> Problem:
        """Return the problem of the runs at these (config, instance) pairs."""
        return Problem(self._runs(train), self._runs(test), self.categorical, ceiling=self.ceiling)

    def _runs(self, pairs: Pairs) -> Runs:
        config, instance = pairs.T
        cost = self.costs[config, instance]
        X = np.hstack([self.configs[config], self.features[instance]])
        capped = np.clip(cost, _SMALLEST_COST_S, self.ceiling)
        return Runs(X, capped, instance=instance, known=cost < self.ceiling)


def draw_spear(
    seed: int, *, folder: Path, n_instances: int = 20, n_train: int = 1000, n_test: int = 1000
) -> Problem:
    """Draw a problem of SPEAR on software verification; test runs have other configs than training runs."""
    recorded = _read_spear(folder / "spear-swv")
    n_configs = len(recorded.configs)
    rng = np.random.default_rng(seed)
    instances = rng.choice(recorded.features.shape[0], size=n_instances, replace=False)
    configs = rng.permutation(n_configs)
    halves = configs[: n_configs // 2], configs[n_configs // 2 :]
    train, test = (rng.permutation(_product(half, instances)) for half in halves)
    return recorded.problem(train[:n_train], test[:n_test])


def draw_clasp(seed: int, *, folder: Path, n_instances: int = 120, n_train: int = 1000) -> Problem:
    """Draw a problem of eleven configs of the answer-set solver clasp; test runs are the remaining pairs."""
    recorded = _read_aslib(folder / "aslib" / "ASP-POTASSCO", ceiling=600.0)
    rng = np.random.default_rng(seed)
    instances = rng.choice(recorded.features.shape[0], size=n_instances, replace=False)
    pairs = rng.permutation(_product(np.arange(len(recorded.configs)), instances))
    return recorded.problem(pairs[:n_train], pairs[n_train:])


def condense(features: Floats, n_components: int) -> Floats:
    """Return principal components of standardised columns; missing values count as the column's mean."""
    centred = np.nan_to_num(features - np.nanmean(features, axis=0))
    spread = centred.std(axis=0)
    standard = centred[:, spread > 0] / spread[spread > 0]
    left, singular, _ = np.linalg.svd(standard, full_matrices=False)
    return np.asarray((left * singular)[:, :n_components])


def _product(configs: NDArray[np.intp], instances: NDArray[np.intp]) -> Pairs:
    return np.stack(np.meshgrid(configs, instances, indexing="ij"), axis=-1).reshape(-1, 2)


@cache
def _read_spear(folder: Path) -> RecordedRuns:
    names, *rows = _read_csv(folder / "configs.csv")
    marked = set(re.findall(r"^(\S+)\s*\{", (folder / "spear.pcs").read_text(), flags=re.MULTILINE))
    costs = _numbers(row[1:] for row in _read_csv(folder / "runtimes.csv.gz")[1:])
    features = _numbers(row[1:] for row in _read_csv(folder / "features.csv.gz")[1:])
    return RecordedRuns(
        costs=costs.T,
        configs=_numbers(row[1:] for row in rows),
        features=condense(features, N_COMPONENTS),
        categorical=tuple(j for j, name in enumerate(names[1:]) if name in marked),
        ceiling=300.0,
    )


@cache
def _read_aslib(folder: Path, *, ceiling: float) -> RecordedRuns:
    """Read runs with one categorical config column, the algorithm; runs without status ok are timeouts."""
    features = {row[0]: row[2:] for row in _read_arff(folder / "feature_values.arff.gz")}
    runs = _read_arff(folder / "algorithm_runs.arff.gz")
    instances = {name: i for i, name in enumerate(sorted(features))}
    algorithms = {name: i for i, name in enumerate(sorted({row[2] for row in runs}))}
    costs = np.full((len(algorithms), len(instances)), ceiling)
    for instance, _, algorithm, runtime, status in runs:
        if status == "ok":
            costs[algorithms[algorithm], instances[instance]] = float(runtime)
    return RecordedRuns(
        costs=costs,
        configs=np.arange(len(algorithms), dtype=np.float64)[:, np.newaxis],
        features=condense(_numbers(features[name] for name in instances), N_COMPONENTS),
        categorical=(0,),
        ceiling=ceiling,
    )


def _read_csv(path: Path) -> list[list[str]]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", newline="") as file:
        return list(csv.reader(file))


def _read_arff(path: Path) -> list[list[str]]:
    rows = [row for row in _read_csv(path) if row]
    start = next(i for i, row in enumerate(rows) if row[0].strip().upper() == "@DATA")
    return rows[start + 1 :]


def _numbers(rows: Iterable[Iterable[str]]) -> Floats:
    return np.array([["nan" if value == "?" else value for value in row] for row in rows], dtype=np.float64)
