"""Solvers that are libraries: they run in a process of their own, which may crash and is replaced then."""

import json
import multiprocessing
import time
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from recording.claim import Claim

Problem = dict[str, Any]
Run = Callable[[Problem, Mapping[str, Any], float], tuple[str | None, float]]
_GUARD_S = 300.0  # no limit of ours lets a run take nearly so long: it hangs


class Library:
    """A function that solves a problem, given a config and a ceiling, and returns an answer and its cost.

    An error that the function raises is raised here, too: it is not the solver's.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._child: tuple[BaseProcess, Connection] | None = None

    def solve(self, config: Mapping[str, Any], instance: Path, *, ceiling: float) -> Claim:
        """Run until there is an answer, or the counter has reached the ceiling."""
        self._child = self._child or self._start()
        _, pipe = self._child
        pipe.send((json.loads(instance.read_text(encoding="utf-8")), dict(config), ceiling))
        try:
            said = pipe.recv() if pipe.poll(_GUARD_S) else "it hangs"
        except EOFError:
            said = "it crashes"
        if isinstance(said, Claim):
            return said
        self.close()
        if isinstance(said, Exception):
            raise said
        return Claim(said, 0.0, cpu_s=0.0)

    def close(self) -> None:
        """End the process."""
        if self._child is not None:
            process, pipe = self._child
            pipe.close()
            process.kill()
            process.join()
            self._child = None

    def _start(self) -> tuple[BaseProcess, Connection]:
        context = multiprocessing.get_context("fork")  # which need not import the library again
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
        except Exception as error:  # noqa: BLE001 - whatever it is, the parent raises it
            pipe.send(error)
        else:
            pipe.send(Claim(answer, cost, cpu_s=time.process_time() - start_s))
