"""Adding rows: one function for each kind of entry, inside the caller's transaction."""

import hashlib
import json
import sqlite3
from functools import singledispatch
from math import isnan

from tightrope.records import MEASURES, BudgetState, Config, Outcome, Task, Trial
from tightrope.store.codec import encode
from tightrope.store.entry import Decision

# The next step, found in the file itself: no counter can get out of step with what was committed.
_NEXT_STEP = """(SELECT 1 + max(
    ifnull((SELECT max(step) FROM decision), 0),
    ifnull((SELECT max(step) FROM trial), 0),
    ifnull((SELECT max(step) FROM outcome), 0)))"""
_ADD_DECISION = (
    "INSERT INTO decision "
    "(step, number, overhead_s, now_s, challengers, note, budget_cost, budget_used, at_s) "
    f"VALUES ({_NEXT_STEP}, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_ADD_TRIAL = f"INSERT INTO trial VALUES ({_NEXT_STEP}, ?, ?, ?, ?, ?)"
_ADD_OUTCOME = (
    f"INSERT INTO outcome (step, trial, status, {', '.join(MEASURES)}, note, at_s) "
    f"VALUES ({_NEXT_STEP}, ?, ?, {'?, ' * len(MEASURES)}?, ?)"
)


@singledispatch
def add(what: object, connection: sqlite3.Connection, at_s: float) -> None:
    """Add an entry's row, and those of its configs and task if they are new."""
    raise TypeError(f"a journal holds decisions, trials and outcomes, not {type(what).__name__}")


@add.register
def _(what: Decision, connection: sqlite3.Connection, at_s: float) -> None:
    challengers = json.dumps([_config_id(connection, config) for config in what.challengers])
    row = (
        int(what.number),
        float(what.overhead_s),
        float(what.now_s),
        challengers,
        storable(what.note),
        *(what.budget or (None, None)),
        at_s,
    )
    connection.execute(_ADD_DECISION, row)


@add.register
def _(what: Trial, connection: sqlite3.Connection, at_s: float) -> None:
    config, task = _config_id(connection, what.config), _task_id(connection, what.task)
    connection.execute(_ADD_TRIAL, (int(what.id), config, task, float(what.cap), at_s))


@add.register
def _(what: Outcome, connection: sqlite3.Connection, at_s: float) -> None:
    numbers = [_number(getattr(what, name)) for name in MEASURES]
    connection.execute(
        _ADD_OUTCOME, (int(what.trial_id), what.status.value, *numbers, storable(what.note), at_s)
    )


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


def _config_id(connection: sqlite3.Connection, config: Config) -> int | None:
    text = encode(config)
    digest = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), signed=True)
    known = connection.execute(
        "SELECT id FROM config WHERE digest = ? AND value = ?", (digest, text)
    ).fetchone()
    if known is not None:
        return int(known[0])
    return connection.execute("INSERT INTO config (digest, value) VALUES (?, ?)", (digest, text)).lastrowid


def _task_id(connection: sqlite3.Connection, task: Task) -> int | None:
    row = (storable(task.instance), int(task.seed))
    known = connection.execute("SELECT id FROM task WHERE instance = ? AND seed = ?", row).fetchone()
    if known is not None:
        return int(known[0])
    return connection.execute("INSERT INTO task (instance, seed) VALUES (?, ?)", row).lastrowid
