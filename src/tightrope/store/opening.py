"""Opening a journal's file for writing: checked or created, in the journal mode that suits its disk."""

import sqlite3
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final, Literal

from tightrope.errors import JournalError
from tightrope.store.disk import Disk, disk_of
from tightrope.store.reader import connect, require_sound
from tightrope.store.schema import PAGE_BYTES, create_tables, require_journal
from tightrope.store.upgrade import upgrade
from tightrope.store.writing import insert

_LOG_PAGES: Final = 4000  # of the write-ahead log, before they are copied into the file

DiskChoice = Literal["auto", "local", "network"]


def chosen_disk(path: Path, choice: DiskChoice) -> Disk:
    """Return the disk of a file, unless the caller knows better."""
    if choice == "auto":
        return disk_of(path)
    if choice not in ("local", "network"):
        raise ValueError(f"disk must be 'auto', 'local' or 'network', not {choice!r}")
    return Disk(f"{choice}, as given", is_network=choice == "network")


def connect_to_write(
    path: Path, disk: Disk, description: dict[str, str | bytes] | None
) -> sqlite3.Connection:
    """Open a sound journal or, with a description, create one."""
    connection = connect(path, "mode=rw" if description is None else "mode=rwc")
    try:
        if description is None:
            require_journal(connection, path)
            require_sound(connection, path)
        else:
            connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        _set_mode(connection, path, disk)
        if description is None:
            upgrade(connection)
        else:
            _describe(connection, description)
    except BaseException:
        connection.close()
        raise
    return connection


def _set_mode(connection: sqlite3.Connection, path: Path, disk: Disk) -> None:
    wanted = "truncate" if disk.is_network else "wal"
    (mode,) = connection.execute(f"PRAGMA journal_mode = {wanted}").fetchone()
    if mode != wanted:
        raise JournalError(
            f"SQLite cannot keep a {wanted} journal here, only {mode!r}",
            path=str(path),
            hint="pass disk='network', or keep it on another disk",
        )
    connection.execute(f"PRAGMA synchronous = {'FULL' if disk.is_network else 'NORMAL'}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES}")


def _describe(connection: sqlite3.Connection, description: dict[str, str | bytes]) -> None:
    created = datetime.now(UTC).isoformat(timespec="seconds")
    rows = {**description, "version": version("tightrope"), "created": created}
    connection.execute("BEGIN IMMEDIATE")
    create_tables(connection)
    for row in rows.items():
        insert(connection, "meta", row)
    connection.execute("COMMIT")


def tidy(connection: sqlite3.Connection) -> None:
    """Move the log into the file, and set a mode in which the file can be read in a read-only folder."""
    connection.execute("PRAGMA busy_timeout = 0")
    # Fails if another process reads, or the disk is full. The log then holds all entries for the next opener.
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode = DELETE").fetchone()
