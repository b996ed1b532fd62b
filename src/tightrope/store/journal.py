"""Journal: the writer of a journal, which records every step before it takes effect."""

import shlex
import sqlite3
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal, Self

from tightrope.errors import JournalError
from tightrope.records import Config, Outcome, Trial
from tightrope.store.disk import Disk
from tightrope.store.entry import Decision, Entry
from tightrope.store.failure import SQLITE_ERRORS, journal_error, translated
from tightrope.store.lock import Holder, WriterLock
from tightrope.store.opening import DiskChoice, chosen_disk, connect_to_write, tidy
from tightrope.store.presence import Files, save_beside
from tightrope.store.reader import JournalReader, is_blank, require_file
from tightrope.store.schema import NOTE
from tightrope.store.writing import add, next_step, storable


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
        self._files = Files.of(path)

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
        disk = chosen_disk(path, choice)
        lock = WriterLock(path, is_network=disk.is_network)
        try:
            if description is not None and not is_blank(path):
                raise JournalError(
                    "the file exists already",
                    path=str(path),
                    hint="continue it with Journal.open, or choose another file",
                )
            with translated(path):
                connection = connect_to_write(path, disk, description)
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
                self.require_in_place()
                raise self._explained(error, what) from error
            raise
        self.require_in_place()

    def require_in_place(self) -> None:
        """Raise an error if the file was deleted, moved or replaced; all entries are copied first."""
        if self._files.are_in_place or not self._lock.is_held:
            return
        problem, hint = self._files.problem(), "check the disk and the folder"
        try:
            saved = save_beside(self._connection, self.path)
        except (*SQLITE_ERRORS, OSError) as error:
            problem += f", and its entries could not be saved: {error}"
        else:
            problem += f"; all its entries are in {saved}"
            hint = f"to continue with them:  {shlex.join(['mv', str(saved), str(self.path)])}"
        self.close()
        raise JournalError(problem, path=str(self.path), hint=hint)

    def close(self) -> None:
        """Merge the log into the file, unless another process reads it, and release the lock."""
        if self._lock.is_held:
            try:
                with translated(self.path):
                    if self._files.are_in_place:
                        tidy(self._connection)
                    self._connection.close()
                if not self._files.are_in_place:
                    self._files.remove_log()
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
