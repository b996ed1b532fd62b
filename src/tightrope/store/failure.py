"""What SQLite's errors mean to the user of a journal."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tightrope.errors import JournalError

_BYTE: Final = 0xFF  # extended codes of SQLite hold the primary one in their lowest byte
_SALVAGE: Final = "tightrope.store.salvage(path, into) copies what is readable into a new journal"

# Primary code: what is wrong, what to do.
_MEANINGS: Final[dict[int, tuple[str, str]]] = {
    sqlite3.SQLITE_FULL: (
        "disk full: the last entry was not written, nothing committed is lost",
        "make room, then open it again and go on",
    ),
    sqlite3.SQLITE_IOERR: (
        "the disk refused to be read or written, as if full, over quota or damaged; the last entry was not "
        "written, nothing committed is lost",
        "make room or look after the disk, then open it again and go on",
    ),
    sqlite3.SQLITE_NOTADB: (
        "this is not a journal, or its beginning is damaged",
        f"check the path; if it was a journal, {_SALVAGE}",
    ),
    sqlite3.SQLITE_CORRUPT: ("the file is damaged", _SALVAGE),
    sqlite3.SQLITE_READONLY: (
        "it cannot be written",
        "check the permissions of the file and of its folder; "
        "for reading use `tightrope status`, or JournalReader",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "it cannot be opened",
        "check the permissions of the file, of its -wal and -shm files and of its folder",
    ),
    sqlite3.SQLITE_BUSY: (
        "another program keeps it locked",
        "close what has the file open, such as a database browser or a backup",
    ),
}


# SQLite quotes what it cannot read, and Python may not be able to read the quotation.
SQLITE_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)


def journal_error(path: Path, error: sqlite3.Error | UnicodeDecodeError) -> JournalError:
    """Translate an error of SQLite."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None and "decode" not in str(error):
        # Raised by Python's own layer: closed already, used in another thread.
        return JournalError(f"the journal cannot be used: {error}", path=str(path), hint="open it again")
    # What is not among these are texts that are no text, missing tables and the like: damage.
    known = _MEANINGS.get((code or 0) & _BYTE, (f"the file is damaged ({error})", _SALVAGE))
    return JournalError(known[0], path=str(path), hint=known[1])


def damaged(path: Path, what: str) -> JournalError:
    """Build the error for a file that SQLite can read but that holds what no journal holds."""
    return JournalError(f"the file is damaged: {what}", path=str(path), hint=_SALVAGE)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Let SQLite's errors out as journal errors."""
    try:
        yield
    except SQLITE_ERRORS as error:
        raise journal_error(path, error) from error
