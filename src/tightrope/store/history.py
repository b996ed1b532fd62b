"""History: all runs of an optimisation, kept as arrays."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from tightrope.records import MEASURES, Config, Run, Status, Task
from tightrope.search.tally import Tally
from tightrope.store.columns import CODES, STATUSES, Columns, columns_of, objects
from tightrope.store.frame import pandas
from tightrope.store.summary import Summary, summarize

_FIXED = ("trial", "instance", "seed", "cap", "status", *MEASURES, "note")
_SUMS = ("n_tasks", "n_runs", "n_done", "n_capped", "n_failed", "mean_cost", "at_least")
_ALWAYS_SHOWN = ("cost", "spent")


class History:
    """All runs of an optimisation, in the order in which they ended.

    Parameters
    ----------
    runs : iterable of Run
        A journal's come from `JournalReader.history`.

    Attributes
    ----------
    runs : sequence of Run
        The runs, built when they are asked for.
    columns : Columns
        The same as arrays.

    Examples
    --------
    >>> from tightrope.records import Outcome, Trial
    >>> slow, fast = Config({"x": 0.0}), Config({"x": 1.0})
    >>> history = History([
    ...     Run(Trial(0, slow), Outcome(0, Status.DONE, cost=8.0, spent=8.0)),
    ...     Run(Trial(1, fast, cap=9.0), Outcome(1, Status.DONE, cost=3.0, spent=3.0)),
    ...     Run(Trial(2, slow, cap=4.0), Outcome(2, Status.CAPPED, cost=4.0, spent=4.0)),
    ... ])
    >>> len(history), history[1].trial.config
    (3, Config({'x': 1.0}))
    >>> history.trajectory()
    ([8.0, 11.0, 15.0], [8.0, 3.0, 3.0])
    >>> len(history.filter(config=slow, status=Status.CAPPED))
    1
    >>> summary = history.by_config()
    >>> summary.n_runs.tolist(), summary.at_least.tolist()
    ([2, 1], [6.0, 3.0])
    """

    def __init__(self, runs: Iterable[Run] = ()) -> None:
        self.columns = columns_of(runs)

    @classmethod
    def of(cls, columns: Columns) -> Self:
        """Wrap arrays."""
        history = cls.__new__(cls)
        history.columns = columns
        return history

    @property
    def runs(self) -> Sequence[Run]:
        """The runs."""
        return _Runs(self.columns)

    def __len__(self) -> int:
        return int(self.columns.trial.size)

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    @overload
    def __getitem__(self, index: int) -> Run: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> Run | Self:
        if isinstance(index, slice):
            return self.of(self.columns.take(index))
        return self.runs[index]

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, History) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"History({len(self)} runs)"

    def filter(
        self,
        *,
        config: Mapping[str, Any] | None = None,
        task: Task | None = None,
        instance: str | None = None,
        status: Status | Iterable[Status] | None = None,
        since: float | datetime | None = None,
    ) -> Self:
        """Return the runs that fulfil all that is given.

        Parameters
        ----------
        config : mapping
            They are of this config.
        task : Task
            They are of this task.
        instance : str
            They are of this instance, whatever the seed.
        status : Status or iterable of Status
            They ended like this, or like one of these.
        since : float or datetime
            They ended then or later: seconds since 1970, or a date. Only a journal knows when runs ended.
        """
        columns = self.columns
        keep: NDArray[np.bool_] = np.ones(len(self), dtype=bool)
        if config is not None:
            keep &= _matching(columns.config, [known == config for known in columns.configs])
        if task is not None:
            keep &= _matching(columns.task, [known == task for known in columns.tasks])
        if instance is not None:
            keep &= _matching(columns.task, [known.instance == instance for known in columns.tasks])
        if status is not None:
            wanted = [status] if isinstance(status, Status) else list(status)
            keep &= np.isin(columns.status, [CODES[one] for one in wanted])
        if since is not None:
            keep &= self._ended_since(since)
        return self.of(columns.take(keep))

    def by_config(self) -> Summary[Config]:
        """Add up the runs of each config."""
        return summarize(self.columns, self.columns.config, self.columns.configs)

    def table(self, n: int = 10) -> Any:
        """Return a pandas DataFrame of the best n configs: their values, runs and costs.

        Configs that were run on most tasks come first, since a race drops bad configs early; among equals,
        the cheapest. `at_least` is the mean cost with each capped run at its bound.
        """
        columns = self.columns
        pairs = np.unique(np.stack([columns.config, columns.task]), axis=1)
        used, n_tasks = np.unique(pairs[0], return_counts=True)
        summary = self.by_config()
        order = np.lexsort((summary.at_least, -n_tasks))[:n]
        frame = pandas().DataFrame.from_records([dict(columns.configs[used[i]]) for i in order])
        frame.columns = [f"config.{name}" if name in _SUMS else name for name in frame.columns]
        for name in _SUMS:
            frame[name] = (n_tasks if name == "n_tasks" else getattr(summary, name))[order]
        return frame

    def by_task(self) -> Summary[Task]:
        """Add up the runs of each task."""
        return summarize(self.columns, self.columns.task, self.columns.tasks)

    def trajectory(self) -> tuple[list[float], list[float]]:
        """Return the cumulative cost after each run, and the best cost known then (inf before the first).

        A config that finished several times counts with its mean. The best of costs on different tasks means
        nothing: filter one task first.
        """
        n_tasks = np.unique(self.columns.task).size
        if n_tasks > 1:
            raise ValueError(f"these runs are of {n_tasks} tasks: filter one, as in history.filter(task=...)")
        spent: list[float] = np.cumsum(self.columns.spent).tolist()
        done = self.columns.status == CODES[Status.DONE]
        if np.unique(self.columns.config[done]).size < np.count_nonzero(done):
            return spent, self._best_means(done)
        best: list[float] = np.minimum.accumulate(np.where(done, self.columns.cost, np.inf)).tolist()
        return spent, best

    def _best_means(self, done: NDArray[np.bool_]) -> list[float]:
        tally = Tally()
        best = []
        for i, is_done in enumerate(done.tolist()):
            if is_done:
                run = self.columns.run(i)
                tally.start(run.trial)
                tally.finish(run)
            best.append(tally.best)
        return best

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each run.

        Columns are trial, the parameters, instance, seed, cap, status, cost, spent, wall_s, cpu_s and note.
        The cost of a capped run is a lower bound, that of a failed or lost run is missing. Columns of which
        nothing is known are left out: instance and seed of a plain function, times that were not measured. A
        parameter whose name is also that of another column, such as "cost", is called "config.cost".
        """
        columns = self.columns
        used, place = np.unique(columns.config, return_inverse=True)
        values = pandas().DataFrame.from_records([dict(columns.configs[i]) for i in used])
        values.columns = [f"config.{name}" if name in _FIXED else name for name in values.columns]
        frame = values.take(place).reset_index(drop=True)
        frame.insert(0, "trial", columns.trial)
        for name, column in self._fixed_columns():
            frame[name] = column
        return frame

    def _fixed_columns(self) -> Iterator[tuple[str, Any]]:
        columns = self.columns
        if any(columns.tasks[i] != Task() for i in np.unique(columns.task)):
            yield "instance", objects([task.instance for task in columns.tasks])[columns.task]
            yield "seed", np.array([task.seed for task in columns.tasks], dtype=np.int64)[columns.task]
        yield "cap", columns.cap
        yield "status", objects([status.value for status in STATUSES])[columns.status]
        has_cost = np.isin(columns.status, [CODES[Status.DONE], CODES[Status.CAPPED]])
        for name, values in columns.measures.items():
            if name in _ALWAYS_SHOWN or values.any():
                yield name, np.where(has_cost, values, np.nan) if name == "cost" else values
        yield "note", columns.note

    def _ended_since(self, since: float | datetime) -> NDArray[np.bool_]:
        if np.isnan(self.columns.ended_s).any():
            raise ValueError("the end of these runs was not recorded; only the history of a journal has it")
        start_s = since.timestamp() if isinstance(since, datetime) else float(since)
        later: NDArray[np.bool_] = self.columns.ended_s >= start_s
        return later


class _Runs(Sequence[Run]):
    """Builds runs when they are asked for."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns

    def __len__(self) -> int:
        return int(self._columns.trial.size)

    @overload
    def __getitem__(self, index: int) -> Run: ...
    @overload
    def __getitem__(self, index: slice) -> list[Run]: ...
    def __getitem__(self, index: int | slice) -> Run | list[Run]:
        if isinstance(index, slice):
            return [self._columns.run(i) for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"there are {len(self)} runs, and none has the number {index}")
        return self._columns.run(index)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self)} runs>"


def _matching(index: NDArray[np.int64], matches: Sequence[bool]) -> NDArray[np.bool_]:
    return np.array(matches, dtype=bool)[index]
