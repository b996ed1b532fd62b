"""Adding rows: one function for each kind of entry, inside the caller's transaction."""

import hashlib
import json
import sqlite3
from functools import singledispatch
from math import isnan
from typing import Any, Final

from tightrope.records import MEASURES, BudgetState, Config, Outcome, Task, Trial
from tightrope.store.codec import encode
from tightrope.store.entry import Decision
from tightrope.store.schema import SUMS

Row = tuple[Any, ...]


_NEXT_STEP: Final = """SELECT 1 + max(
    ifnull((SELECT max(step) FROM decision), 0),
    ifnull((SELECT max(step) FROM trial), 0),
    ifnull((SELECT max(step) FROM outcome), 0))"""
_INSERTS: Final = {
    table: f"INSERT INTO {table} ({', '.join(column.name for column in sums.columns)}, sum) "
    f"VALUES ({'?, ' * len(sums.columns)}?)"
    for table, sums in SUMS.items()
}


def next_step(connection: sqlite3.Connection) -> int:
    """Return the next step, found in the file: no counter can get out of step with what was committed."""
    return int(connection.execute(_NEXT_STEP).fetchone()[0])


def insert(connection: sqlite3.Connection, table: str, row: Row) -> None:
    """Add a row and its checksum."""
    connection.execute(_INSERTS[table], (*row, SUMS[table].of(row)))


@singledispatch
def add(what: object, connection: sqlite3.Connection, step: int, at_s: float) -> None:
    """Add an entry's row, and those of its configs and task if they are new."""
    raise TypeError(f"a journal holds decisions, trials and outcomes, not {type(what).__name__}")


@add.register
def _(what: Decision, connection: sqlite3.Connection, step: int, at_s: float) -> None:
    challengers = json.dumps([_config_id(connection, config) for config in what.challengers])
    times, budget = (float(what.overhead_s), float(what.now_s)), what.budget or (None, None)
    row = (step, int(what.number), *times, challengers, storable(what.note), *budget, at_s)
    insert(connection, "decision", row)


@add.register
def _(what: Trial, connection: sqlite3.Connection, step: int, at_s: float) -> None:
    config, task = _config_id(connection, what.config), _task_id(connection, what.task)
    insert(connection, "trial", (step, int(what.id), config, task, float(what.cap), at_s))


@add.register
def _(what: Outcome, connection: sqlite3.Connection, step: int, at_s: float) -> None:
    numbers = [_number(getattr(what, name)) for name in MEASURES]
    status, note = what.status.value, storable(what.note)
    insert(connection, "outcome", (step, int(what.trial_id), status, *numbers, note, at_s))


def budget_state(cost: float | None, used: float | None) -> BudgetState | None:
    """Return the budget that a decision went by, if it is in the file."""
    return None if cost is None or used is None else BudgetState(float(cost), float(used))


def storable(text: str) -> str | bytes:
    """Return the text or, if it has half characters as undecodable file names do, bytes that keep them."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def restored(stored: object) -> str:
    """Undo `storable`; TypeError or ValueError for what damage may have put in its place."""
    if isinstance(stored, bytes):
        return stored.decode("utf-8", "surrogatepass")
    if not isinstance(stored, str):
        raise TypeError(f"{stored!r} is not text")
    return stored


def _number(value: float) -> float | None:
    return None if isnan(value) else float(value)


def _config_id(connection: sqlite3.Connection, config: Config) -> int:
    text = encode(config)
    digest = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), signed=True)
    known = connection.execute(
        "SELECT id FROM config WHERE digest = ? AND value = ?", (digest, text)
    ).fetchone()
    if known is not None:
        return int(known[0])
    return _numbered(connection, "config", digest, text)


def _task_id(connection: sqlite3.Connection, task: Task) -> int:
    row = (storable(task.instance), int(task.seed))
    known = connection.execute("SELECT id FROM task WHERE instance = ? AND seed = ?", row).fetchone()
    return int(known[0]) if known is not None else _numbered(connection, "task", *row)


def _numbered(connection: sqlite3.Connection, table: str, *values: object) -> int:
    """Add a row under the next number, and return it."""
    (last,) = connection.execute(f"SELECT ifnull(max(id), 0) FROM {table}").fetchone()
    insert(connection, table, (last + 1, *values))
    return int(last) + 1
