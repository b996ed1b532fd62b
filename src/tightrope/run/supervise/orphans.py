"""Finds and kills the processes of a run whose supervisor died, by a mark in environment or memory."""

import contextlib
import os
import signal
from pathlib import Path

MARK = "TIGHTROPE_RUN"


def kill_orphans(mark: str) -> int:
    """Kill all processes with a mark until none is left; return their number."""
    killed: set[int] = set()
    while found := set(marked_processes(mark)) - killed:
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        killed |= found
    return len(killed)


def memory_name(mark: str) -> str:
    """Return the name of the memory file that marks a process; forks inherit it, but not `os.environ`."""
    return f"{MARK}-{mark}"


def marked_processes(mark: str) -> list[int]:
    """Return the ids of the processes with a mark."""
    entry, name = f"{MARK}={mark}".encode(), f"/memfd:{memory_name(mark)} ".encode()
    return [
        int(folder.name)
        for folder in Path("/proc").glob("[0-9]*")
        if entry in _read(folder / "environ").split(b"\0") or name in _read(folder / "maps")
    ]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # the process has ended, or belongs to another user
        return b""
