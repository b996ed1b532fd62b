"""Journal: the writer of a journal, which records every step before it takes effect."""

import sqlite3
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final, Literal, Self

from tightrope.errors import JournalError
from tightrope.records import Config, Outcome, Trial
from tightrope.store.disk import Disk, disk_of
from tightrope.store.entry import Decision, Entry
from tightrope.store.failure import SQLITE_ERRORS, journal_error, translated
from tightrope.store.lock import Holder, WriterLock
from tightrope.store.reader import JournalReader, connect, is_blank, require_file, require_sound
from tightrope.store.schema import NOTE, PAGE_BYTES, create_tables, require_journal
from tightrope.store.upgrade import upgrade
from tightrope.store.writing import add, insert, next_step, storable

_LOG_PAGES: Final = 4000  # of the write-ahead log, before they are copied into the file

DiskChoice = Literal["auto", "local", "network"]


class Journal(JournalReader):
    """An append-only record of one tuning run in a file, with a single writer.

    Make one with `Journal.create` or `Journal.open`, and close it, preferably by `with`. When a method
    returns, its entry survives the death of the process. After a power failure the last entries may be
    missing on a local disk, but there are never gaps before them.

    Attributes
    ----------
    path : Path
        The file.
    disk : Disk
        The disk of the file. On a local disk SQLite keeps a write-ahead log. On a network disk, where that is
        not safe, it keeps a rollback journal, which is slower.
    mode : {"wal", "rollback"}
        Which of the two is used.
    left_by : Holder or None
        The previous writer, if it ended without closing the journal.

    Examples
    --------
    >>> import tempfile
    >>> from tightrope.records import Config, Outcome, Status, Trial
    >>> folder = tempfile.TemporaryDirectory()
    >>> with Journal.create(folder.name + "/run.journal", seed=1) as journal:
    ...     journal.start(Trial(0, Config({"x": 0.5}), cap=2.0))
    ...     journal.start(Trial(1, Config({"x": 0.7}), cap=2.0))
    ...     journal.finish(Outcome(0, Status.CAPPED, cost=2.0, spent=2.0))
    ...     len(journal.history()), [trial.id for trial in journal.pending()]
    (1, [1])
    >>> folder.cleanup()
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, *, lock: WriterLock, disk: Disk) -> None:
        self.path = path
        self.disk = disk
        self.mode: Literal["wal", "rollback"] = "rollback" if disk.is_network else "wal"
        self.left_by: Holder | None = lock.left_by
        self._lock = lock
        self._connection = connection

    @classmethod
    def create(
        cls,
        path: str | Path,
        *,
        scenario: str = "",
        seed: int = 0,
        notes: Mapping[str, str] | None = None,
        disk: DiskChoice = "auto",
    ) -> Self:
        """Start a new journal and become its writer.

        Parameters
        ----------
        path : str or Path
            A file that does not exist, or that is empty, as a crash at the very beginning leaves it.
        scenario : str
            The scenario as text; stored in `meta`.
        seed : int
            Stored in `meta`.
        notes : mapping from str to str, or None
            Further texts by name; stored in `meta`.
        disk : {"auto", "local", "network"}
            The kind of disk, if the table of mounts is wrong about it.
        """
        path = Path(path)
        if path.is_dir():
            require_file(path)
        if not path.parent.is_dir():
            hint = "create the folder first"
            raise JournalError(f"the folder {path.parent} does not exist", path=str(path), hint=hint)
        further = {f"{NOTE}{name}": storable(text) for name, text in (notes or {}).items()}
        described = {"scenario": storable(scenario), "seed": str(int(seed)), **further}
        return cls._locked(path, disk, description=described)

    @classmethod
    def open(cls, path: str | Path, *, disk: DiskChoice = "auto") -> Self:
        """Continue a journal and become its writer; see `create` for `disk`."""
        path = Path(path)
        require_file(path)
        return cls._locked(path, disk, description=None)

    @classmethod
    def _locked(cls, path: Path, choice: DiskChoice, *, description: dict[str, str | bytes] | None) -> Self:
        disk = _chosen(path, choice)
        lock = WriterLock(path, is_network=disk.is_network)
        try:
            if description is not None and not is_blank(path):
                raise JournalError(
                    "the file exists already",
                    path=str(path),
                    hint="continue it with Journal.open, or choose another file",
                )
            with translated(path):
                connection = _connect_to_write(path, disk, description)
            return cls(path, connection, lock=lock, disk=disk)
        except BaseException:
            lock.release()
            raise

    def start(self, trial: Trial) -> None:
        """Record that a trial is about to start; call this before starting it."""
        self.record((trial,))

    def finish(self, outcome: Outcome) -> None:
        """Record the outcome of a trial; call this before the engine observes it."""
        self.record((outcome,))

    def decide(
        self,
        number: int,
        *,
        overhead_s: float,
        now_s: float = 0.0,
        challengers: Iterable[Config] = (),
        note: str = "",
    ) -> None:
        """Record a decision; call this before acting on it.

        Parameters
        ----------
        number : int
            Number of the decision within the run.
        overhead_s : float
            How long it took.
        now_s : float
            The executor's clock at the time of the decision.
        challengers : iterable of Config
            The configs that it selected.
        note : str
            Any further text.
        """
        self.record((Decision(number, overhead_s, now_s, tuple(challengers), note),))

    def record(self, steps: Iterable[Decision | Trial | Outcome]) -> None:
        """Record several steps as of now, all in one commit."""
        at_s = time.time()
        self.extend(Entry(step, at_s) for step in steps)

    def extend(self, entries: Iterable[Entry]) -> None:
        """Append entries, for instance another journal's, all in one commit."""
        self._require_held()
        connection = self._connection
        what: Decision | Trial | Outcome | None = None
        try:
            connection.execute("BEGIN IMMEDIATE")
            for step, entry in enumerate(entries, start=next_step(connection)):
                what = entry.what
                add(what, connection, step, entry.at_s)
            connection.execute("COMMIT")
        except BaseException as error:
            with suppress(sqlite3.Error):  # after a disk error SQLite has rolled back already
                connection.rollback()
            if isinstance(error, (*SQLITE_ERRORS, OverflowError)):
                raise self._explained(error, what) from error
            raise

    def close(self) -> None:
        """Merge the log into the file, unless another process reads it, and release the lock."""
        if self._lock.is_held:
            try:
                with translated(self.path):
                    _tidy(self._connection)
                    self._connection.close()
            finally:
                self._lock.release()

    def _require_held(self) -> None:
        if not self._lock.is_held:
            raise JournalError(
                "the journal is closed, or was opened by the parent process",
                path=str(self.path),
                hint="open it in the process that writes",
            )

    def _explained(
        self,
        error: sqlite3.Error | UnicodeDecodeError | OverflowError,
        what: Decision | Trial | Outcome | None,
    ) -> JournalError:
        if isinstance(error, OverflowError):
            problem, hint = f"{what} holds an integer of more than 64 bits", "use smaller numbers"
        elif isinstance(error, sqlite3.IntegrityError) and what is not None:
            problem = _broken_rule(what, is_unknown=error.sqlite_errorname.endswith("FOREIGNKEY"))
            hint = "write each entry once, and a trial before its outcome"
        else:
            return journal_error(self.path, error)
        return JournalError(problem, path=str(self.path), hint=hint)


def _broken_rule(what: Decision | Trial | Outcome, *, is_unknown: bool) -> str:
    if isinstance(what, Trial):
        return f"trial {what.id} has been started already"
    if isinstance(what, Decision):
        return f"decision {what.number} has been written already"
    return f"trial {what.trial_id} has {'never been started' if is_unknown else 'an outcome already'}"


def _chosen(path: Path, choice: DiskChoice) -> Disk:
    if choice == "auto":
        return disk_of(path)
    if choice not in ("local", "network"):
        raise ValueError(f"disk must be 'auto', 'local' or 'network', not {choice!r}")
    return Disk(f"{choice}, as given", is_network=choice == "network")


def _connect_to_write(
    path: Path, disk: Disk, description: dict[str, str | bytes] | None
) -> sqlite3.Connection:
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


def _tidy(connection: sqlite3.Connection) -> None:
    """Move the log into the file, and set a mode in which the file can be read in a read-only folder."""
    connection.execute("PRAGMA busy_timeout = 0")
    # Fails if another process reads, or the disk is full. The log then holds all entries for the next opener.
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode = DELETE").fetchone()
