"""Runs in the fork server: loads a function once, then forks workers, each under its own supervisor.

A worker must be a child of its supervisor and a fork of the fork server, where everything is loaded. So the
fork server forks; that process forks the worker, then turns itself into the supervisor.
"""

import contextlib
import ctypes
import gc
import os
import pickle
import select
import signal
import socket
import sys
import traceback
import warnings
from collections.abc import Sequence
from mmap import mmap
from multiprocessing.connection import Connection
from typing import NoReturn

from tightrope.run.function.call import Function
from tightrope.run.function.worker import BOARD_BYTES, Board, work
from tightrope.run.supervise.orphans import MARK, memory_name

READY = b"+"
SEPARATOR = "\0"

_PDEATHSIG, _CHILD_SUBREAPER = 1, 36  # as prctl knows them
_MARKS: list[mmap] = []  # held as long as the process lives
_MOST_BYTES = 1 << 16
_PROBLEM_CHARACTERS = 8000


def main(socket_fd: int, load_fd: int) -> None:
    """Load the function, and fork a worker whenever asked to, until nobody can ask any more."""
    fork_server = socket.socket(fileno=socket_fd)
    _prctl(_PDEATHSIG, signal.SIGKILL)  # an import may take long or hang, and the driver end meanwhile
    if _is_deserted(fork_server):  # or it has ended already
        return
    try:
        with open(load_fd, "rb") as file:
            function = pickle.loads(file.read()).open()
    except BaseException:  # noqa: BLE001 - a user's module may raise anything, SystemExit too
        fork_server.send(traceback.format_exc()[-_PROBLEM_CHARACTERS:].encode())
        return
    _prctl(_PDEATHSIG, 0)  # from here on we hear it from the socket
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for supervisors
    gc.freeze()  # what is loaded stays shared between workers
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the driver has ended
        fork_server.send(READY)
        _serve(fork_server, function)


def _is_deserted(fork_server: socket.socket) -> bool:
    """Whether nobody is left at the other end."""
    poller = select.poll()
    poller.register(fork_server, 0)  # that nobody is left is told anyway
    return bool(poller.poll(0))


def _serve(fork_server: socket.socket, function: Function) -> None:
    """Fork a worker whenever asked to."""
    while True:
        message, descriptors, _, _ = socket.recv_fds(fork_server, _MOST_BYTES, 4, socket.MSG_CMSG_CLOEXEC)
        if not message:
            return
        if _fork() == 0:
            _supervise(fork_server, message.decode().split(SEPARATOR), descriptors, function)
        for descriptor in descriptors:
            os.close(descriptor)


def _fork() -> int:
    with warnings.catch_warnings():
        # Threads that a library keeps (of linear algebra, say) are no concern: it expects to be forked.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _supervise(
    fork_server: socket.socket, words: Sequence[str], descriptors: Sequence[int], function: Function
) -> NoReturn:
    """Fork the worker and become its supervisor."""
    try:
        mark, *command = words
        control, report, channel, board = descriptors
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        _prctl(_CHILD_SUBREAPER, 1)  # outlives exec; the worker may leave orphans before the supervisor runs
        hearing, steering = os.pipe()
        supervisor = os.getpid()
        worker = _fork()
        if worker == 0:
            fork_server.close()
            for descriptor in (control, report, hearing):
                os.close(descriptor)
            _bear(mark)
            _become_worker(function, Connection(channel), steering, board, supervisor=supervisor)
        os.set_inheritable(hearing, True)
        os.dup2(control, 0)
        os.dup2(report, 1)
        os.execv(command[0], [*command, f"adopt={worker}", f"steer={hearing}"])
    finally:
        os._exit(127)  # the worker ends with us


def _bear(mark: str) -> None:
    """Mark this process, for those that it will execute and those that it will fork."""
    os.environ[MARK] = mark
    descriptor = os.memfd_create(memory_name(mark))
    os.ftruncate(descriptor, 1)
    _MARKS.append(mmap(descriptor, 1))
    os.close(descriptor)


def _become_worker(
    function: Function, channel: Connection, steering: int, board: int, *, supervisor: int
) -> NoReturn:
    code = 1
    try:
        os.setsid()
        _prctl(_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == supervisor:
            import resource  # not on Windows, where this module is imported all the same

            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a crash must not write gigabytes
            work(function, channel, steering, board=Board(mmap(board, BOARD_BYTES)))
        code = 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:  # noqa: BLE001 - a KeyboardInterrupt that the function raised, say
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code & 0xFF)


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
