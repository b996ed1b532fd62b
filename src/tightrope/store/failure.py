"""SQLite's errors, translated for the user of a journal."""

import shlex
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tightrope.errors import JournalError

_BYTE: Final = 0xFF  # the lowest byte of SQLite's extended code is the primary code
_RESCUE: Final = "`tightrope rescue {path}` sets the damaged rows aside and keeps all others"

# Primary code: problem, hint.
_MEANINGS: Final[dict[int, tuple[str, str]]] = {
    sqlite3.SQLITE_FULL: (
        "disk full: the last entry was not written, nothing committed is lost",
        "make room, then open it again and continue",
    ),
    sqlite3.SQLITE_IOERR: (
        "the disk could not be read or written: it may be full, over quota or damaged; the last entry was "
        "not written, nothing committed is lost",
        "make room or check the disk, then open it again and continue",
    ),
    sqlite3.SQLITE_NOTADB: (
        "this is not a journal, or its beginning is damaged",
        f"check the path; if it was a journal, {_RESCUE}",
    ),
    sqlite3.SQLITE_CORRUPT: ("the file is damaged", _RESCUE),
    sqlite3.SQLITE_READONLY: (
        "the journal cannot be written",
        "check the permissions of the file and of its folder; "
        "for reading use `tightrope status`, or JournalReader",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "the journal cannot be opened",
        "check the permissions of the file, of its -wal and -shm files and of its folder",
    ),
    sqlite3.SQLITE_BUSY: (
        "another program keeps the journal locked",
        "close the program that has the file open, such as a database browser or a backup",
    ),
}


# SQLite's messages quote unreadable data, which Python may fail to decode.
SQLITE_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)


def journal_error(path: Path, error: sqlite3.Error | UnicodeDecodeError) -> JournalError:
    """Translate an error of SQLite."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None and "decode" not in str(error):
        # Raised by Python's sqlite3 module: the connection is closed, or used in another thread.
        return JournalError(f"the journal cannot be used: {error}", path=str(path), hint="open it again")
    # Other errors, such as invalid text or missing tables, mean damage.
    known = _MEANINGS.get((code or 0) & _BYTE, (f"the file is damaged ({error})", _RESCUE))
    return JournalError(known[0], path=str(path), hint=_hint(known[1], path))


def rescue_hint(path: Path | str) -> str:
    """Return how to go on with a damaged journal."""
    return _hint(_RESCUE, path)


def _hint(text: str, path: Path | str) -> str:
    return text.replace("{path}", shlex.quote(str(path)))


def damaged(path: Path, what: str) -> JournalError:
    """Build the error for a file that SQLite can read but whose content is not that of a journal."""
    return JournalError(f"the file is damaged: {what}", path=str(path), hint=rescue_hint(path))


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise SQLite's errors as journal errors."""
    try:
        yield
    except SQLITE_ERRORS as error:
        raise journal_error(path, error) from error
