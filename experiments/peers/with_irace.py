"""irace 3.5 as its manual recommends for running time: elitist races with capping, `maxTime` as the budget.

It wants whole seconds, so costs are scaled until the ceiling, its `boundMax`, is 1000; bounds have two
decimals. The default is its initial configuration, and all else is as it comes: the t-test, PAR1, capped runs
compared as timeouts, 2 % of the budget to learn what a run costs. The first of its elites is the result.

It plans races by numbers of runs, from their mean cost so far, and never looks at the budget within a race.
The ledger does, and ends the tuning: then the elites of the race before count, before the first race the
default. If the runs that it begins with are so dear that no race seems affordable, it gives up at once; its
manual knows no remedy but a larger budget.
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

from arena.arena import Arena

from peers.irace_files import IraceNames, write_files
from peers.ledger import BudgetSpentError, GaveUpError, Ledger
from tightrope.records import Config

_SCRIPT = Path(__file__).with_name("irace.R")
_BOUND_MAX, _BOUND_DIGITS = 1000, 2
_SPENT = "spent"
_START_S = 60.0  # that R may take to start


class IraceError(Exception):
    """R or irace ended without an answer."""


@cache
def is_installed() -> bool:
    """Tell whether there is an R that finds irace."""
    command = ["Rscript", "-e", "quit(status = !requireNamespace('irace', quietly = TRUE))"]
    return shutil.which("Rscript") is not None and subprocess.run(command, check=False).returncode == 0


def tune_with_irace(arena: Arena, ledger: Ledger, *, seed: int) -> Config:
    """Return the first of irace's elites."""
    names = IraceNames(arena.space.configspace)
    scale = _BOUND_MAX / arena.ceiling
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        options = {
            "port": server.getsockname()[1],
            "seed": seed,
            "maxTime": math.floor(ledger.budget * scale),
            "boundMax": _BOUND_MAX,
            "boundDigits": _BOUND_DIGITS,
        }
        write_files(Path(folder), arena, names=names, options=options)
        with _started(Path(folder)), _accepted(server) as (questions, answers):
            return answer(questions, answers, names=names, ledger=ledger, scale=scale)


@contextmanager
def _started(folder: Path) -> Iterator[None]:
    """Run the script while others talk to it; wait for its end, so that its CPU time is counted."""
    log = folder / "log.txt"
    with log.open("w") as file:
        command = ["Rscript", "--vanilla", str(_SCRIPT), str(folder)]
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT)
        try:
            yield
            process.wait()
        except (EOFError, ConnectionError, TimeoutError) as error:
            raise IraceError(
                f"irace ended without an answer; its last words:\n{log.read_text()[-2000:]}"
            ) from error
        finally:
            process.kill()
            process.wait()


@contextmanager
def _accepted(server: socket.socket) -> Iterator[tuple[TextIO, TextIO]]:
    """Wait for R; return what it says and what it hears: one file for both forgets lines read ahead."""
    server.settimeout(_START_S)
    connection, _ = server.accept()
    with connection, connection.makefile("r") as questions, connection.makefile("w") as answers:
        yield questions, answers


def answer(
    questions: Iterable[str], answers: TextIO, *, names: IraceNames, ledger: Ledger, scale: float
) -> Config:
    """Run what irace asks for until it names the best config.

    Parameters
    ----------
    questions : iterable of str
        Lines from irace.
    answers : TextIO
        Where it waits for lines.
    names : IraceNames
        What irace calls the parameters.
    ledger : Ledger
        Knows what runs cost, and when there is nothing left to spend.
    scale : float
        How many of irace's seconds a unit of cost is.

    Returns
    -------
    Config
        The first of irace's elites.

    Raises
    ------
    GaveUpError
        If irace ended before it had any.
    EOFError
        If it ended without a word.
    """
    for line in questions:
        word, *rest = line.rstrip("\n").split("\t")
        if word == "best":
            return names.read(rest)
        if word == "failed":
            raise GaveUpError(" ".join(rest))
        instance, bound, *pairs = rest
        answers.write(f"{_run(names.read(pairs), instance, bound=bound, ledger=ledger, scale=scale)}\n")
        answers.flush()
    raise EOFError


def _run(config: Config, instance: str, *, bound: str, ledger: Ledger, scale: float) -> str:
    """Return the cost on irace's scale; of a capped run the bound as irace wrote it, for it compares."""
    cap = float(bound) / scale
    try:
        cost = ledger.run(config, instance, cap=cap)
    except BudgetSpentError:
        return _SPENT
    return bound if cost >= cap else repr(cost * scale)
