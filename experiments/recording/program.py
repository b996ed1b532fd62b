"""Solvers that are programs: they are given options and a file, and print their counters."""

import re
import resource
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf
from pathlib import Path
from typing import Any

from recording.claim import Claim

_ANSWERS = {10: "SAT", 20: "UNSAT"}
_STOPPED = {0, 1}  # exit codes without an answer: Kissat's and CaDiCaL's is 0, MiniSat's and clasp's 0 or 1
_GUARD_S = 300.0  # no limit of ours lets a run take nearly so long: it hangs
_MOST_ATTEMPTS = 12
_MARGIN = 1.2  # beyond what would do if the cost grew with the limit
_MOST_GROWTH = 16.0

Options = Callable[[Mapping[str, Any]], list[str]]


@dataclass(frozen=True, slots=True)
class Program:
    """A solver of formulas whose own limit is not one of its cost.

    The limit is at least doubled until the run has either ended or cost as much as the ceiling, so that what
    is told does not depend on the limit.

    Attributes
    ----------
    path : str
        The executable.
    options : callable
        Makes arguments of a config.
    limit : str
        The argument that stops a run, such as "--conflicts={}".
    first_limit : int or None
        Its first value; None if it limits the cost itself, so that it is the ceiling.
    counter : str
        A regular expression; what its group matches is added up and is the cost.
    """

    path: str
    options: Options
    limit: str
    first_limit: int | None
    counter: str

    def solve(self, config: Mapping[str, Any], instance: Path, *, ceiling: float) -> Claim:
        """Run until there is an answer, or the counter has reached the ceiling."""
        limit = ceil(ceiling) if self.first_limit is None else self.first_limit
        for _ in range(_MOST_ATTEMPTS):
            limits = self.limit.format(limit).split()
            claim = self._run([self.path, *self.options(config), *limits, str(instance)])
            if claim.answer is not None or claim.cost >= ceiling:
                return claim
            limit = raise_limit(limit, claim.cost, ceiling=ceiling)
        return Claim("it stops before its limit", 0.0, cpu_s=0.0)

    def _run(self, command: Sequence[str]) -> Claim:
        before_s = _children_s()
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_GUARD_S, check=False)
        except subprocess.TimeoutExpired:
            return Claim("it hangs", 0.0, cpu_s=_GUARD_S)
        cpu_s = _children_s() - before_s
        counted = re.findall(self.counter, done.stdout)
        if done.returncode not in {*_ANSWERS, *_STOPPED} or not counted:
            return Claim(f"exit code {done.returncode}", 0.0, cpu_s=cpu_s)
        return Claim(_ANSWERS.get(done.returncode), float(sum(map(int, counted))), cpu_s=cpu_s)


def raise_limit(limit: int, cost: float, *, ceiling: float) -> int:
    """Return the next limit, given what was counted under this one: it is to reach the ceiling, if near."""
    growth = _MARGIN * ceiling / cost if cost > 0.0 else inf
    return ceil(limit * min(max(2.0, growth), _MOST_GROWTH))


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def find_program(name: str, *, package: str) -> str:
    """Return a program's path, or say which package has it."""
    found = shutil.which(name)
    if found is None:
        raise SystemExit(f"there is no program {name!r}: install Debian's package {package!r}")
    return found
