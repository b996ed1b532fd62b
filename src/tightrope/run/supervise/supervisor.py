"""Supervised: starts the compiled supervisor of one command and reads its report."""

import contextlib
import os
import select
import subprocess
import sys
import time
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from pathlib import Path

import tightrope.run.supervise
from tightrope.errors import TargetError
from tightrope.run.start_error import StartError, read_start_error
from tightrope.run.supervise.groups import Groups, find_groups
from tightrope.run.supervise.orphans import MARK, kill_orphans, kill_tree, read_state
from tightrope.run.supervise.pulse import Pulse
from tightrope.run.supervise.report import TOKEN_BYTES, Ending, Report

_PROGRAM = "tightrope-supervise"
_CHUNK_BYTES = 1 << 16
_MOST_CLOSING_S, _LOOK_S = 20.0, 0.2  # for a supervisor to end; how often to look whether it was stopped
_MOST_KILLING_S = 30.0  # the supervisor itself gives up killing earlier
_LEAST_GUARD_S, _GUARD_FACTOR = 10.0, 3.0


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a command; `guard_s` limits idle time on the CPU clock, 0 `processes` means no limit."""

    clock: str = "cpu"
    cap_s: float = inf
    guard_s: float = inf
    memory_mb: float = inf
    grace_s: float = 0.05
    keep_kb: int = 32
    processes: int = 0


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
    has_stopped_it : bool
        Whether the supervisor was found stopped while its processes went on: they must have done it.
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
        self._report = Report(limits.keep_kb)
        self.mark = uuid.uuid4().hex
        self._groups = find_groups()
        self._is_killed = self._is_ended = False
        self.has_stopped_it = False
        words = [*arguments_for(limits, cores), *_group_arguments(self._groups, self.mark, limits)]
        arguments = [str(find_supervisor()), *words, "--", *command]
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
        self._send_token()
        self._pulse = Pulse(self._process.pid, longest_s=_longest_s(limits))

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
                self._is_ended = True
                return True
            self._report.add(chunk)
        # If others hold the pipe open, it does not end with its writer.
        return self._process.poll() is not None and not self._is_readable()

    def watch(self) -> None:
        """Kill the supervisor with its tree if it no longer responds; call this about once a second."""
        if not self._is_killed and self._pulse.has_stopped():
            self._kill()

    def ending(self) -> Ending | None:
        """Return the report once it is over; None if the supervisor died without one.

        In that case the processes it left running are killed here, as far as they can be found.
        """
        ending = self._report.ending()
        if ending is None:
            self._kill_rest()
        return ending

    def cancel(self) -> None:
        """Ask the supervisor to stop the command."""
        with contextlib.suppress(BrokenPipeError):  # it is already over, and its report is on the way
            self._send_token()

    def close(self) -> None:
        """Release everything; a command that still runs is killed before this returns."""
        self._control.close()
        self._reports.close()
        if not self._is_ended:  # otherwise nothing can stop it any more
            self._await_end()
        self._process.wait()
        self._groups.end(group_name(self.mark))  # usually gone

    def _await_end(self) -> None:
        end_s = time.monotonic() + _MOST_CLOSING_S
        while True:
            try:
                self._process.wait(timeout=_LOOK_S)
                return
            except subprocess.TimeoutExpired:
                if read_state(self.pid) in "Tt" or time.monotonic() > end_s:
                    self._kill()

    def _send_token(self) -> None:
        """Send the secret with which it authenticates its report, or, the second time, cancel the run."""
        with contextlib.suppress(BrokenPipeError):
            self._control.write(self._report.token)

    def _kill(self) -> None:
        """Kill the supervisor and all its descendants."""
        self._is_killed = True
        self.has_stopped_it = kill_tree(self.pid)
        self._kill_rest()

    def _kill_rest(self) -> None:
        """Kill what is left of a run whose supervisor died, as far as it can be found."""
        self._groups.end(group_name(self.mark))
        kill_orphans(self.mark)

    def _is_readable(self) -> bool:
        poller = select.poll()
        poller.register(self._reports, select.POLLIN)
        return bool(poller.poll(0))


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


def group_name(mark: str) -> str:
    """Return the name of a run's control group."""
    return f"tightrope-{mark}"


def _group_arguments(groups: Groups, mark: str, limits: Limits) -> list[str]:
    if limits.processes and not groups.limits_processes:
        raise TargetError(
            f"the limit of {limits.processes} processes needs control groups, which may not be created here",
            hint="leave the limit out, or run as a user to whom a control group was delegated",
        )
    is_memory_limited = isfinite(limits.memory_mb)
    found = groups.arguments(group_name(mark), memory=is_memory_limited, processes=limits.processes)
    return [f"{key}={value}" for key, value in found.items() if value]


def _longest_s(limits: Limits) -> float:
    """Return the time in which a supervisor must report; inf where only CPU time is limited."""
    return limits.cap_s + limits.grace_s + _MOST_KILLING_S if limits.clock == "wall" else inf


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
        "token": TOKEN_BYTES,
        "cores": ",".join(str(core) for core in sorted(cores)),
    }
    return [f"{key}={value}" for key, value in values.items() if _is_set(value)]


def _is_set(value: object) -> bool:
    return value != "" and not (isinstance(value, float) and not isfinite(value))
