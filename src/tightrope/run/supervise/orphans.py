"""Finds the processes of a run whose supervisor was killed, by a mark in their environment or memory."""

import contextlib
import os
import signal
from pathlib import Path

MARK = "TIGHTROPE_RUN"


def kill_orphans(mark: str) -> int:
    """Kill all processes that carry a mark until none is left; return how many there were."""
    killed: set[int] = set()
    while found := set(strays_of(mark)) - killed:
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        killed |= found
    return len(killed)


def memory_name(mark: str) -> str:
    """Return the name of memory whose holders are marked: forks inherit it, but not a changed environment."""
    return f"{MARK}-{mark}"


def strays_of(mark: str) -> list[int]:
    """Return the processes that carry a mark."""
    entry, name = f"{MARK}={mark}".encode(), f"/memfd:{memory_name(mark)} ".encode()
    return [
        int(folder.name)
        for folder in Path("/proc").glob("[0-9]*")
        if entry in _read(folder / "environ").split(b"\0") or name in _read(folder / "maps")
    ]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # it has ended, or belongs to another user
        return b""
