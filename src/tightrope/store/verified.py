"""Rows of one table, read a part at a time, each checked against its checksum.

Each part is a short transaction of its own, so that a reader never holds up the writer for long, on whatever
disk. Since rows are only added, what lies up to a key is the same in all parts.
"""

import sqlite3
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from tightrope.errors import JournalError
from tightrope.store.failure import damaged
from tightrope.store.schema import SUMS, WITHOUT_SUMS, select, version_of

_PART: Final = 2_000  # rows: enough to be fast, few enough to stay in the processor's cache

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Rows of a table in the order of their keys; each ends with its checksum, the arrays do not have it."""

    rows: list[Row]
    arrays: list[Any]  # one for each column


class VerifiedTable:
    """Reads the rows of one table; a `JournalError` names the first that does not match its checksum."""

    def __init__(self, connection: sqlite3.Connection, path: Path, table: str) -> None:
        self._connection, self._path, self._table = connection, path, table
        self._sums = SUMS[table]
        self._has_sums = version_of(connection) > WITHOUT_SUMS
        self._key = self._sums.columns[0].name
        self._select = select(connection, table)

    def parts(self, last: int, *, after: int = 0) -> Iterator[Part]:
        """Return the rows whose key is above `after` and at most `last`, part by part."""
        statement = f"{self._select} WHERE {self._key} > ? AND {self._key} <= ? ORDER BY {self._key} LIMIT ?"
        while True:
            rows = self._connection.execute(statement, (after, last, _PART)).fetchall()
            if rows:
                yield self._verified(rows, after=after)
                after = rows[-1][0]
            if len(rows) < _PART:
                return

    def row(self, key: int) -> Row:
        """Return the row of this key, checked; IndexError if there is none."""
        row = self._connection.execute(f"{self._select} WHERE {self._key} = ?", (key,)).fetchone()
        if row is None:
            raise IndexError(f"{self._table} {key} is missing")
        self._require_sound(row)
        return tuple(row)

    def all_rows(self) -> list[Row]:
        """Return all rows of a small table, each checked; their keys may be texts."""
        rows = self._connection.execute(self._select).fetchall()
        for row in rows:
            self._require_sound(row)
        return rows

    def _verified(self, rows: list[Row], *, after: int) -> Part:
        *columns, stored = zip(*rows, strict=True)
        try:
            arrays = self._sums.arrays(columns)
            is_sound = not self._has_sums or np.array_equal(
                self._sums.of_arrays(arrays), np.array(stored, dtype=np.int64)
            )
            is_ordered = arrays[0][0] > after and bool(np.all(np.diff(arrays[0]) > 0))
        except (ValueError, TypeError, OverflowError):
            is_sound = is_ordered = False
        if not is_sound:
            for row in rows:
                self._require_sound(row)
        if not is_ordered:
            raise damaged(self._path, f"rows of the table {self._table} are out of order")
        return Part(rows, arrays)

    def _require_sound(self, row: Row) -> None:
        try:
            found = self._sums.of(row[:-1])
        except (ValueError, TypeError, OverflowError, struct.error) as error:
            raise self._damaged(row, f"makes no sense: {error}") from error
        if self._has_sums and found != row[-1]:
            raise self._damaged(row, "does not match its checksum")

    def _damaged(self, row: Row, problem: str) -> JournalError:
        return damaged(self._path, f"row {row[0]!r} of the table {self._table} {problem}")
