"""Finds and kills the processes of a run whose supervisor died or is stopped: by descent, and by a mark."""

import contextlib
import os
import signal
import time
from pathlib import Path

MARK = "TIGHTROPE_RUN"
_PASSES, _PAUSE_S = 1000, 0.005


def kill_orphans(mark: str) -> int:
    """Kill all processes with a mark until none is left; return their number."""
    killed: set[int] = set()
    while found := set(marked_processes(mark)) - killed:
        for pid in found:
            _kill(pid)
        killed |= found
    return len(killed)


def kill_tree(pid: int) -> bool:
    """Kill a supervisor's descendants, then itself; return whether any of them had gone on while it stood.

    The descendants come first: without it they would be adopted by others, and no longer be found.
    """
    is_stopped = read_state(pid) in "Tt"
    members = _descendants(pid)
    went_on = is_stopped and any(read_state(member) not in "Tt" for member in members)
    for _ in range(_PASSES):
        for member in members:
            _kill(member)
        members = [member for member in _descendants(pid) if read_state(member) not in "ZX"]
        if not members:
            break
        time.sleep(_PAUSE_S)
    _kill(pid)
    return went_on


def read_state(pid: int) -> str:
    """Return the letter that /proc shows for the state of a process; "X" if it is gone."""
    fields = _stat(pid)
    return fields[0] if fields else "X"


def is_supervisor(pid: int) -> bool:
    """Return whether a process is a supervisor, as far as its name tells."""
    return _read(Path(f"/proc/{pid}/comm")) == b"tightrope-super\n"


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


def _descendants(pid: int) -> list[int]:
    parents = {
        int(name): int(fields[1])
        for name in os.listdir("/proc")
        if name.isdigit() and (fields := _stat(name))
    }
    found = {pid}
    while more := {each for each, parent in parents.items() if parent in found} - found:
        found |= more
    return sorted(found - {pid})


def _stat(pid: int | str) -> list[str]:
    """Return the fields of /proc/PID/stat from the state on; empty if it is gone."""
    text = _read(Path(f"/proc/{pid}/stat")).decode(errors="replace")
    return text.rpartition(")")[2].split()  # the name before may contain anything, even parentheses


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # the process has ended, or belongs to another user
        return b""
