"""Supervised: starts the compiled supervisor of one command and reads its report."""

import contextlib
import os
import subprocess
import sys
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from pathlib import Path

import tightrope.run.supervise
from tightrope.errors import TargetError
from tightrope.run.start_error import StartError, read_start_error
from tightrope.run.supervise.orphans import MARK, kill_orphans
from tightrope.run.supervise.report import Ending, read_ending

_PROGRAM = "tightrope-supervise"
_CHUNK_BYTES = 1 << 16
_LEAST_GUARD_S, _GUARD_FACTOR = 10.0, 3.0


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits at which a command is stopped; `guard_s` limits idle time on the CPU clock."""

    clock: str = "cpu"
    cap_s: float = inf
    guard_s: float = inf
    memory_mb: float = inf
    grace_s: float = 0.05
    keep_kb: int = 32


class Supervised:
    """A supervised command; if this process ends or closes it, the whole process tree is killed.

    Parameters
    ----------
    command : sequence of str
        Program and arguments.
    limits : Limits
        The limits at which it is stopped.
    cwd : str or None
        Working directory.
    env : mapping from str to str
        Environment variables to add to those of this process.
    cores : collection of int
        Processor cores to pin it to.

    Attributes
    ----------
    mark : str
        The value of `TIGHTROPE_RUN` in the environment of all its processes.
    """

    def __init__(
        self,
        command: Sequence[str],
        limits: Limits,
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        cores: Collection[int] = (),
    ) -> None:
        self._report = bytearray()
        self.mark = uuid.uuid4().hex
        arguments = [str(find_supervisor()), *arguments_for(limits, cores), "--", *command]
        try:
            self._process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                cwd=cwd,
                env={**os.environ, **(env or {}), MARK: self.mark},
                start_new_session=True,  # the driver handles Ctrl-C and decides what to stop
            )
        except OSError as error:
            raise read_start_error(error, cwd=cwd) from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._control, self._reports = self._process.stdin, self._process.stdout
        os.set_blocking(self._reports.fileno(), False)

    @property
    def pid(self) -> int:
        """The supervisor's process id."""
        return self._process.pid

    def fileno(self) -> int:
        """Return the descriptor on which the report arrives."""
        return self._reports.fileno()

    def is_over(self) -> bool:
        """Read what has arrived; return whether the report is complete."""
        while (chunk := self._reports.read(_CHUNK_BYTES)) is not None:
            if not chunk:
                return True
            self._report += chunk
        return False

    def ending(self) -> Ending | None:
        """Return the report once it is over; None if the supervisor died without one.

        In that case the processes it left running are killed here, as far as they can be found.
        """
        ending = read_ending(bytes(self._report))
        if ending is None:
            kill_orphans(self.mark)
        return ending

    def cancel(self) -> None:
        """Ask the supervisor to stop the command."""
        with contextlib.suppress(BrokenPipeError):  # it is already over, and its report is on the way
            self._control.write(b"c")

    def close(self) -> None:
        """Release everything; a command that still runs is killed before this returns."""
        self._control.close()
        self._reports.close()
        self._process.wait()


def find_supervisor() -> Path:
    """Return the path of the compiled supervisor."""
    for folder in tightrope.run.supervise.__path__:
        if (program := Path(folder) / _PROGRAM).is_file():
            return program
    if sys.platform != "linux":
        raise TargetError("commands, and functions in worker processes, run only on Linux for now")
    raise StartError(
        f"the program {_PROGRAM} is missing in {Path(tightrope.run.supervise.__file__).parent}",
        hint="reinstall tightrope; was it upgraded meanwhile?",
    )


def guard_for(cap_s: float) -> float:
    """Return the longest idle time of a run with this cap on its CPU time."""
    return max(_LEAST_GUARD_S, _GUARD_FACTOR * cap_s)


def arguments_for(limits: Limits, cores: Collection[int] = ()) -> list[str]:
    """Return the supervisor's command-line arguments."""
    values = {
        "clock": limits.clock,
        "cap": limits.cap_s,
        "guard": limits.guard_s,
        "grace": limits.grace_s,
        "memory": limits.memory_mb * 1e6,
        "keep": limits.keep_kb * 1024,
        "driver": os.getpid(),
        "cores": ",".join(str(core) for core in sorted(cores)),
    }
    return [f"{key}={value}" for key, value in values.items() if _is_set(value)]


def _is_set(value: object) -> bool:
    return value != "" and not (isinstance(value, float) and not isfinite(value))
