"""A Dask scheduler and workers as separate processes, which may be killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self


class Cluster:
    """A scheduler in a folder of its own; everything that was started ends with the block.

    Parameters
    ----------
    folder : Path
        Where the scheduler's file and all logs go.
    env : mapping, default {}
        Environment variables besides those of this process.
    options : sequence of str, default ()
        Options of the scheduler.
    """

    def __init__(self, folder: Path, *, env: Mapping[str, str] = {}, options: Sequence[str] = ()) -> None:
        self.file = str(folder / "scheduler.json")
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self._env = {**os.environ, **env}
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0", *options)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        for process in reversed(self._processes):
            process.kill()
            process.wait()

    def add_worker(self, name: str, *, threads: int = 1) -> subprocess.Popen[bytes]:
        """Start a worker without a nanny, so that its process is the one to kill."""
        options = {"--name": name, "--nthreads": str(threads), "--local-directory": str(self._folder / name)}
        return self._start("worker", "--no-nanny", *(word for option in options.items() for word in option))

    def _start(self, what: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", what, "--scheduler-file", self.file, "--no-dashboard"]
        with (self._folder / f"{what}.log").open("ab") as log:
            process = subprocess.Popen(
                [*command, *options], stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=self._env
            )
        self._processes.append(process)
        return process


def kill(process: subprocess.Popen[bytes]) -> None:
    """Let a process die at once, without any chance to tidy up."""
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
