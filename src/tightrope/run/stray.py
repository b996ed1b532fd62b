"""Finds the processes of a run whose supervisor was killed, by a mark in their environment."""

import contextlib
import os
import signal
from pathlib import Path

MARK = "TIGHTROPE_RUN"


def kill_strays(mark: str) -> int:
    """Kill all processes that carry a mark until none is left; return how many there were."""
    killed: set[int] = set()
    while strays := set(_strays(f"{MARK}={mark}".encode())) - killed:
        for pid in strays:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        killed |= strays
    return len(killed)


def _strays(entry: bytes) -> list[int]:
    folders = Path("/proc").glob("[0-9]*")
    return [int(folder.name) for folder in folders if entry in _environment(folder).split(b"\0")]


def _environment(folder: Path) -> bytes:
    try:
        return (folder / "environ").read_bytes()
    except OSError:  # it has ended, or belongs to another user
        return b""
