"""Finds what a target left running: every process that carries a mark in its environment."""

import os
import select
import uuid
from collections.abc import Iterable
from pathlib import Path

MARK = "TIGHTROPE_TEST_MARK"


def new_mark() -> dict[str, str]:
    """Return an environment variable that nobody else has."""
    return {MARK: uuid.uuid4().hex}


def survivors(mark: dict[str, str]) -> list[int]:
    """Return the processes that carry the mark."""
    entry = f"{MARK}={mark[MARK]}".encode()
    return [int(folder.name) for folder in Path("/proc").glob("[0-9]*") if entry in _environment(folder)]


def _environment(folder: Path) -> bytes:
    try:
        return (folder / "environ").read_bytes()
    except OSError:  # it has ended, or is not ours
        return b""


def await_end(pids: Iterable[int]) -> None:
    """Wait for processes that were told to end, or may be about to."""
    for pid in pids:
        try:
            process = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        assert select.select([process], [], [], 60.0)[0] == [process]
        os.close(process)
