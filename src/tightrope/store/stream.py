"""All runs of a journal in the order in which they ended, one after the other, in little memory.

A `History` holds all runs at once. Here a run is forgotten once it was passed on; only the runs that are
under way at that point of the journal are kept, and the configs and tasks that were used last.
"""

import sqlite3
from collections.abc import Callable, Iterator
from functools import lru_cache
from heapq import merge
from operator import itemgetter
from pathlib import Path
from typing import Final, NamedTuple

from tightrope.records import Config, Run, Task, Trial
from tightrope.store.check import require_counts
from tightrope.store.codec import decode
from tightrope.store.failure import damaged
from tightrope.store.reading import INVALID, LAST, make_outcome
from tightrope.store.verified import Row, VerifiedTable
from tightrope.store.writing import restored

_MOST_KEPT: Final = 10_000  # configs, and tasks


class Began(NamedTuple):
    """A trial was started; `config` is the number of its config in the journal."""

    config: int
    trial: Trial


class Ended(NamedTuple):
    """A run ended at this time, in seconds since 1970."""

    config: int
    run: Run
    ended_s: float


def stream(connection: sqlite3.Connection, path: Path) -> Iterator[Began | Ended]:
    """Yield the start and the end of every run, each row checked against its checksum."""
    require_counts(connection, path)
    last, _, _ = connection.execute(LAST).fetchone()
    tables = {name: VerifiedTable(connection, path, name) for name in ("config", "task", "trial", "outcome")}
    find_config: Callable[[int], Config] = lru_cache(_MOST_KEPT)(lambda i: decode(tables["config"].row(i)[2]))
    find_task: Callable[[int], Task] = lru_cache(_MOST_KEPT)(lambda i: _task(tables["task"].row(i)))
    open_trials: dict[int, Began] = {}
    for _, table, row in merge(
        _rows(tables["trial"], "trial", last), _rows(tables["outcome"], "outcome", last), key=itemgetter(0)
    ):
        try:
            if table == "trial":
                _, number, config, task, cap, _, _ = row
                trial = Trial(number, find_config(config), float(cap), find_task(task))
                began = open_trials[number] = Began(config, trial)
                yield began
            else:
                began = open_trials.pop(row[1])
                outcome = make_outcome(row[1], row[2], row[3:-3], row[-3])
                yield Ended(began.config, Run(began.trial, outcome), float(row[-2]))
        except INVALID as error:
            raise damaged(path, f"row {row[0]} of the table {table} makes no sense: {error}") from error


def _rows(table: VerifiedTable, name: str, last: int) -> Iterator[tuple[int, str, Row]]:
    return ((row[0], name, row) for part in table.parts(last) for row in part.rows)


def _task(row: Row) -> Task:
    return Task(restored(row[1]), int(row[2]))
