"""irace 3.5 as its manual recommends for running time: elitist races with capping, `maxTime` as the budget.

irace needs whole seconds, so costs are scaled until the ceiling, its `boundMax`, is 1000; bounds have two
decimals. The default is its initial configuration. Everything else is irace's default: the t-test, PAR1,
capped runs compared as timeouts, 2 % of the budget to estimate the cost of a run. The result is the first of
its elites.

irace plans a race by a number of runs, from the mean cost so far, and does not check the budget within a
race. The metered solver does, and ends the tuning. The result is then the elites of the previous race or,
before the first race, the default. If irace's first runs are so expensive that no race seems affordable, it
gives up at once; its manual knows no remedy but a larger budget.
"""

import math
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TextIO

from lib.arena.arena import Arena

from peers.irace_files import IraceNames, write_files
from peers.metered_solver import BudgetSpentError, GaveUpError, MeteredSolver
from tightrope.records import Config

_SCRIPT = Path(__file__).with_name("irace.R")
_BOUND_MAX, _BOUND_DIGITS = 1000, 2
_SPENT = "spent"
_START_S = 60.0  # limit of R's start


class IraceError(Exception):
    """R or irace ended without a result."""


@cache
def is_installed() -> bool:
    """Return whether R and its package irace are installed."""
    command = ["Rscript", "-e", "quit(status = !requireNamespace('irace', quietly = TRUE))"]
    return shutil.which("Rscript") is not None and subprocess.run(command, check=False).returncode == 0


def tune_with_irace(arena: Arena, solver: MeteredSolver, *, seed: int) -> Config:
    """Return the first of irace's elites."""
    names = IraceNames(arena.space.configspace)
    scale = _BOUND_MAX / arena.ceiling
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        options = {
            "port": server.getsockname()[1],
            "seed": seed,
            "maxTime": math.floor(solver.budget * scale),
            "boundMax": _BOUND_MAX,
            "boundDigits": _BOUND_DIGITS,
        }
        write_files(Path(folder), arena, names=names, options=options)
        with _running(Path(folder)), _connection(server) as (questions, answers):
            return answer(questions, answers, names=names, solver=solver, scale=scale)


@contextmanager
def _running(folder: Path) -> Iterator[None]:
    """Run the script within the context; wait for its end, so that its CPU time is counted."""
    log = folder / "log.txt"
    with log.open("w") as file:
        command = ["Rscript", "--vanilla", str(_SCRIPT), str(folder)]
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT)
        try:
            yield
            process.wait()
        except (EOFError, ConnectionError, TimeoutError) as error:
            raise IraceError(
                f"irace ended without a result; the end of its output:\n{log.read_text()[-2000:]}"
            ) from error
        finally:
            process.kill()
            process.wait()


@contextmanager
def _connection(server: socket.socket) -> Iterator[tuple[TextIO, TextIO]]:
    """Wait for R; return two files, to read and to write: a single one would lose lines read ahead."""
    server.settimeout(_START_S)
    connection, _ = server.accept()
    with connection, connection.makefile("r") as questions, connection.makefile("w") as answers:
        yield questions, answers


def answer(
    questions: Iterable[str], answers: TextIO, *, names: IraceNames, solver: MeteredSolver, scale: float
) -> Config:
    """Make the runs that irace requests until it names the best config.

    Parameters
    ----------
    questions : iterable of str
        Lines from irace.
    answers : TextIO
        Lines to irace.
    names : IraceNames
        irace's names of the parameters.
    solver : MeteredSolver
        Makes the runs and stops when the budget is spent.
    scale : float
        irace's seconds per unit of cost.

    Returns
    -------
    Config
        The first of irace's elites.

    Raises
    ------
    GaveUpError
        If irace ended before it had any elites.
    EOFError
        If it ended without a message.
    """
    for line in questions:
        word, *rest = line.rstrip("\n").split("\t")
        if word == "best":
            return names.read(rest)
        if word == "failed":
            raise GaveUpError(" ".join(rest))
        instance, bound, *pairs = rest
        answers.write(f"{_run(names.read(pairs), instance, bound=bound, solver=solver, scale=scale)}\n")
        answers.flush()
    raise EOFError


def _run(config: Config, instance: str, *, bound: str, solver: MeteredSolver, scale: float) -> str:
    """Return the cost on irace's scale; for a capped run irace's own text of the bound, which it compares."""
    cap = float(bound) / scale
    try:
        cost = solver.run(config, instance, cap=cap)
    except BudgetSpentError:
        return _SPENT
    return bound if cost >= cap else repr(cost * scale)
