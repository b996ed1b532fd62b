"""The readable rows of a journal in which any page may be damaged."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final, Self, TypeVar

from tightrope.errors import JournalError
from tightrope.records import Config, Outcome, Task, Trial
from tightrope.store.codec import decode
from tightrope.store.entry import Decision, Entry
from tightrope.store.failure import SQLITE_ERRORS
from tightrope.store.reading import make_outcome
from tightrope.store.schema import NOTE, select_decisions, select_outcomes
from tightrope.store.writing import budget_state, restored

_ROW_BYTES: Final = 24  # smallest size of a row with its index entry: the file's size limits the rows
_MOST_FAILURES: Final = 1_000_000  # failed reads before the rest of a table is given up
_INVALID: Final = (ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError, JournalError)

_Row = tuple[Any, ...]
_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class ReadableRows:
    """The readable content of a journal; entries by step."""

    scenario: str = ""
    seed: int = 0
    notes: dict[str, str] = field(default_factory=dict)
    entries: dict[int, Entry] = field(default_factory=dict)

    @classmethod
    def read(cls, connection: sqlite3.Connection, *, n_bytes: int) -> Self:
        """Read all readable rows of a file of this size, log included; one of SQLITE_ERRORS if none is."""
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        last = max(n_bytes // _ROW_BYTES, 1)
        description = _table(connection, "SELECT rowid, name, value FROM meta", last, _pair)
        meta = dict(description.values())
        configs = _table(connection, "SELECT id, value FROM config", last, lambda row: decode(row[1]))
        tasks = _table(connection, "SELECT id, instance, seed FROM task", last, _task)
        entries: dict[int, Entry] = {}
        for statement, make in (
            (select_decisions(connection), _decision),
            ("SELECT step, id, config, task, cap, at_s FROM trial", _trial),
            (select_outcomes(connection), _outcome),
        ):
            made = _Maker(make, configs, tasks)
            entries.update(_table(connection, statement, last, made))
        return cls(
            scenario=meta.get("scenario", ""),
            seed=int(seed) if re.fullmatch("-?[0-9]{1,1000}", seed := meta.get("seed", "")) else 0,
            notes={name.removeprefix(NOTE): text for name, text in meta.items() if name.startswith(NOTE)},
            entries=entries,
        )


@dataclass(frozen=True, slots=True)
class _Maker:
    make: Callable[[_Row, dict[int, Config], dict[int, Task]], Any]
    configs: dict[int, Config]
    tasks: dict[int, Task]

    def __call__(self, row: _Row) -> Entry:
        return Entry(self.make(row[1:-1], self.configs, self.tasks), float(row[-1]))


def _table(
    connection: sqlite3.Connection, select: str, last: int, make: Callable[[_Row], _Made]
) -> dict[int, _Made]:
    """Convert each readable row; the first column is the table's key."""
    key = select.split()[1].rstrip(",")
    statement = f"{select} NOT INDEXED WHERE {key} BETWEEN ? AND ? ORDER BY {key}"
    made: dict[int, _Made] = {}
    keys = (1, _last_key(connection, select, default=last))
    for row in _readable(connection, statement, keys, count()):
        try:
            made[int(row[0])] = make(row)
        except _INVALID:
            continue
    return made


def _last_key(connection: sqlite3.Connection, select: str, *, default: int) -> int:
    """Return a table's largest key, if the end of the table can be read."""
    key, table = select.split()[1].rstrip(","), select.split()[-1]
    try:
        (last,) = connection.execute(f"SELECT max({key}) FROM {table} NOT INDEXED").fetchone()
    except SQLITE_ERRORS:
        return default
    return min(last, default) if isinstance(last, int) and last > 0 else default


def _readable(
    connection: sqlite3.Connection, statement: str, keys: tuple[int, int], failures: "count[int]"
) -> Iterator[_Row]:
    """Return the rows in a range of keys; halve the range to skip damaged pages."""
    first, last = keys
    try:
        yield from connection.execute(statement, keys).fetchall()
    except SQLITE_ERRORS as error:
        is_missing = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR
        if is_missing or first == last or next(failures) > _MOST_FAILURES:
            return
        middle = (first + last) // 2
        yield from _readable(connection, statement, (first, middle), failures)
        yield from _readable(connection, statement, (middle + 1, last), failures)


def _pair(row: _Row) -> tuple[str, str]:
    return restored(row[1]), restored(row[2])


def _task(row: _Row) -> Task:
    return Task(restored(row[1]), int(row[2]))


def _decision(row: _Row, configs: dict[int, Config], tasks: dict[int, Task]) -> Decision:
    number, overhead_s, now_s, challengers, note, *budget = row
    chosen = tuple(configs[i] for i in json.loads(challengers))
    state = budget_state(*budget)
    return Decision(int(number), float(overhead_s), float(now_s), chosen, restored(note), state)


def _trial(row: _Row, configs: dict[int, Config], tasks: dict[int, Task]) -> Trial:
    number, config, task, cap = row
    return Trial(int(number), configs[config], float(cap), tasks[task])


def _outcome(row: _Row, configs: dict[int, Config], tasks: dict[int, Task]) -> Outcome:
    trial, status, *numbers, note = row
    return make_outcome(int(trial), status, numbers, note)
