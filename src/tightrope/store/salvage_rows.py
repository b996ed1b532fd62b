"""The readable rows of a journal in which any page may be damaged."""

import json
import re
import sqlite3
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final, Self, TypeVar

from tightrope.errors import JournalError
from tightrope.records import Config, Outcome, Task, Trial
from tightrope.store.codec import decode
from tightrope.store.entry import Decision, Entry
from tightrope.store.failure import SQLITE_ERRORS
from tightrope.store.reading import make_outcome
from tightrope.store.schema import NOTE, SUMS, select
from tightrope.store.writing import budget_state, restored

_ROW_BYTES: Final = 24  # smallest size of a row with its index entry: the file's size limits the rows
_MOST_FAILURES: Final = 1_000_000  # failed reads before the rest of a table is given up
_INVALID: Final = (
    ValueError, TypeError, AttributeError, IndexError, OverflowError, JournalError, struct.error,
)  # fmt: skip

_Row = tuple[Any, ...]
_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class ReadableRows:
    """The readable content of a journal, entries by step, and the rows that are not what was written."""

    scenario: str | None = None
    seed: int | None = None
    notes: dict[str, str] = field(default_factory=dict)
    entries: dict[int, Entry] = field(default_factory=dict)
    damaged: tuple[str, ...] = ()

    @classmethod
    def read(cls, connection: sqlite3.Connection, *, n_bytes: int) -> Self:
        """Read all readable rows of a file of this size, log included; one of SQLITE_ERRORS if none is."""
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        tables = _Tables(connection, max(n_bytes // _ROW_BYTES, 1), _has_sums(connection))
        meta = dict(tables.read("meta", _pair).values())
        configs = tables.read("config", lambda row: decode(row[2]))
        tasks = tables.read("task", _task)
        entries: dict[int, Entry] = {}
        for table, make in (("decision", _decision), ("trial", _trial), ("outcome", _outcome)):
            entries.update(tables.read(table, _Maker(make, configs, tasks)))
        seed = meta.get("seed", "")
        return cls(
            scenario=meta.get("scenario"),
            seed=int(seed) if re.fullmatch("-?[0-9]{1,1000}", seed) else None,
            notes={name.removeprefix(NOTE): text for name, text in meta.items() if name.startswith(NOTE)},
            entries=entries,
            damaged=tuple(tables.damaged),
        )


@dataclass(frozen=True, slots=True)
class _Maker:
    make: Callable[[_Row, dict[int, Config], dict[int, Task]], Any]
    configs: dict[int, Config]
    tasks: dict[int, Task]

    def __call__(self, row: _Row) -> Entry:
        return Entry(self.make(row[1:-1], self.configs, self.tasks), float(row[-1]))


@dataclass(frozen=True, slots=True)
class _Tables:
    """Reads the rows of tables that make sense, and notes the others."""

    connection: sqlite3.Connection
    last: int  # the largest number of rows that the file can hold
    has_sums: bool
    damaged: list[str] = field(default_factory=list)

    def read(self, table: str, make: Callable[[_Row], _Made]) -> dict[int, _Made]:
        """Convert each readable row; `make` gets its columns, without the checksum."""
        made: dict[int, _Made] = {}
        reading = select(self.connection, table).replace("SELECT ", "SELECT rowid, ", 1)
        keys = (1, self._last_key(table))
        for rowid, *row, stored in _readable(
            self.connection, f"{reading} WHERE rowid BETWEEN ? AND ? ORDER BY rowid", keys, count()
        ):
            try:
                if self.has_sums and stored != SUMS[table].of(row):
                    raise ValueError("it does not match its checksum")
                made[int(rowid)] = make(tuple(row))
            except KeyError:
                self.damaged.append(f"row {rowid} of the table {table}: it refers to a lost row")
            except _INVALID as error:
                self.damaged.append(f"row {rowid} of the table {table}: {error}")
        return made

    def _last_key(self, table: str) -> int:
        """Return a table's largest key, if the end of the table can be read."""
        try:
            (last,) = self.connection.execute(f"SELECT max(rowid) FROM {table} NOT INDEXED").fetchone()
        except SQLITE_ERRORS:
            return self.last
        return min(last, self.last) if isinstance(last, int) and last > 0 else self.last


def _has_sums(connection: sqlite3.Connection) -> bool:
    """Whether rows have checksums, which the first page does not tell if it had to be replaced."""
    for table in SUMS:
        reading = f"SELECT 1 FROM ({select(connection, table)}) WHERE sum IS NOT NULL LIMIT 1"
        with suppress(*SQLITE_ERRORS):
            if connection.execute(reading).fetchone() is not None:
                return True
    return False


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
    return restored(row[0]), restored(row[1])


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
