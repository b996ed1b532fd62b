"""Solvers that are programs: they take options and a file, and print their counters."""

import re
import resource
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf
from pathlib import Path
from typing import Any

from lib.recording.result import SolverResult

_ANSWERS = {10: "SAT", 20: "UNSAT"}
_STOPPED = {0, 1}  # exit codes without an answer: 0 for Kissat and CaDiCaL, 0 or 1 for MiniSat and clasp
_GUARD_S = 300.0  # far longer than any limited run: the solver hangs
_MOST_ATTEMPTS = 12
_MARGIN = 1.2  # over the limit that would suffice if the cost were proportional to it
_MOST_GROWTH = 16.0

Options = Callable[[Mapping[str, Any]], list[str]]


@dataclass(frozen=True, slots=True)
class Program:
    """A SAT solver whose own limit is not a limit of its cost.

    The limit is at least doubled until the run has ended or its cost has reached the ceiling, so that the
    result does not depend on the limit.

    Attributes
    ----------
    path : str
        The executable.
    options : callable
        Converts a config to arguments.
    limit : str
        The argument that stops a run, such as "--conflicts={}".
    first_limit : int or None
        The first limit; None if it limits the cost itself, so that the limit is the ceiling.
    counter : str
        A regular expression; the cost is the sum of the numbers that its group matches.
    """

    path: str
    options: Options
    limit: str
    first_limit: int | None
    counter: str

    def solve(self, config: Mapping[str, Any], instance: Path, *, ceiling: float) -> SolverResult:
        """Run until there is an answer, or the counter has reached the ceiling."""
        limit = ceil(ceiling) if self.first_limit is None else self.first_limit
        for _ in range(_MOST_ATTEMPTS):
            limits = self.limit.format(limit).split()
            result = self._run([self.path, *self.options(config), *limits, str(instance)])
            if result.answer is not None or result.cost >= ceiling:
                return result
            limit = raise_limit(limit, result.cost, ceiling=ceiling)
        return SolverResult("it stops before its limit", 0.0, cpu_s=0.0)

    def _run(self, command: Sequence[str]) -> SolverResult:
        before_s = _children_s()
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_GUARD_S, check=False)
        except subprocess.TimeoutExpired:
            return SolverResult("it hangs", 0.0, cpu_s=_GUARD_S)
        cpu_s = _children_s() - before_s
        counted = re.findall(self.counter, done.stdout)
        if done.returncode not in {*_ANSWERS, *_STOPPED} or not counted:
            return SolverResult(f"exit code {done.returncode}", 0.0, cpu_s=cpu_s)
        return SolverResult(_ANSWERS.get(done.returncode), float(sum(map(int, counted))), cpu_s=cpu_s)


def raise_limit(limit: int, cost: float, *, ceiling: float) -> int:
    """Return the next limit, given the cost under this one: large enough to reach a ceiling that is near."""
    growth = _MARGIN * ceiling / cost if cost > 0.0 else inf
    return ceil(limit * min(max(2.0, growth), _MOST_GROWTH))


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def find_program(name: str, *, package: str) -> str:
    """Return a program's path, or exit with the package to install."""
    found = shutil.which(name)
    if found is None:
        raise SystemExit(f"program {name!r} not found: install Debian's package {package!r}")
    return found
