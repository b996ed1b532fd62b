"""Drivers of tunings that can be killed: forked from a process that is warm, and free of what tests leave."""

import json
import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from survivors import await_end, new_mark, survivors
from tunings import Kind

_FOLDER = Path(__file__).parent
_SCRIPT = _FOLDER / "targets" / "driver.py"
PATIENCE_S = 60.0  # with a driver that hangs

Told = dict[str, Any]


class Drivers:
    """One driver at a time; all processes that it starts can be found."""

    def __init__(self) -> None:
        self._mark = new_mark()
        path = os.pathsep.join([str(_FOLDER), str(_SCRIPT.parent)])
        variables = {"PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        self._warm = subprocess.Popen(
            [sys.executable, str(_SCRIPT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,  # so that what select() says of the pipe is all there is to know
            env=os.environ | variables | self._mark,
        )
        self._pid: int | None = None
        assert self.told() == {"ready": True}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()
        for pid in self.left_running():  # of a test that failed
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._warm.kill()
        with self._warm:
            pass

    def start(
        self, journal: Path, *, kind: Kind, slots: int, runs: int, file_bytes: int | None = None
    ) -> None:
        """Begin a tuning, or go on with it, until so many runs are done in all."""
        self.end()
        assert self._warm.stdin is not None
        order = {
            "journal": str(journal),
            "kind": kind,
            "slots": slots,
            "runs": runs,
            "file_bytes": file_bytes,
        }
        self._warm.stdin.write(json.dumps(order).encode() + b"\n")
        self._pid = int(self.told()["pid"])

    def told(self) -> Told:
        """Wait for the next thing that is told."""
        assert self._warm.stdout is not None
        assert select.select([self._warm.stdout], [], [], PATIENCE_S)[0], "the driver says nothing more"
        line = self._warm.stdout.readline()
        assert line, "the warm process has ended"
        return dict(json.loads(line))

    def last_word(self) -> Told:
        """Wait until the driver says what came of it all."""
        while "finished" in (told := self.told()):
            pass
        return told

    def interrupt(self) -> None:
        """Press Ctrl-C: the driver gets SIGINT, and what is in its process group."""
        assert self._pid is not None
        os.killpg(self._pid, signal.SIGINT)

    def kill(self) -> list[Told]:
        """Kill the driver, and return what it had told that was not read yet."""
        assert self._pid is not None
        os.kill(self._pid, signal.SIGKILL)
        self._pid = None
        unread = []
        while "exit" not in (told := self.told()):
            unread.append(told)
        assert told == {"exit": -signal.SIGKILL}
        return unread

    def end(self) -> None:
        """Kill the driver if there is one."""
        if self._pid is not None:
            self.kill()

    def left_running(self) -> list[int]:
        """Return the processes besides the driver."""
        return [pid for pid in survivors(self._mark) if pid not in (self._warm.pid, self._pid)]

    def await_others(self) -> None:
        """Wait until nothing is left of what the driver had started: nobody but its supervisors ends it."""
        # A process that is just being executed shows no environment, and so no mark: look twice.
        while left := self.left_running() or self.left_running():
            await_end(left)
