"""The loop in a worker process: calls the function for one trial after the other and measures it."""

import os
import pickle
import random
import struct
import sys
import time
from collections.abc import Collection
from dataclasses import dataclass
from itertools import count
from math import inf, nan
from mmap import mmap
from multiprocessing.connection import Connection

from tightrope.errors import TargetError
from tightrope.records import Trial
from tightrope.run.function.call import Failure, Function
from tightrope.run.function.reply import Answer, Capped
from tightrope.run.start_error import StartError

_NEVER_NS = 2**63 - 1
_RUN_LIMITS = struct.Struct("=qqq")  # as the supervisor reads it: number of the run, cap, guard
_LAYOUT = struct.Struct("=dqqq")  # the last partial cost, the run's number, process ids: worker, supervisor

SHARED_BYTES = _LAYOUT.size


@dataclass(frozen=True, slots=True)
class Request:
    """A run to do. On the clock "cost" only the time limit can be enforced, not the cap."""

    trial: Trial
    clock: str
    limit_s: float
    guard_s: float
    cores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """The function's answer, and the measured times."""

    answer: Answer | Capped | Failure | TargetError | None
    wall_s: float = 0.0
    cpu_s: float = 0.0


# What unpickling raises for bytes that a function wrote into the channel.
_NO_ANSWER = (
    pickle.UnpicklingError, EOFError, ArithmeticError, AttributeError, ImportError, LookupError, MemoryError,
    RecursionError, TypeError, ValueError,
)  # fmt: skip


def read_message(message: bytes) -> tuple[Finished, bool]:
    """Return the answer in a message, and whether the channel is spoilt: the function wrote into it."""
    try:
        finished = pickle.loads(message)
        if isinstance(finished, Finished):
            return finished, False
        problem = f"its worker sent a {type(finished).__name__}, which is not an answer"
    except _NO_ANSWER as error:
        problem = f"its worker sent what is not an answer: {error!r}"
    return Finished(Failure(problem, problem)), True


class SharedState:
    """A few bytes of shared memory that the worker writes; the driver can read them after it has died."""

    def __init__(self, memory: mmap) -> None:
        self._memory = memory

    def write_pid(self, pid: int) -> None:
        """Write the worker's process id."""
        struct.pack_into("=dqq", self._memory, 0, nan, 0, pid)

    def write_supervisor(self, pid: int) -> None:
        """Write the process id of the worker's supervisor."""
        struct.pack_into("=q", self._memory, _LAYOUT.size - 8, pid)

    def supervisor(self) -> int:
        """Return the supervisor's process id; 0 if it never started."""
        return int(_LAYOUT.unpack_from(self._memory)[3])

    def begin_run(self, run_number: int) -> None:
        """Write the number of the run that begins, and clear the partial cost."""
        struct.pack_into("=dq", self._memory, 0, nan, run_number)

    def write_partial_cost(self, partial: float) -> None:
        """Write the cost spent so far."""
        struct.pack_into("=d", self._memory, 0, partial)

    def partial_cost(self) -> float | None:
        """Return the last partial cost of the latest run; None if it has none."""
        partial = float(_LAYOUT.unpack_from(self._memory)[0])
        return None if partial != partial else partial

    def pid(self) -> int:
        """Return the worker's process id; 0 if the worker never started."""
        return int(_LAYOUT.unpack_from(self._memory)[2])

    def run_number(self) -> int:
        """Return the number of the latest run that began."""
        return int(_LAYOUT.unpack_from(self._memory)[1])


def work(function: Function, channel: Connection, limits_pipe: int, *, shared: SharedState) -> None:
    """Serve requests until the driver closes the channel."""
    shared.write_pid(os.getpid())
    _reseed()
    all_cores = os.sched_getaffinity(0)
    for run_number in count(1):
        try:
            request: Request = channel.recv()
        except EOFError:
            return
        problem = _pin(request.cores or all_cores)
        if problem:
            channel.send(Finished(StartError(problem, hint="check which cores this process may use")))
            continue
        shared.begin_run(run_number)
        _send_limits(limits_pipe, run_number, limit_s=request.limit_s, guard_s=request.guard_s)
        finished = _run(function, request, shared)
        _send_limits(limits_pipe, 0, limit_s=inf, guard_s=inf)
        channel.send(finished)


def _reseed() -> None:
    """Reseed the random generators: workers are forks of one process and would all draw the same numbers."""
    random.seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()


def _pin(cores: Collection[int]) -> str:
    """Pin this process to cores; return the problem, or an empty string."""
    try:
        os.sched_setaffinity(0, cores)
    except OSError as error:
        return f"cannot be started: {error.strerror} (cores {sorted(cores)})"
    return ""


def _run(function: Function, request: Request, shared: SharedState) -> Finished:
    start_s, start_cpu_s = time.monotonic(), _cpu_s()
    answer = _answer(function, request, shared)
    return Finished(answer, time.monotonic() - start_s, _cpu_s() - start_cpu_s)


def _answer(
    function: Function, request: Request, shared: SharedState
) -> Answer | Capped | Failure | TargetError | None:
    try:
        if request.clock == "cost":
            return function.evaluate(request.trial, on_partial=shared.write_partial_cost)
        return function.run_to_end(request.trial)
    except TargetError as error:  # an invalid answer; the driver reports it
        return error


def _send_limits(limits_pipe: int, run_number: int, *, limit_s: float, guard_s: float) -> None:
    os.write(limits_pipe, _RUN_LIMITS.pack(run_number, _nanoseconds(limit_s), _nanoseconds(guard_s)))


def _nanoseconds(seconds: float) -> int:
    return _NEVER_NS if seconds > 9e9 else int(seconds * 1e9)


def _cpu_s() -> float:
    """Return the CPU time of this process and of the children it has waited for."""
    import resource  # missing on Windows, where this module is still imported

    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
