"""Starts the compiled supervisor of one command and takes its report."""

import contextlib
import os
import subprocess
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from pathlib import Path

import tightrope.run.supervise
from tightrope.errors import TargetError
from tightrope.run.supervise.orphans import MARK, kill_orphans
from tightrope.run.supervise.report import Ending, read_ending

_PROGRAM = "tightrope-supervise"
_CHUNK_BYTES = 1 << 16
_LEAST_GUARD_S, _GUARD_FACTOR = 10.0, 3.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What a command may use before it is stopped."""

    clock: str = "cpu"
    cap_s: float = inf
    guard_s: float = inf
    memory_mb: float = inf
    grace_s: float = 0.05
    keep_kb: int = 32


class Supervised:
    """A command under supervision; if this process ends or closes it, the whole command tree is killed.

    Parameters
    ----------
    command : sequence of str
        Program and arguments.
    limits : Limits
        When it is stopped.
    cwd : str or None
        Folder it runs in.
    env : mapping from str to str
        Variables it gets besides those of this process.
    cores : collection of int
        Processor cores it is pinned to.

    Attributes
    ----------
    mark : str
        What all its processes carry in their environment.
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
        words = [str(find_supervisor()), *words_of(limits, cores), "--", *command]
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                cwd=cwd,
                env={**os.environ, **(env or {}), MARK: self.mark},
                start_new_session=True,  # the terminal's Ctrl-C is for the driver, which decides what to stop
            )
        except OSError as error:
            hint = f"the folder {cwd!r} must exist, and arguments and environment must not be huge"
            raise TargetError(f"the supervisor of a run cannot be started: {error}", hint=hint) from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._control, self._reports = self._process.stdin, self._process.stdout
        os.set_blocking(self._reports.fileno(), False)

    @property
    def pid(self) -> int:
        """The supervisor's process number."""
        return self._process.pid

    def fileno(self) -> int:
        """Return the descriptor on which the report arrives."""
        return self._reports.fileno()

    def is_over(self) -> bool:
        """Take in what has arrived; whether the supervisor is done."""
        while (chunk := self._reports.read(_CHUNK_BYTES)) is not None:
            if not chunk:
                return True
            self._report += chunk
        return False

    def ending(self) -> Ending | None:
        """Return what was reported once it is over; None if the supervisor died without a report.

        Whatever such a supervisor left running is then killed here, as far as it can be found.
        """
        ending = read_ending(bytes(self._report))
        if ending is None:
            kill_orphans(self.mark)
        return ending

    def cancel(self) -> None:
        """Ask the supervisor to stop the command."""
        with contextlib.suppress(BrokenPipeError):  # it is over already, and its report is on the way
            self._control.write(b"c")

    def close(self) -> None:
        """Let go; a command that still runs is killed before this returns."""
        self._control.close()
        self._reports.close()
        self._process.wait()


def find_supervisor() -> Path:
    """Return the path of the compiled supervisor."""
    for folder in tightrope.run.supervise.__path__:
        if (program := Path(folder) / _PROGRAM).is_file():
            return program
    raise TargetError(
        f"the program {_PROGRAM} is not installed beside {Path(tightrope.run.supervise.__file__).parent}",
        hint="commands, and functions in worker processes, can be run on Linux only for now; there, install "
        "tightrope again",
    )


def guard_of(cap_s: float) -> float:
    """Return how long a run may be idle whose CPU time is capped."""
    return max(_LEAST_GUARD_S, _GUARD_FACTOR * cap_s)


def words_of(limits: Limits, cores: Collection[int] = ()) -> list[str]:
    """Return what the supervisor is told on its command line."""
    words = {
        "clock": limits.clock,
        "cap": limits.cap_s,
        "guard": limits.guard_s,
        "grace": limits.grace_s,
        "memory": limits.memory_mb * 1e6,
        "keep": limits.keep_kb * 1024,
        "driver": os.getpid(),
        "cores": ",".join(str(core) for core in sorted(cores)),
    }
    return [f"{key}={value}" for key, value in words.items() if _is_set(value)]


def _is_set(value: object) -> bool:
    return value != "" and not (isinstance(value, float) and not isfinite(value))
