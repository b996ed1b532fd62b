"""Files of recorded runs: a folder for each study.

| file | content |
| --- | --- |
| `parameters.pcs` | the space |
| `about.json` | the unit of costs and their ceiling |
| `instances.csv` | name, use (train or test), answer, and features of each instance |
| `configs.jsonl` | one config per line; the first one is the default |
| `runs.csv` or `runs.csv.gz` | config, instance, outcome, cost and CPU seconds of each run |
"""

import csv
import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.recording.result import Outcome
from tightrope.records import Config
from tightrope.scenario.pcs.read import read_pcs
from tightrope.space import Space

Floats = NDArray[np.float64]
_OTHERS = ("name", "use", "answer")  # columns of instances.csv that are not features
_PLAIN = ("parameters.pcs", "configs.jsonl", "instances.csv", "about.json")


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """A recording: rows are configs, the default first, and columns are instances."""

    space: Space
    unit: str
    ceiling: float
    instances: tuple[str, ...]
    is_test: NDArray[np.bool_]
    features: Floats  # (n_instances, n_features)
    configs: tuple[Config, ...]
    costs: Floats  # inf where a run timed out or failed, NaN where it was not recorded
    cpu_s: Floats
    failed: NDArray[np.bool_]

    @property
    def is_complete(self) -> bool:
        """Whether all runs were recorded."""
        return not np.isnan(self.costs).any()


def read_recording(folder: Path) -> Recording:
    """Read a recording, complete or not."""
    about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    with (folder / "instances.csv").open(newline="") as file:
        instances = list(csv.DictReader(file))
    lines = (folder / "configs.jsonl").read_text(encoding="utf-8").splitlines()
    costs, cpu_s = (np.full((len(lines), len(instances)), np.nan) for _ in range(2))
    failed = np.zeros(costs.shape, dtype=np.bool_)
    position = {each["name"]: j for j, each in enumerate(instances)}
    for run in read_runs(folder):
        at = int(run["config"]), position[run["instance"]]
        costs[at] = float(run["cost"]) if run["outcome"] == Outcome.DONE else np.inf
        cpu_s[at] = float(run["cpu_s"])
        failed[at] = run["outcome"] == Outcome.FAILED
    return Recording(
        space=Space(read_pcs(folder / "parameters.pcs")),
        unit=about["unit"],
        ceiling=float(about["ceiling"]),
        instances=tuple(position),
        is_test=np.array([each["use"] == "test" for each in instances]),
        features=np.array([[float(each[k]) for k in each if k not in _OTHERS] for each in instances]),
        configs=tuple(Config(json.loads(line)) for line in lines),
        costs=costs,
        cpu_s=cpu_s,
        failed=failed,
    )


def read_runs(folder: Path) -> list[dict[str, Any]]:
    """Return the recorded runs, packed or not."""
    packed, growing = folder / "runs.csv.gz", folder / "runs.csv"
    if packed.exists():
        with gzip.open(packed, "rt", newline="") as file:
            return list(csv.DictReader(file))
    if not growing.exists():
        return []
    with growing.open(newline="") as file:
        return list(csv.DictReader(file))


def count_instances(folder: Path) -> int:
    """Return the number of instances of a recording; 0 if it was not started."""
    path = folder / "instances.csv"
    if not path.exists():
        return 0
    with path.open(newline="") as file:
        return sum(1 for _ in csv.DictReader(file))


def pack(folder: Path, destination: Path) -> Path:
    """Copy a finished recording with compressed runs, always to the same bytes; return their path."""
    destination.mkdir(parents=True, exist_ok=True)
    for name in _PLAIN:
        copyfile(folder / name, destination / name)
    packed = destination / "runs.csv.gz"
    packed.write_bytes(gzip.compress((folder / "runs.csv").read_bytes(), mtime=0))
    return packed


def unpack(packed: Path, folder: Path) -> None:
    """Copy a finished recording with uncompressed runs, to which more can be added."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in _PLAIN:
        copyfile(packed / name, folder / name)
    (folder / "runs.csv").write_bytes(gzip.decompress((packed / "runs.csv.gz").read_bytes()))
