"""Reader of run folders of SMAC3 1.4 and 2.x."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any, Final

from tightrope.errors import Fault, ScenarioError
from tightrope.scenario.smac3.entry import Meaning, read_entry
from tightrope.store import History

_RUNS: Final = "runhistory.json"
_HINT: Final = "give a folder that SMAC3 1.4 or 2.x wrote, or its runhistory.json"


@dataclass(frozen=True, slots=True)
class SmacRuns:
    """The runs of a run folder, its incumbent if it names one, and the features of its instances."""

    history: History
    best: Mapping[str, Any] | None = None
    features: Mapping[str, list[float]] = field(default_factory=dict)


def is_smac3(path: Path) -> bool:
    """Return whether a path is a run folder of SMAC3, or its run history."""
    return (path / _RUNS).is_file() or (path.suffix == ".json" and path.is_file())


def read_smac3(path: Path) -> SmacRuns:
    """Read a run folder of SMAC3, or the run history in one.

    A run that was stopped is a bound if runtime is the cost, and else a failure. Runs that had not ended are
    left out.

    Raises
    ------
    ScenarioError
        If a file cannot be read, or is none of SMAC3.
    """
    file = path / _RUNS if path.is_dir() else path
    written = _load(file)
    try:
        configs = {str(number): dict(values) for number, values in written["configs"].items()}
        meaning = _meaning(file.parent)
        runs = [
            run
            for number, entry in enumerate(written["data"])
            if (run := read_entry(number, entry, configs, meaning)) is not None
        ]
        best = _incumbent(file.parent, configs)
        features = _scenario(file.parent).get("instance_features") or {}
        return SmacRuns(History(runs), best, {name: list(map(float, row)) for name, row in features.items()})
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        problem = f"this is not a run history of SMAC3: {type(error).__name__}: {error}"
        raise ScenarioError(Fault(problem, _HINT, str(file))) from error


def _load(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ScenarioError(Fault(error.strerror or str(error), _HINT, str(file))) from error
    except (ValueError, RecursionError) as error:
        raise ScenarioError(Fault(f"invalid JSON: {error}", _HINT, str(file))) from error


def _meaning(folder: Path) -> Meaning:
    """Return what the scenario says about costs; without one, the cost is not known to be a runtime."""
    if (folder / "scenario.json").is_file():  # 2.x
        scenario = _scenario(folder)
        cutoff = scenario.get("runtime_cutoff")
        is_runtime = cutoff is not None or bool(scenario.get("adaptive_capping"))
        return Meaning(is_runtime=is_runtime, cutoff=inf if cutoff is None else float(cutoff))
    settings = _settings(folder / "scenario.txt")  # 1.4
    is_runtime = settings.get("run_obj", "") == "runtime"
    cutoff_s = float(settings.get("cutoff_time", settings.get("cutoff", "inf")))
    return Meaning(is_runtime=is_runtime, cutoff=cutoff_s if is_runtime else inf)


def _scenario(folder: Path) -> dict[str, Any]:
    file = folder / "scenario.json"
    return dict(_load(file)) if file.is_file() else {}


def _settings(file: Path) -> dict[str, str]:
    """Return the lines `key = value` of the scenario that SMAC3 1.4 writes."""
    if not file.is_file():
        return {}
    pairs = (line.partition("=") for line in file.read_text(encoding="utf-8", errors="replace").splitlines())
    return {key.strip(): value.strip() for key, sign, value in pairs if sign}


def _incumbent(folder: Path, configs: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the last incumbent: the only one of intensifier.json (2.x), or the last of traj.json (1.4)."""
    if (folder / "intensifier.json").is_file():
        numbers = _load(folder / "intensifier.json").get("incumbent_ids") or []
        return configs.get(str(numbers[0])) if len(numbers) == 1 else None
    trajectory = folder / "traj.json"
    if not trajectory.is_file():
        return None
    *_, last = trajectory.read_text(encoding="utf-8").strip().splitlines() or ["{}"]
    found = json.loads(last).get("incumbent")
    return found if isinstance(found, dict) else None
