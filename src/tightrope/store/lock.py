"""The writer's lock: a file that names its holder, and that the kernel unlocks when the holder dies."""

import json
import os
import socket
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from weakref import WeakSet

from tightrope.errors import JournalError

if sys.platform != "win32":
    import fcntl

_MOST_BYTES = 4096  # of a holder's description


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that writes, or wrote, a journal."""

    pid: int
    host: str
    since: str

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host} since {self.since}"

    @property
    def is_here(self) -> bool:
        """Whether the process runs, or ran, on this machine."""
        return self.host == socket.gethostname()

    @property
    def is_alive(self) -> bool:
        """Whether a process with this number runs on this machine; True if that is unknown."""
        if not self.is_here or sys.platform == "win32":  # on Windows signal 0 is not harmless
            return True
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True


def lock_path(journal: Path) -> Path:
    """Return the path of a journal's lock file."""
    return journal.with_name(journal.name + ".lock")


def holder_of(journal: Path) -> Holder | None:
    """Return the process that holds a journal's lock, or ended without releasing it."""
    try:
        text = lock_path(journal).read_bytes()[:_MOST_BYTES]
    except FileNotFoundError:
        return None
    return _holder(text)


class WriterLock:
    """The right to write one journal; it ends with `release`, or with the process.

    Attributes
    ----------
    left_by : Holder or None
        A process that held the lock before and ended without releasing it.
    """

    def __init__(self, journal: Path, *, is_network: bool) -> None:
        self._journal = journal
        self._path = lock_path(journal)
        self._fd = self._open()
        try:
            self._seize()
            self.left_by = _holder(os.pread(self._fd, _MOST_BYTES, 0))
            if is_network and self.left_by is not None and not self.left_by.is_here:
                raise self._abandoned(self.left_by)
            self._sign()
        except BaseException:
            os.close(self._fd)
            raise
        _held.add(self)

    @property
    def is_held(self) -> bool:
        """Whether this process may write: not after `release`, and not in a forked child."""
        return self._fd >= 0

    def release(self) -> None:
        """Release the lock; a second call has no effect."""
        if self._fd < 0:
            return
        with suppress(OSError):  # on a broken disk the name stays; the lock does not
            os.ftruncate(self._fd, 0)
        self.forget()

    def forget(self) -> None:
        """Close the file without releasing the lock, as a forked child does with its copy."""
        os.close(self._fd)
        self._fd = -1
        _held.discard(self)

    def _open(self) -> int:
        if sys.platform == "win32":
            raise JournalError(
                "journals cannot be written on Windows yet",
                path=str(self._journal),
                hint="use Linux or macOS",
            )
        try:
            return os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise JournalError(
                f"the lock file {self._path.name} cannot be written: {error.strerror}",
                path=str(self._journal),
                hint="choose a writable folder; for reading use `tightrope status`, or JournalReader",
            ) from error

    def _seize(self) -> None:
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise self._busy(_holder(os.pread(self._fd, _MOST_BYTES, 0))) from None
        except OSError as error:
            raise JournalError(
                f"this disk cannot lock files: {error.strerror}",
                path=str(self._journal),
                hint="keep the journal on another disk",
            ) from error

    def _sign(self) -> None:
        since = datetime.now(UTC).isoformat(timespec="seconds")
        holder = Holder(os.getpid(), socket.gethostname(), since)
        try:
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, json.dumps(asdict(holder)).encode(), 0)
        except OSError as error:
            raise JournalError(
                f"the lock file {self._path.name} cannot be written: {error.strerror}",
                path=str(self._journal),
                hint="make room on the disk",
            ) from error

    def _busy(self, holder: Holder | None) -> JournalError:
        return JournalError(
            f"it is being written by {holder or 'another process'}",
            path=str(self._journal),
            hint="wait for that process or stop it; to read meanwhile, use JournalReader",
        )

    def _abandoned(self, holder: Holder) -> JournalError:
        return JournalError(
            f"{holder} did not close it and may still write; this cannot be checked from another machine",
            path=str(self._journal),
            hint=f"continue on that machine; or, if the process has ended, delete {self._path}",
        )


def _holder(text: bytes) -> Holder | None:
    try:
        written = json.loads(text)
        return Holder(int(written["pid"]), str(written["host"]), str(written["since"]))
    except (ValueError, KeyError, TypeError):
        return None


_held: WeakSet[WriterLock] = WeakSet()


def _forget_all() -> None:
    for lock in list(_held):
        lock.forget()


# A forked child would otherwise keep the lock of a parent that was killed.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
