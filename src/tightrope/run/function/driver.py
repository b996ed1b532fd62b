"""The driver's side of workers: the fork server that creates them, and a handle for each."""

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Sequence
from mmap import mmap
from multiprocessing import Pipe
from multiprocessing.connection import Connection

from tightrope.run.function.forkserver import READY, SEPARATOR
from tightrope.run.function.worker import SHARED_BYTES, Finished, Request, SharedState, read_message
from tightrope.run.start_error import read_start_error
from tightrope.run.supervise.orphans import is_supervisor, kill_orphans, kill_tree, read_state
from tightrope.run.supervise.pulse import Pulse
from tightrope.run.supervise.report import Ending, Report
from tightrope.run.supervise.supervisor import Limits, arguments_for, find_supervisor

_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from tightrope.run.function.forkserver import main; main(int(sys.argv[2]), int(sys.argv[3]))"
)
_CHUNK_BYTES = 1 << 16
_MOST_CLOSING_S, _LOOK_S = 20.0, 0.2  # for a worker to end; how often to look whether it is stopped


class ForkServer:
    """The process that loads a function and forks workers.

    Parameters
    ----------
    payload : bytes
        A pickled `tightrope.run.function.load.Payload`.
    """

    def __init__(self, payload: bytes) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._is_ready = False
        self._problem = ""
        try:
            with theirs, os.fdopen(os.memfd_create("payload"), "wb") as file:
                file.write(payload)
                file.flush()
                os.lseek(file.fileno(), 0, os.SEEK_SET)
                self._process = _start_server(theirs.fileno(), file.fileno())
        except OSError:
            self._socket.close()
            raise

    @property
    def problem(self) -> str:
        """Why the function could not be loaded; empty if there is no known problem."""
        self._read_messages()
        return self._problem

    def is_alive(self) -> bool:
        """Return whether it can fork more workers."""
        return self._process.poll() is None

    def is_loading(self) -> bool:
        """Return whether the function is still being loaded, so that no worker exists yet."""
        self._read_messages()
        return not self._is_ready

    def fork(self, arguments: Sequence[str]) -> "Worker":
        """Request a worker, whose supervisor gets the arguments; a failed fork shows when it is used."""
        mark = uuid.uuid4().hex
        incoming = Report()
        words = [mark, incoming.token.decode(), str(find_supervisor()), *arguments]
        message = SEPARATOR.join(words).encode()
        with contextlib.ExitStack() as theirs, contextlib.ExitStack() as ours:
            control_in, control_out = _open_pipe(reader=theirs, writer=ours)
            report_in, report_out = _open_pipe(reader=ours, writer=theirs)
            channel, far_channel = Pipe()
            ours.callback(channel.close)
            theirs.callback(far_channel.close)
            shared = os.memfd_create("shared")
            theirs.callback(os.close, shared)
            os.ftruncate(shared, SHARED_BYTES)
            state = SharedState(mmap(shared, SHARED_BYTES))
            with contextlib.suppress(OSError):  # the fork server died; the worker will be found dead
                descriptors = [control_in, report_out, far_channel.fileno(), shared]
                socket.send_fds(self._socket, [message], descriptors)
            os.write(control_out, incoming.token)
            ours.pop_all()
            return Worker(self, channel, control_out, report_in, incoming=incoming, shared=state, mark=mark)

    def kill(self) -> None:
        """Kill it now; its workers live on."""
        self._process.kill()

    def close(self) -> None:
        """End it."""
        if self.is_loading():
            self.kill()
        self._socket.close()
        self._process.wait()

    def _read_messages(self) -> None:
        with contextlib.suppress(OSError):
            while message := self._socket.recv(_CHUNK_BYTES, socket.MSG_DONTWAIT):
                if message == READY:
                    self._is_ready = True
                else:
                    self._problem = message.decode(errors="replace")


def _start_server(*descriptors: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", _START, json.dumps(sys.path), *map(str, descriptors)],
        stdin=subprocess.DEVNULL,
        pass_fds=descriptors,
        start_new_session=True,  # Ctrl-C in the terminal is handled by the driver
    )


def _open_pipe(*, reader: contextlib.ExitStack, writer: contextlib.ExitStack) -> tuple[int, int]:
    """Open a pipe; each stack closes one end."""
    receiver, sender = os.pipe()
    reader.callback(os.close, receiver)
    writer.callback(os.close, sender)
    return receiver, sender


class WorkerPool:
    """The idle workers of one function, and the fork server that creates new ones.

    Parameters
    ----------
    make_payload : callable
        Returns the payload of the fork server.
    limits : Limits
        The limits of every worker.
    """

    def __init__(self, make_payload: Callable[[], bytes], limits: Limits) -> None:
        self._make_payload = make_payload
        self._limits = limits
        self._fork_server: ForkServer | None = None
        self._idle: list[Worker] = []

    def acquire(self) -> "Worker":
        """Return a worker: the one released last, or a new one."""
        if self._idle:
            return self._idle.pop()
        if self._fork_server is not None and not self._fork_server.is_alive():
            self._fork_server.close()
            self._fork_server = None
        try:
            if self._fork_server is None:
                self._fork_server = ForkServer(self._make_payload())
            return self._fork_server.fork(arguments_for(self._limits))
        except OSError as error:
            raise read_start_error(error) from error

    def release(self, worker: "Worker") -> None:
        """Return an idle worker to the pool."""
        self._idle.append(worker)

    def close(self) -> None:
        """End all idle workers and the fork server."""
        idle, self._idle = self._idle, []
        for worker in idle:
            worker.close()
        if self._fork_server is not None:
            self._fork_server.close()
            self._fork_server = None


class Worker:
    """A process that runs a function for one trial after the other, and its supervisor."""

    def __init__(
        self,
        fork_server: ForkServer,
        channel: Connection,
        control: int,
        report: int,
        *,
        incoming: Report,
        shared: SharedState,
        mark: str,
    ) -> None:
        self.fork_server = fork_server
        self.shared = shared
        self._channel = channel
        self._control = control
        self._report = report
        self._mark = mark
        self._incoming = incoming
        self._pulse: Pulse | None = None
        self.has_stopped_it = False  # whether its supervisor was found stopped while it went on
        self._is_closed = False
        self.is_channel_closed = False
        self.run_number = 0  # of the latest request
        os.set_blocking(report, False)

    @property
    def channel_fd(self) -> int:
        """The descriptor on which answers arrive."""
        return self._channel.fileno()

    @property
    def report_fd(self) -> int:
        """The descriptor on which its supervisor's report arrives."""
        return self._report

    def has_begun(self) -> bool:
        """Return whether the latest request has begun."""
        return self.shared.run_number() == self.run_number

    def send(self, request: Request) -> None:
        """Request a run; a dead worker is noticed later."""
        self.run_number += 1
        with contextlib.suppress(OSError):
            self._channel.send(request)

    def receive(self) -> Finished | None:
        """Return an answer; None if there is none yet."""
        try:
            if self.is_channel_closed or not self._channel.poll():
                return None
            message = self._channel.recv_bytes()
        except (EOFError, OSError):
            self.is_channel_closed = True
            return None
        finished, self.is_channel_closed = read_message(message)
        return finished

    def is_over(self) -> bool:
        """Read the supervisor's report; return whether it is complete, with no process of the worker left."""
        with contextlib.suppress(BlockingIOError):
            while chunk := os.read(self._report, _CHUNK_BYTES):
                self._incoming.add(chunk)
            return True
        return False

    def ending(self) -> Ending | None:
        """Return the report once it is over; None if the supervisor died or never started."""
        ending = self._incoming.ending()
        if ending is None and (pid := self.shared.pid()):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)
            kill_orphans(self._mark)
        return ending

    def cancel(self) -> None:
        """Ask the supervisor to stop the worker."""
        with contextlib.suppress(BrokenPipeError):
            os.write(self._control, self._incoming.token)

    def close(self) -> None:
        """Release the worker; if alive, it and all processes it started are killed before this returns."""
        if self._is_closed:
            return
        self._is_closed = True
        if self.fork_server.is_loading():
            self.fork_server.kill()  # trials that wait for another of its workers will use a new fork server
        os.close(self._control)
        self._channel.close()
        end_s = time.monotonic() + _MOST_CLOSING_S
        poller = select.poll()
        poller.register(self._report, select.POLLIN)
        while not self.is_over():
            if not poller.poll(1000 * _LOOK_S) and (self._is_stopped() or time.monotonic() > end_s):
                self._kill_supervisor()
        os.close(self._report)

    def watch(self) -> None:
        """Kill the worker and its supervisor if the latter no longer responds."""
        pid = self.shared.supervisor()
        if self._pulse is None and pid:
            self._pulse = Pulse(pid)
        if self._pulse is not None and self._pulse.has_stopped():
            self._kill_supervisor()

    def _is_stopped(self) -> bool:
        pid = self.shared.supervisor()
        return bool(pid) and read_state(pid) in "Tt"

    def _kill_supervisor(self) -> None:
        """Kill the supervisor with its tree; the function could have written another id, so look first."""
        pid = self.shared.supervisor()
        if pid and is_supervisor(pid):
            self.has_stopped_it = kill_tree(pid)
