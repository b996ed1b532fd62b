"""Bringing a journal of an older version to the present schema, before its first new entry."""

import sqlite3
from typing import Final

from tightrope.store.checksum import RowSum
from tightrope.store.schema import (
    BUDGET_COLUMNS,
    MEASURE_DEFAULTS,
    SUMS,
    VERSION,
    VIEW,
    WITHOUT_SUMS,
    columns_of,
    select,
    version_of,
)

_PART: Final = 2_000  # rows that get their checksums at once


def upgrade(connection: sqlite3.Connection) -> None:
    """Add what a file of an older version lacks, all or nothing: columns, and checksums of its rows.

    Check such a file first: whatever its rows hold counts as sound from then on.
    """
    known, decided = columns_of(connection, "outcome"), columns_of(connection, "decision")
    missing = [
        f"outcome ADD COLUMN {name} REAL DEFAULT {default!r}"
        for name, default in sorted(MEASURE_DEFAULTS.items())
        if name not in known
    ]
    missing += [f"decision ADD COLUMN {name} REAL" for name in BUDGET_COLUMNS if name not in decided]
    has_sums = version_of(connection) > WITHOUT_SUMS
    if has_sums and not missing:
        return
    if not has_sums:
        missing += [f"{table} ADD COLUMN sum INTEGER NOT NULL DEFAULT 0" for table in SUMS]
    connection.execute("BEGIN IMMEDIATE")
    for column in missing:
        connection.execute(f"ALTER TABLE {column}")
    if not has_sums:
        for sums in SUMS.values():
            _add_sums(connection, sums)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("DROP VIEW IF EXISTS run")
    connection.execute(VIEW)
    connection.execute("COMMIT")


def _add_sums(connection: sqlite3.Connection, sums: RowSum) -> None:
    """Compute the checksum of every row of a table."""
    statement = select(connection, sums.table).replace("SELECT ", "SELECT rowid, ", 1)
    statement += " WHERE rowid > ? ORDER BY rowid LIMIT ?"
    last = 0
    while part := connection.execute(statement, (last, _PART)).fetchall():
        rowids, *columns, _ = zip(*part, strict=True)
        found = sums.of_arrays(sums.arrays(columns)).tolist()
        connection.executemany(
            f"UPDATE {sums.table} SET sum = ? WHERE rowid = ?", zip(found, rowids, strict=True)
        )
        last = rowids[-1]
