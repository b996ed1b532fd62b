"""JournalReader: read access to a journal, also while another process writes it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from urllib.parse import quote

from tightrope.errors import JournalError
from tightrope.records import Trial
from tightrope.store.check import require_sound_pages
from tightrope.store.entry import Decision, Entry, Meta
from tightrope.store.failure import damaged, translated
from tightrope.store.history import History
from tightrope.store.lock import Holder, holder_of
from tightrope.store.reading import Rows
from tightrope.store.schema import NOTE, require_journal
from tightrope.store.stream import Began, Ended, stream
from tightrope.store.verified import VerifiedTable
from tightrope.store.writing import next_step, restored

_TIMEOUT_S: Final = 60.0  # of waiting for another process to unlock a rollback journal


class JournalReader:
    """Reads a journal, never changes it, and does not disturb the writer.

    Each method sees what was committed when it was called.

    Parameters
    ----------
    path : str or Path
        The journal's file.

    Examples
    --------
    >>> import tempfile
    >>> from tightrope.store import Journal
    >>> folder = tempfile.TemporaryDirectory()
    >>> journal = Journal.create(folder.name + "/run.journal")
    >>> with JournalReader(folder.name + "/run.journal") as reader:
    ...     len(reader.history())
    0
    >>> journal.close()
    >>> folder.cleanup()
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        require_file(self.path)
        self._connection = _connect_to_read(self.path)
        try:
            require_journal(self._connection, self.path)
        except JournalError:
            self._connection.close()
            raise

    @property
    def meta(self) -> Meta:
        """Description of the journal, given at its creation."""
        with translated(self.path):
            rows = VerifiedTable(self._connection, self.path, "meta").all_rows()
        described = {name: value for name, value, _ in rows}
        try:
            notes = {
                name.removeprefix(NOTE): restored(text)
                for name, text in described.items()
                if name.startswith(NOTE)
            }
            scenario, seed = restored(described["scenario"]), int(described["seed"])
            return Meta(scenario, seed, described["version"], described["created"], notes)
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise damaged(self.path, f"its description is invalid: {error}") from error

    @property
    def writer(self) -> Holder | None:
        """The process that writes the journal now; it may be on another machine, and may have died there."""
        holder = holder_of(self.path)
        return holder if holder is not None and holder.is_alive else None

    @property
    def n_entries(self) -> int:
        """How many entries were written so far."""
        with translated(self.path):
            return next_step(self._connection) - 1

    def history(self) -> History:
        """Return all runs."""
        with translated(self.path):
            return History.of(Rows(self._connection, self.path).columns())

    def stream(self) -> Iterator[Began | Ended]:
        """Yield the start and the end of every run in order, in little memory."""
        with translated(self.path):
            yield from stream(self._connection, self.path)

    def entries(self) -> Iterator[Entry]:
        """Return decisions, trials and outcomes in the order in which they were written, for replay."""
        with translated(self.path):
            yield from Rows(self._connection, self.path).entries()

    def decisions(self) -> list[Decision]:
        """Return all decisions."""
        return [entry.what for entry in self.entries() if isinstance(entry.what, Decision)]

    def pending(self) -> list[Trial]:
        """Return the trials that were started and have no outcome: running, or cut off by a crash."""
        with translated(self.path):
            return Rows(self._connection, self.path).pending()

    def check(self) -> None:
        """Read the whole file and raise a `JournalError` if it is damaged."""
        with translated(self.path):
            require_sound(self._connection, self.path)

    def close(self) -> None:
        """Close the file; a second call has no effect."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def require_file(path: Path) -> None:
    """Raise an error unless the path is an existing file."""
    if path.is_dir():
        raise JournalError(
            "this is a folder", path=str(path), hint=f"name a file, such as {path / 'run.journal'}"
        )
    if not path.exists():
        raise JournalError("there is no such file", path=str(path), hint="check the path")


def is_blank(path: Path) -> bool:
    """Whether a new journal may be created here: there is no file, or only the remains of an early crash.

    These are an empty file or, since the mode is set before the tables are created, an empty database.
    """
    if not path.exists() or (path.is_file() and path.stat().st_size == 0):
        return True
    try:
        with closing(_connect_to_read(path)) as connection, translated(path):
            (n_tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except JournalError:
        return False  # opening the file will raise the reason
    return bool(n_tables == 0)


def require_sound(connection: sqlite3.Connection, path: Path) -> None:
    """Check all pages and all rows of a journal, and raise an error if any is damaged."""
    require_sound_pages(connection, path)
    VerifiedTable(connection, path, "meta").all_rows()
    Rows(connection, path).require_sound()


def connect(path: Path, parameters: str) -> sqlite3.Connection:
    """Open a file with SQLite and these URI parameters."""
    uri = f"file:{quote(str(path.absolute()), errors='surrogateescape')}?{parameters}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_TIMEOUT_S)
    try:
        # Never execute code from the schema of a damaged or foreign file.
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def _connect_to_read(path: Path) -> sqlite3.Connection:
    """Open a file for reading; read-only, unless SQLite must roll back an interrupted commit first.

    Such a commit, cut short by a crash, has to be undone before the file can be read. SQLite does that under
    its own locks.
    """
    with translated(path):
        try:
            return _readable(connect(path, "mode=ro"))
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorname", "") != "SQLITE_READONLY_ROLLBACK":
                raise
            return _readable(connect(path, "mode=rw"))


def _readable(connection: sqlite3.Connection) -> sqlite3.Connection:
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        connection.execute("PRAGMA query_only = ON")
    except BaseException:
        connection.close()
        raise
    return connection
