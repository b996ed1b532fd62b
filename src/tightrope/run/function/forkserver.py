"""The main function of the fork server: loads a function once, then forks supervised workers.

A worker must be a child of its supervisor, and a fork of the fork server, which has everything loaded. So the
fork server forks a process, which forks the worker and then executes the supervisor.
"""

import contextlib
import ctypes
import errno
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
from tightrope.run.function.worker import SHARED_BYTES, SharedState, work
from tightrope.run.supervise.orphans import MARK, memory_name

READY = b"+"
SEPARATOR = "\0"

_PDEATHSIG, _CHILD_SUBREAPER = 1, 36  # constants of prctl
_MARKS: list[mmap] = []  # keeps the mapping alive as long as the process
_MOST_BYTES = 1 << 16
_N_DESCRIPTORS = 4  # sent with each request: control, report, channel, shared memory
_PROBLEM_CHARACTERS = 8000


def main(socket_fd: int, payload_fd: int) -> None:
    """Load the function and fork workers on request, until the driver is gone."""
    fork_server = socket.socket(fileno=socket_fd)
    _prctl(_PDEATHSIG, signal.SIGKILL)  # the driver may end during a long or hanging import
    if _is_driver_gone(fork_server):  # it may have ended before prctl
        return
    try:
        with open(payload_fd, "rb") as file:
            function = pickle.loads(file.read()).open()
    except BaseException:  # noqa: BLE001 - a user's module may raise anything, even SystemExit
        fork_server.send(traceback.format_exc()[-_PROBLEM_CHARACTERS:].encode())
        return
    _prctl(_PDEATHSIG, 0)  # from here on the socket tells
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # supervisors are not waited for
    gc.freeze()  # keeps loaded objects shared between workers
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the driver is gone
        fork_server.send(READY)
        _serve(fork_server, function)


def _is_driver_gone(fork_server: socket.socket) -> bool:
    """Return whether the other end of the socket is closed."""
    poller = select.poll()
    poller.register(fork_server, 0)  # a closed peer is reported even with an empty event mask
    return bool(poller.poll(0))


def _serve(fork_server: socket.socket, function: Function) -> None:
    """Fork one worker per message."""
    while True:
        message, descriptors, _, _ = socket.recv_fds(
            fork_server, _MOST_BYTES, _N_DESCRIPTORS, socket.MSG_CMSG_CLOEXEC
        )
        if not message:
            return
        try:
            words = message.decode().split(SEPARATOR)
            if len(descriptors) < _N_DESCRIPTORS:  # the limit on open files cut them off
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
            if _fork() == 0:
                _supervise(fork_server, words, descriptors, function)
        except OSError as error:
            if len(descriptors) > 1:
                _report_unstarted(descriptors[1], words[1], error)
        for descriptor in descriptors:
            os.close(descriptor)


def _fork() -> int:
    with warnings.catch_warnings():
        # Threads of libraries, such as linear algebra, are harmless: these libraries support forking.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _supervise(
    fork_server: socket.socket, message: Sequence[str], descriptors: Sequence[int], function: Function
) -> NoReturn:
    """Fork the worker and become its supervisor."""
    try:
        mark, token, *command = message
        control, report, channel, shared = descriptors
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        _prctl(_CHILD_SUBREAPER, 1)  # survives exec; the worker may leave orphans before the supervisor runs
        limits_in, limits_out = os.pipe()
        supervisor = os.getpid()
        SharedState(mmap(shared, SHARED_BYTES)).write_supervisor(supervisor)
        worker = _fork()
        if worker == 0:
            fork_server.close()
            for descriptor in (control, report, limits_in):
                os.close(descriptor)
            _set_mark(mark)
            _become_worker(function, Connection(channel), limits_out, shared, supervisor=supervisor)
        os.set_inheritable(limits_in, True)
        os.dup2(control, 0)
        os.dup2(report, 1)
        os.execv(command[0], [*command, f"adopt={worker}", f"limits={limits_in}"])
    except OSError as error:
        _report_unstarted(descriptors[1], token, error)
    finally:
        os._exit(127)  # the worker dies with this process


def _report_unstarted(report: int, token: str, error: OSError) -> None:
    """Report in the supervisor's place that there is no worker, and why."""
    with contextlib.suppress(OSError):
        os.write(report, f"token={token} reason=unstarted errno={error.errno} stage=fork\n".encode())


def _set_mark(mark: str) -> None:
    """Mark this process in environment and memory, for the processes it will execute or fork."""
    os.environ[MARK] = mark
    descriptor = os.memfd_create(memory_name(mark))
    os.ftruncate(descriptor, 1)
    _MARKS.append(mmap(descriptor, 1))
    os.close(descriptor)


def _become_worker(
    function: Function, channel: Connection, limits_pipe: int, shared: int, *, supervisor: int
) -> NoReturn:
    code = 1
    try:
        os.setsid()
        _prctl(_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == supervisor:
            import resource  # missing on Windows, where this module is still imported

            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a crash must not write gigabytes
            work(function, channel, limits_pipe, shared=SharedState(mmap(shared, SHARED_BYTES)))
        code = 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:  # noqa: BLE001 - such as a KeyboardInterrupt raised by the function
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code & 0xFF)


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
