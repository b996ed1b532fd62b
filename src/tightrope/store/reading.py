"""Reading rows, a part at a time.

Each part is a short transaction of its own, so that a reader never holds up the writer for long, on whatever
disk. Since rows are only added, what lies up to a step is the same in all parts.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from heapq import merge
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import numpy as np

from tightrope.errors import JournalError
from tightrope.records import MEASURES, Outcome, Status, Task, Trial
from tightrope.store.codec import Decoded
from tightrope.store.columns import CODES, Columns, Ints, objects
from tightrope.store.entry import Decision, Entry
from tightrope.store.failure import damaged
from tightrope.store.schema import select_decisions, select_outcomes
from tightrope.store.writing import budget_state, restored

_PART: Final = 2_000  # rows: enough to be fast, few enough to stay in the processor's cache
_Row = tuple[Any, ...]

# Each takes a key to start after, one to end at, and the number of rows.
_CONFIGS: Final = "SELECT id, value FROM config WHERE id > ? AND id <= ? ORDER BY id LIMIT ?"
_TASKS: Final = "SELECT id, instance, seed FROM task WHERE id > ? AND id <= ? ORDER BY id LIMIT ?"
_TRIALS: Final = (
    "SELECT step, id, config, task, cap, at_s FROM trial WHERE step > ? AND step <= ? ORDER BY step LIMIT ?"
)
_PLANS: Final = _TRIALS.replace(", at_s", "")
_BY_STEP: Final = "{select} WHERE step > ? AND step <= ? ORDER BY step LIMIT ?"
_LAST: Final = (
    "SELECT max(ifnull((SELECT max(step) FROM decision), 0), ifnull((SELECT max(step) FROM trial), 0), "
    "ifnull((SELECT max(step) FROM outcome), 0)), "
    "ifnull((SELECT max(id) FROM config), 0), ifnull((SELECT max(id) FROM task), 0)"
)
_STATUS_CODES: Final = {status.value: code for status, code in CODES.items()}


class Rows:
    """All that was committed when this was made."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._decisions = _BY_STEP.format(select=select_decisions(connection))
        self._outcomes = _BY_STEP.format(select=select_outcomes(connection))
        self._last_step, self._n_configs, self._n_tasks = connection.execute(_LAST).fetchone()
        self.configs = Decoded(self._texts(), path=str(path))
        self.tasks = self._all_tasks()

    def columns(self) -> Columns:
        """Return the runs as arrays."""
        trial_steps, ids, configs, tasks, caps = self._table(_PLANS, "iiiif")
        steps, trials, status, *numbers, note, at_s = self._table(
            self._outcomes, f"iis{'f' * len(MEASURES)}of"
        )
        self._require_all_steps(trial_steps, steps)
        place = self._places(ids, trials)
        columns = Columns(
            configs=self.configs, tasks=self.tasks, trial=trials, config=configs[place] - 1,
            task=tasks[place] - 1, status=status, cap=caps[place], ended_s=at_s, note=note,
            measures=dict(zip(MEASURES, numbers, strict=True)),
        )  # fmt: skip
        for index, known in ((columns.config, self.configs), (columns.task, self.tasks)):
            if index.size and not 0 <= index.min() <= index.max() < len(known):
                raise damaged(self._path, "a trial's config or task is missing")
        return columns

    def entries(self) -> Iterator[Entry]:
        """Return everything in the order in which it was written."""
        kinds = ((self._decisions, self._decision), (_TRIALS, self._trial), (self._outcomes, self._outcome))
        streams = [self._stream(sql, make) for sql, make in kinds]
        for expected, (step, entry) in enumerate(merge(*streams, key=itemgetter(0)), start=1):
            if step != expected:
                raise damaged(self._path, f"entry {expected} is missing")
            yield entry

    def _stream(self, sql: str, make: Callable[[_Row], Entry]) -> Iterator[tuple[int, Entry]]:
        for part in self._parts(sql, self._last_step):
            for row in part:
                yield row[0], self._made(make, row)

    def _made(self, make: Callable[[_Row], Entry], row: _Row) -> Entry:
        try:
            return make(row)
        except (ValueError, TypeError, IndexError, AttributeError) as error:
            raise damaged(self._path, f"entry {row[0]} makes no sense: {error}") from error

    def _decision(self, row: _Row) -> Entry:
        _, number, overhead_s, now_s, challengers, note, *budget, at_s = row
        configs = tuple(self.configs[i - 1] for i in json.loads(challengers))
        state = budget_state(*budget)
        decision = Decision(number, float(overhead_s), float(now_s), configs, restored(note), state)
        return Entry(decision, float(at_s))

    def _trial(self, row: _Row) -> Entry:
        return Entry(self.trial(row[1:5]), float(row[5]))

    def trial(self, row: _Row) -> Trial:
        """Build a trial from its id, config, task and cap."""
        number, config, task, cap = row
        if config < 1 or task < 1:
            raise ValueError("a trial needs a config and a task")
        return Trial(number, self.configs[config - 1], float(cap), self.tasks[task - 1])

    def _outcome(self, row: _Row) -> Entry:
        _, trial, status, *numbers, note, at_s = row
        outcome = make_outcome(trial, status, numbers, note)
        return Entry(outcome, float(at_s))

    def _parts(self, sql: str, last: int) -> Iterator[list[_Row]]:
        """Return the rows whose key is at most `last`, part by part."""
        key = 0
        while True:
            part = self._connection.execute(sql, (key, last, _PART)).fetchall()
            if part:
                yield part
                key = part[-1][0]
            if len(part) < _PART:
                return

    def _texts(self) -> Iterator[str]:
        for part in self._parts(_CONFIGS, self._n_configs):
            for _, text in part:
                if not isinstance(text, str):
                    raise damaged(self._path, "a config is not text")
                yield text

    def _all_tasks(self) -> tuple[Task, ...]:
        try:
            parts = self._parts(_TASKS, self._n_tasks)
            return tuple(Task(restored(instance), int(seed)) for part in parts for _, instance, seed in part)
        except (ValueError, TypeError) as error:
            raise damaged(self._path, f"a task makes no sense: {error}") from error

    def _table(self, sql: str, kinds: str) -> list[Any]:
        """Read a table into one array for each column, whose kind is given by a letter."""
        parts: list[list[Any]] = [[_array(kind, ())] for kind in kinds]
        try:
            for rows in self._parts(sql, self._last_step):
                for column, values, kind in zip(parts, zip(*rows, strict=True), kinds, strict=True):
                    column.append(_array(kind, values))
        except (ValueError, TypeError, KeyError, OverflowError) as error:
            raise damaged(self._path, f"a row makes no sense: {error}") from error
        return [np.concatenate(column) for column in parts]

    def _require_all_steps(self, *found: Ints) -> None:
        (decisions,) = self._connection.execute(
            "SELECT count(*) FROM decision WHERE step <= ?", (self._last_step,)
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


def _array(kind: str, values: Any) -> Any:
    if kind == "s":
        return np.array([_STATUS_CODES[value] for value in values], dtype=np.int8)
    if kind == "o":
        return objects([restored(value) for value in values])
    return np.array(values, dtype=np.int64 if kind == "i" else np.float64)


def require_whole(connection: sqlite3.Connection, path: Path) -> None:
    """Let SQLite look through the whole file, and read every row."""
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise damaged(path, str(verdict).splitlines()[-1])
    try:
        for _ in Rows(connection, path).entries():
            pass
    except JournalError as error:
        raise damaged(path, error.problem) from error
