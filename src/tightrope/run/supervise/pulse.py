"""Pulse: notices a supervisor that no longer responds, because it was stopped, traced or starved."""

import time
from collections.abc import Callable
from math import inf

from tightrope.run.supervise.orphans import read_state

CHECK_S = 1.0  # how often to check
_MOST_STOPPED, _MOST_SILENT, _MOST_LATE = 4, 30, 4  # checks in a row
_STOPPED = "Tt"  # by a signal, or by a tracer
_SCHEDULED = 2  # the kind of clock: time on a core, as the scheduler counts it


class Pulse:
    """Counts checks at which a process was stopped, had not run since the last one, or was late.

    A supervisor wakes up many times a second, so its CPU time grows. A check counts rather than time: if this
    process was stopped as well, as a batch system does to a whole job, nothing is concluded from it.
    """

    def __init__(
        self,
        pid: int,
        *,
        longest_s: float = inf,
        clock: Callable[[], float] = time.monotonic,
        read_cpu: Callable[[int], float] | None = None,
        state: Callable[[int], str] = read_state,
    ) -> None:
        self._pid = pid
        self._clock = clock
        self._read_cpu = read_cpu or read_cpu_s
        self._state = state
        self._checked_s = clock()
        self._cpu_s = -1.0
        self._deadline_s = self._checked_s + longest_s
        self._n_stopped = self._n_silent = self._n_late = 0

    def has_stopped(self) -> bool:
        """Check, at most once a second; return whether it has missed the allowed number of checks."""
        if self._clock() < self._checked_s + CHECK_S:
            return False
        self._checked_s = self._clock()
        cpu_s = self._read_cpu(self._pid)
        self._n_stopped = self._n_stopped + 1 if self._state(self._pid) in _STOPPED else 0
        self._n_silent = self._n_silent + 1 if cpu_s == self._cpu_s else 0
        self._n_late += self._checked_s > self._deadline_s
        self._cpu_s = cpu_s
        is_still = self._n_stopped >= _MOST_STOPPED or self._n_silent >= _MOST_SILENT
        return is_still or self._n_late >= _MOST_LATE


def read_cpu_s(pid: int) -> float:
    """Return the CPU time of a process in seconds; nan if it is gone."""
    try:
        return time.clock_gettime(((~pid) << 3) | _SCHEDULED)
    except OSError:
        return float("nan")
