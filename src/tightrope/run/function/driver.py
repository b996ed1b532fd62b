"""The driver's side of workers: the fork server they come from, and one handle for each."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import uuid
from collections.abc import Callable, Sequence
from mmap import mmap
from multiprocessing import Pipe
from multiprocessing.connection import Connection

from tightrope.run.function.forkserver import READY, SEPARATOR
from tightrope.run.function.worker import BOARD_BYTES, Board, Finished, Request
from tightrope.run.supervise.orphans import kill_orphans
from tightrope.run.supervise.report import Ending, read_ending
from tightrope.run.supervise.supervisor import Limits, find_supervisor, words_of

_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from tightrope.run.function.forkserver import main; main(int(sys.argv[2]), int(sys.argv[3]))"
)
_CHUNK_BYTES = 1 << 16


class ForkServer:
    """The process in which a function is loaded, and from which workers are forked.

    Parameters
    ----------
    load : bytes
        A pickled `tightrope.run.function.load.Load`.
    """

    def __init__(self, load: bytes) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._is_ready = False
        self._problem = ""
        with theirs, os.fdopen(os.memfd_create("load"), "wb") as file:
            file.write(load)
            file.flush()
            os.lseek(file.fileno(), 0, os.SEEK_SET)
            descriptors = (theirs.fileno(), file.fileno())
            self._process = subprocess.Popen(
                [sys.executable, "-c", _START, json.dumps(sys.path), *map(str, descriptors)],
                stdin=subprocess.DEVNULL,
                pass_fds=descriptors,
                start_new_session=True,  # the terminal's Ctrl-C is for the driver
            )

    @property
    def problem(self) -> str:
        """Why the function could not be loaded; empty if that is not known."""
        self._listen()
        return self._problem

    def is_alive(self) -> bool:
        """Whether more workers may come of it."""
        return self._process.poll() is None

    def is_loading(self) -> bool:
        """Whether no worker can have come of it yet."""
        self._listen()
        return not self._is_ready

    def fork(self, words: Sequence[str]) -> "Worker":
        """Have a worker forked; `words` are for its supervisor. Whether it lives will show."""
        mark = uuid.uuid4().hex
        control = os.pipe()
        report = os.pipe()
        ours, theirs = Pipe()
        board = os.memfd_create("board")
        os.ftruncate(board, BOARD_BYTES)
        message = SEPARATOR.join([mark, str(find_supervisor()), *words]).encode()
        given = [control[0], report[1], theirs.fileno(), board]
        with contextlib.suppress(OSError):  # a dead fork server shows soon: no worker comes
            socket.send_fds(self._socket, [message], given)
        worker = Worker(self, ours, control[1], report[0], board=Board(mmap(board, BOARD_BYTES)), mark=mark)
        theirs.close()
        for descriptor in (control[0], report[1], board):
            os.close(descriptor)
        return worker

    def kill(self) -> None:
        """End it now; workers that were born live on."""
        self._process.kill()

    def close(self) -> None:
        """End it."""
        if self.is_loading():
            self.kill()
        self._socket.close()
        self._process.wait()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while message := self._socket.recv(_CHUNK_BYTES, socket.MSG_DONTWAIT):
                if message == READY:
                    self._is_ready = True
                else:
                    self._problem = message.decode(errors="replace")


class WorkerPool:
    """Workers of one function: those who have nothing to do, and the fork server where new ones come from.

    Parameters
    ----------
    load : callable
        Returns what the fork server is to load.
    limits : Limits
        What every worker may use.
    """

    def __init__(self, load: Callable[[], bytes], limits: Limits) -> None:
        self._load = load
        self._limits = limits
        self._fork_server: ForkServer | None = None
        self._idle: list[Worker] = []

    def hire(self) -> "Worker":
        """Return a worker: the one that worked last, or a new one."""
        if self._idle:
            return self._idle.pop()
        if self._fork_server is not None and not self._fork_server.is_alive():
            self._fork_server.close()
            self._fork_server = None
        if self._fork_server is None:
            self._fork_server = ForkServer(self._load())
        return self._fork_server.fork(words_of(self._limits))

    def release(self, worker: "Worker") -> None:
        """Take back a worker that has nothing to do."""
        self._idle.append(worker)

    def close(self) -> None:
        """End all that are idle, and the fork server."""
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
        board: Board,
        mark: str,
    ) -> None:
        self.fork_server = fork_server
        self.board = board
        self._channel = channel
        self._control = control
        self._report = report
        self._mark = mark
        self._reported = bytearray()
        self._is_closed = False
        self.has_hung_up = False
        self.run_number = 0  # of the last run that was asked for
        os.set_blocking(report, False)

    @property
    def channel_fd(self) -> int:
        """Where its answers arrive."""
        return self._channel.fileno()

    @property
    def report_fd(self) -> int:
        """Where its supervisor's report arrives."""
        return self._report

    def has_begun(self) -> bool:
        """Whether the last run that was asked for has begun."""
        return self.board.run_number() == self.run_number

    def ask(self, request: Request) -> None:
        """Have a trial run; if the worker is dead that will show."""
        self.run_number += 1
        with contextlib.suppress(OSError):
            self._channel.send(request)

    def receive(self) -> Finished | None:
        """Return an answer, if there is one."""
        try:
            if not self.has_hung_up and self._channel.poll():
                finished: Finished = self._channel.recv()
                return finished
        except (EOFError, OSError):
            self.has_hung_up = True
        return None

    def is_over(self) -> bool:
        """Take in what the supervisor reports; whether it is done, and nothing of the worker left."""
        with contextlib.suppress(BlockingIOError):
            while chunk := os.read(self._report, _CHUNK_BYTES):
                self._reported += chunk
            return True
        return False

    def ending(self) -> Ending | None:
        """Return what was reported once it is over; None if the supervisor died or never lived."""
        ending = read_ending(bytes(self._reported))
        if ending is None and (pid := self.board.pid()):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)
            kill_orphans(self._mark)
        return ending

    def cancel(self) -> None:
        """Ask the supervisor to stop the worker."""
        with contextlib.suppress(BrokenPipeError):
            os.write(self._control, b"c")

    def close(self) -> None:
        """Let go; a worker that still lives is killed before this returns, with all that it started."""
        if self._is_closed:
            return
        self._is_closed = True
        if self.fork_server.is_loading():
            self.fork_server.kill()  # whoever waits for another worker of it will turn to another fork server
        os.close(self._control)
        self._channel.close()
        os.set_blocking(self._report, True)
        while os.read(self._report, _CHUNK_BYTES):
            pass
        os.close(self._report)
