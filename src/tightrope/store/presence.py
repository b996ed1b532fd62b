"""Whether a journal's files are still those that were opened, and a copy of them if they are not.

A file that was deleted, or replaced by another one of its name, still takes what is written, and loses it
when the process ends.
"""

import os
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Self

_Identity = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Files:
    """The files of an open journal, by device and inode."""

    path: Path
    main: _Identity | None
    log: _Identity | None

    @classmethod
    def of(cls, path: Path) -> Self:
        """Note the files as they are now."""
        return cls(path.absolute(), _identity(path), _identity(_log(path)))

    @property
    def are_in_place(self) -> bool:
        """Whether the journal's name still leads to the same file."""
        return _identity(self.path) == self.main

    def problem(self) -> str:
        """Return what happened to the file."""
        what = "replaced by another file" if self.path.exists() else "deleted or moved"
        return f"the journal was {what} while it was being written"

    def remove_log(self) -> None:
        """Delete the log that was left: SQLite would apply it to the file that has the name now."""
        if self.log is not None and _identity(_log(self.path)) == self.log:
            for suffix in ("-wal", "-shm"):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)


def save_beside(connection: sqlite3.Connection, path: Path) -> Path:
    """Copy a journal, read through its open connection, to a free name in the nearest folder that exists."""
    folder = next(folder for folder in path.absolute().parents if folder.is_dir())
    names = (folder / f"{path.name}.saved{n or ''}" for n in count())
    saved = next(name for name in names if not name.exists())
    try:
        with closing(sqlite3.connect(saved, isolation_level=None)) as copy:
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE").fetchone()
    except BaseException:
        with suppress(OSError):
            saved.unlink()
        raise
    return saved


def _identity(path: Path) -> _Identity | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _log(path: Path) -> Path:
    return path.with_name(path.name + "-wal")
