"""Solvers that are libraries: each runs in its own process, which is replaced if it crashes."""

import json
import multiprocessing
import time
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from lib.recording.result import SolverResult

Problem = dict[str, Any]
Run = Callable[[Problem, Mapping[str, Any], float], tuple[str | None, float]]
_GUARD_S = 300.0  # far longer than any limited run: the solver hangs


class Library:
    """A function that solves a problem, given a config and a ceiling, and returns an answer and its cost.

    An error that the function raises is raised here too: it is not the solver's failure.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._child: tuple[BaseProcess, Connection] | None = None

    def solve(self, config: Mapping[str, Any], instance: Path, *, ceiling: float) -> SolverResult:
        """Run until there is an answer, or the counter has reached the ceiling."""
        self._child = self._child or self._start()
        _, pipe = self._child
        pipe.send((json.loads(instance.read_text(encoding="utf-8")), dict(config), ceiling))
        try:
            reply = pipe.recv() if pipe.poll(_GUARD_S) else "it hangs"
        except EOFError:
            reply = "it crashes"
        if isinstance(reply, SolverResult):
            return reply
        self.close()
        if isinstance(reply, Exception):
            raise reply
        return SolverResult(reply, 0.0, cpu_s=0.0)

    def close(self) -> None:
        """End the process."""
        if self._child is not None:
            process, pipe = self._child
            pipe.close()
            process.kill()
            process.join()
            self._child = None

    def _start(self) -> tuple[BaseProcess, Connection]:
        context = multiprocessing.get_context("fork")  # avoids another import of the library
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(self._run, there), daemon=True)
        process.start()
        there.close()
        return process, here


def _serve(run: Run, pipe: Connection) -> None:
    while True:
        try:
            problem, config, ceiling = pipe.recv()
        except EOFError:
            return
        start_s = time.process_time()
        try:
            answer, cost = run(problem, config, ceiling)
        except Exception as error:  # noqa: BLE001 - the parent raises it again
            pipe.send(error)
        else:
            pipe.send(SolverResult(answer, cost, cpu_s=time.process_time() - start_s))
