"""Runs in a worker process: calls the function for one trial after the other, and measures it."""

import os
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

_NEVER_NS = 2**63 - 1
_STEERING = struct.Struct("=qqq")  # as the supervisor reads it: number of the run, cap, guard
_BOARD = struct.Struct("=dqq")  # the last partial cost, the run's number, the worker's process number

BOARD_BYTES = _BOARD.size


@dataclass(frozen=True, slots=True)
class Request:
    """A run to be done; on the clock "cost" there is a limit of time only, no cap that could be enforced."""

    trial: Trial
    clock: str
    limit_s: float
    guard_s: float
    cores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """What the function answered, and what was measured."""

    answer: Answer | Capped | Failure | TargetError | None
    wall_s: float = 0.0
    cpu_s: float = 0.0


class Board:
    """A few bytes that the worker writes and the driver reads, also once the worker is dead."""

    def __init__(self, memory: mmap) -> None:
        self._memory = memory

    def sign(self, pid: int) -> None:
        """Note who the worker is."""
        _BOARD.pack_into(self._memory, 0, nan, 0, pid)

    def begin(self, run_number: int) -> None:
        """Note that a run begins."""
        struct.pack_into("=dq", self._memory, 0, nan, run_number)

    def post(self, partial: float) -> None:
        """Note what has been spent so far."""
        struct.pack_into("=d", self._memory, 0, partial)

    def partial(self) -> float | None:
        """Return the last partial cost of the last run that began, if there was any."""
        partial = float(_BOARD.unpack_from(self._memory)[0])
        return None if partial != partial else partial

    def pid(self) -> int:
        """Return the worker's process number; 0 if there has been no worker."""
        return int(_BOARD.unpack_from(self._memory)[2])

    def run_number(self) -> int:
        """Return the number of the last run that began."""
        return int(_BOARD.unpack_from(self._memory)[1])


def work(function: Function, channel: Connection, steering: int, *, board: Board) -> None:
    """Do what is asked for until nobody asks any more."""
    board.sign(os.getpid())
    _part_ways()
    everywhere = os.sched_getaffinity(0)
    for run_number in count(1):
        try:
            request: Request = channel.recv()
        except EOFError:
            return
        problem = _pin(request.cores or everywhere)
        if problem:
            channel.send(Finished(Failure(problem, problem)))
            continue
        board.begin(run_number)
        _steer(steering, run_number, limit_s=request.limit_s, guard_s=request.guard_s)
        finished = _run(function, request, board)
        _steer(steering, 0, limit_s=inf, guard_s=inf)
        channel.send(finished)


def _part_ways() -> None:
    """Draw other random numbers than the other workers, which began as the same process."""
    random.seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()


def _pin(cores: Collection[int]) -> str:
    """Keep to some cores; say why if that is not possible."""
    try:
        os.sched_setaffinity(0, cores)
    except OSError as error:
        return f"cannot be started: {error.strerror} (cores {sorted(cores)})"
    return ""


def _run(function: Function, request: Request, board: Board) -> Finished:
    start_s, start_cpu_s = time.monotonic(), _cpu_s()
    answer = _answer(function, request, board)
    return Finished(answer, time.monotonic() - start_s, _cpu_s() - start_cpu_s)


def _answer(
    function: Function, request: Request, board: Board
) -> Answer | Capped | Failure | TargetError | None:
    try:
        if request.clock == "cost":
            return function.evaluate(request.trial, post=board.post)
        return function.finish(request.trial)
    except TargetError as error:  # the answer cannot be a cost: for the driver to say
        return error


def _steer(steering: int, run_number: int, *, limit_s: float, guard_s: float) -> None:
    os.write(steering, _STEERING.pack(run_number, _nanoseconds(limit_s), _nanoseconds(guard_s)))


def _nanoseconds(seconds: float) -> int:
    return _NEVER_NS if seconds > 9e9 else int(seconds * 1e9)


def _cpu_s() -> float:
    """Return the CPU time of this process and of the children it has waited for."""
    import resource  # not on Windows, where this module is imported all the same

    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
