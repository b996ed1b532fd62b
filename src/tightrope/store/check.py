"""Checks of a whole file that need no rows: SQLite's own, and the number of rows by table and by index.

A table and its index are on different pages, so damage that hides rows in one of them shows in the numbers.
"""

import sqlite3
from pathlib import Path
from typing import Final

from tightrope.store.failure import damaged

_INDICES: Final = {
    "config": "config_digest",
    **{table: f"sqlite_autoindex_{table}_1" for table in ("meta", "task", "decision", "trial", "outcome")},
}
_COUNTS: Final = "SELECT " + ", ".join(
    f"(SELECT count(*) FROM {table} NOT INDEXED), (SELECT count(*) FROM {table} INDEXED BY {index})"
    for table, index in _INDICES.items()
)


def require_counts(connection: sqlite3.Connection, path: Path) -> None:
    """Raise an error if a table and its index differ in their number of rows."""
    counts = connection.execute(_COUNTS).fetchone()  # one statement sees one state of the file
    for table, n_rows, n_indexed in zip(_INDICES, counts[::2], counts[1::2], strict=True):
        if n_rows != n_indexed:
            raise damaged(path, f"the table {table} has {n_rows} rows, its index {n_indexed}")


def require_sound_pages(connection: sqlite3.Connection, path: Path) -> None:
    """Let SQLite look through all pages of tables and indices; raise an error if it finds damage."""
    (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        raise damaged(path, str(verdict).splitlines()[-1])
