"""Reading a journal's rows: as arrays for a history, or entry by entry for replay."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from heapq import merge
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import numpy as np

from tightrope.records import MEASURES, Outcome, Status, Task, Trial
from tightrope.store.check import require_counts
from tightrope.store.codec import Decoded
from tightrope.store.columns import CODES, Columns, Ints, objects
from tightrope.store.entry import Decision, Entry
from tightrope.store.failure import damaged
from tightrope.store.schema import SUMS, WITHOUT_SUMS, version_of
from tightrope.store.verified import Row, VerifiedTable
from tightrope.store.writing import budget_state, restored

LAST: Final = (
    "SELECT max(ifnull((SELECT max(step) FROM decision), 0), ifnull((SELECT max(step) FROM trial), 0), "
    "ifnull((SELECT max(step) FROM outcome), 0)), "
    "ifnull((SELECT max(id) FROM config), 0), ifnull((SELECT max(id) FROM task), 0)"
)
_STATUS_CODES: Final = {status.value: code for status, code in CODES.items()}
INVALID: Final = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError)


class Rows:
    """All that was committed when this was made, each row checked against its checksum."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._has_sums = version_of(connection) > WITHOUT_SUMS
        require_counts(connection, path)
        self._last_step, self._n_configs, self._n_tasks = connection.execute(LAST).fetchone()
        self.configs = Decoded(self._texts(), path=str(path))
        self.tasks = self._all_tasks()

    def columns(self) -> Columns:
        """Return the runs as arrays."""
        trials, outcomes = self._arrays("trial"), self._arrays("outcome")
        self._require_all_steps(trials[0], outcomes[0])
        return self._joined(trials, outcomes)

    def _joined(self, planned: list[Any], ended: list[Any]) -> Columns:
        _, ids, configs, tasks, caps, _ = planned
        _, trials, status, *numbers, notes, at_s = ended
        place = self._places(ids, trials)
        try:
            columns = Columns(
                configs=self.configs, tasks=self.tasks, trial=trials, config=configs[place] - 1,
                task=tasks[place] - 1, status=np.array([_STATUS_CODES[each] for each in status], np.int8),
                cap=caps[place], measures=dict(zip(MEASURES, numbers, strict=True)), ended_s=at_s,
                note=objects([restored(note) for note in notes]),
            )  # fmt: skip
        except INVALID as error:
            raise damaged(self._path, f"an outcome makes no sense: {error}") from error
        for index, known in ((columns.config, self.configs), (columns.task, self.tasks)):
            if index.size and not 0 <= index.min() <= index.max() < len(known):
                raise damaged(self._path, "a trial's config or task is missing")
        return columns

    def pending(self) -> list[Trial]:
        """Return the trials that have no outcome, in the order in which they were started."""
        steps, ids, configs, tasks, caps, _ = self._arrays("trial")
        ended = self._arrays("outcome")
        self._require_all_steps(steps, ended[0])
        (open_trials,) = np.nonzero(~np.isin(ids, ended[1]))
        rows = zip(*(values[open_trials].tolist() for values in (ids, configs, tasks, caps)), strict=True)
        try:
            return [self._planned(row) for row in rows]
        except INVALID as error:
            raise damaged(self._path, f"a trial makes no sense: {error}") from error

    def require_sound(self) -> None:
        """Read every row, and raise an error if one is damaged or missing."""
        if not self._has_sums:  # then a row is sound if it makes sense
            for _ in self.entries():
                pass
            return
        decisions, trials, outcomes = (self._arrays(table) for table in ("decision", "trial", "outcome"))
        counts = np.bincount(
            np.concatenate([decisions[0], trials[0], outcomes[0]]), minlength=self._last_step + 1
        )
        (wrong,) = np.nonzero(counts[1:] != 1)
        if wrong.size:
            raise damaged(self._path, f"entry {1 + int(wrong[0])} is missing or there twice")
        self._joined(trials, outcomes)

    def entries(self) -> Iterator[Entry]:
        """Return everything in the order in which it was written."""
        kinds = (("decision", self._decision), ("trial", self._trial), ("outcome", self._outcome))
        streams = [self._stream(table, make) for table, make in kinds]
        for expected, (step, entry) in enumerate(merge(*streams, key=itemgetter(0)), start=1):
            if step != expected:
                raise damaged(self._path, f"entry {expected} is missing")
            yield entry

    def _stream(self, table: str, make: Callable[[Row], Entry]) -> Iterator[tuple[int, Entry]]:
        for part in VerifiedTable(self._connection, self._path, table).parts(self._last_step):
            for row in part.rows:
                try:
                    yield row[0], make(row[:-1])
                except INVALID as error:
                    problem = f"row {row[0]} of the table {table} makes no sense: {error}"
                    raise damaged(self._path, problem) from error

    def _decision(self, row: Row) -> Entry:
        _, number, overhead_s, now_s, challengers, note, *budget, at_s = row
        configs = tuple(self.configs[i - 1] for i in json.loads(challengers))
        state = budget_state(*budget)
        decision = Decision(number, float(overhead_s), float(now_s), configs, restored(note), state)
        return Entry(decision, float(at_s))

    def _trial(self, row: Row) -> Entry:
        return Entry(self._planned(row[1:5]), float(row[5]))

    def _planned(self, row: Row) -> Trial:
        number, config, task, cap = row
        if config < 1 or task < 1:
            raise ValueError("a trial needs a config and a task")
        return Trial(number, self.configs[config - 1], float(cap), self.tasks[task - 1])

    def _outcome(self, row: Row) -> Entry:
        _, trial, status, *numbers, note, at_s = row
        return Entry(make_outcome(trial, status, numbers, note), float(at_s))

    def _texts(self) -> Iterator[str]:
        expected = 1
        for part in VerifiedTable(self._connection, self._path, "config").parts(self._n_configs):
            self._require_numbered(part.arrays[0], expected, "config")
            expected += len(part.rows)
            for text in part.arrays[2]:
                if not isinstance(text, str):
                    raise damaged(self._path, "a config is not text")
                yield text

    def _all_tasks(self) -> tuple[Task, ...]:
        tasks: list[Task] = []
        for part in VerifiedTable(self._connection, self._path, "task").parts(self._n_tasks):
            self._require_numbered(part.arrays[0], len(tasks) + 1, "task")
            try:
                tasks += [Task(restored(instance), int(seed)) for _, instance, seed, _ in part.rows]
            except INVALID as error:
                raise damaged(self._path, f"a task makes no sense: {error}") from error
        return tuple(tasks)

    def _require_numbered(self, ids: Ints, first: int, what: str) -> None:
        wrong = np.flatnonzero(ids != np.arange(first, first + ids.size))
        if wrong.size:
            raise damaged(self._path, f"{what} {first + int(wrong[0])} is missing")

    def _arrays(self, table: str) -> list[Any]:
        """Read a table into one array for each column; texts into one tuple."""
        parts = [
            part.arrays for part in VerifiedTable(self._connection, self._path, table).parts(self._last_step)
        ]
        kinds = [column.kind for column in SUMS[table].columns]
        if not parts:
            return [np.zeros(0, dtype=np.int64 if kind == "i" else np.float64) for kind in kinds]
        return [
            [text for each in column for text in each] if kind == "t" else np.concatenate(column)
            for kind, column in zip(kinds, zip(*parts, strict=True), strict=True)
        ]

    def _require_all_steps(self, *found: Ints) -> None:
        (decisions,) = self._connection.execute(
            "SELECT count(*) FROM decision NOT INDEXED WHERE step <= ?", (self._last_step,)
        ).fetchone()
        if sum(steps.size for steps in found) + decisions != self._last_step:
            raise damaged(self._path, "entries are missing")

    def _places(self, ids: Ints, wanted: Ints) -> Ints:
        """Find where each wanted id is."""
        order = np.argsort(ids, kind="stable")
        place = np.minimum(np.searchsorted(ids[order], wanted), max(ids.size - 1, 0))
        found = order[place] if ids.size else place
        if wanted.size and not (ids.size and np.array_equal(ids[found], wanted)):
            raise damaged(self._path, "an outcome's trial is missing")
        return found


def make_outcome(trial: int, status: str, numbers: Sequence[float | None], note: object) -> Outcome:
    """Build an outcome from a row; `numbers` are in the order of `MEASURES`, None for NaN."""
    known = {
        name: np.nan if number is None else float(number)
        for name, number in zip(MEASURES, numbers, strict=True)
    }
    return Outcome(trial, Status(status), **known, note=restored(note))
