"""Runs as arrays, one for each property; configs and tasks are kept once and named by their index."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tightrope.records import MEASURES, Config, Outcome, Run, Status, Task, Trial

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Index = NDArray[np.intp] | NDArray[np.bool_] | slice

STATUSES: Final = tuple(Status)
CODES: Final = {status: code for code, status in enumerate(STATUSES)}


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """n runs in the order in which they ended; `ended_s`, in seconds since 1970, is NaN if not known."""

    configs: Sequence[Config]
    tasks: Sequence[Task]
    trial: Ints
    config: Ints  # index into configs
    task: Ints  # index into tasks
    status: NDArray[np.int8]  # index into STATUSES
    cap: Floats
    measures: Mapping[str, Floats]  # by their names in MEASURES
    ended_s: Floats
    note: NDArray[np.object_]

    @property
    def cost(self) -> Floats:
        """Costs; lower bounds of capped runs."""
        return self.measures["cost"]

    @property
    def spent(self) -> Floats:
        """What the budget was charged."""
        return self.measures["spent"]

    @property
    def wall_s(self) -> Floats:
        """Wall times."""
        return self.measures["wall_s"]

    @property
    def cpu_s(self) -> Floats:
        """CPU times."""
        return self.measures["cpu_s"]

    def take(self, index: Index) -> "Columns":
        """Return some of the runs; configs and tasks stay as they are."""
        arrays = {name: getattr(self, name)[index] for name in _ARRAYS}
        return replace(
            self, measures={name: values[index] for name, values in self.measures.items()}, **arrays
        )

    def run(self, i: int) -> Run:
        """Return the i-th run."""
        return Run(
            Trial(
                int(self.trial[i]),
                self.configs[int(self.config[i])],
                float(self.cap[i]),
                self.tasks[int(self.task[i])],
            ),
            Outcome(
                int(self.trial[i]),
                STATUSES[self.status[i]],
                **{name: float(values[i]) for name, values in self.measures.items()},
                note=str(self.note[i]),
            ),
        )


_ARRAYS: Final = tuple(name for name in Columns.__slots__ if name not in ("configs", "tasks", "measures"))


def columns_of(runs: Iterable[Run]) -> Columns:
    """Take runs apart."""
    kept = list(runs)
    configs: dict[Any, int] = {}
    tasks: dict[Any, int] = {}
    trials, outcomes = [run.trial for run in kept], [run.outcome for run in kept]
    return Columns(
        trial=_ints(trial.id for trial in trials),
        config=_ints(configs.setdefault(trial.config, len(configs)) for trial in trials),
        task=_ints(tasks.setdefault(trial.task, len(tasks)) for trial in trials),
        status=np.array([CODES[outcome.status] for outcome in outcomes], dtype=np.int8),
        cap=_floats(trial.cap for trial in trials),
        measures={name: _floats(getattr(outcome, name) for outcome in outcomes) for name in MEASURES},
        ended_s=np.full(len(kept), np.nan),
        note=objects([outcome.note for outcome in outcomes]),
        configs=tuple(configs),
        tasks=tuple(tasks),
    )


def objects(values: Sequence[Any]) -> NDArray[np.object_]:
    """Put values into an array as they are."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _ints(values: Iterable[int]) -> Ints:
    return np.fromiter(values, dtype=np.int64)


def _floats(values: Iterable[float]) -> Floats:
    return np.fromiter(values, dtype=np.float64)
