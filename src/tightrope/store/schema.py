"""The journal's tables, and how a file shows that it has them.

Rows are added and never changed. `step` counts decisions, trials and outcomes together, from 1 and without
gaps: it is their order, and a missing row shows. A cost that is no number is NULL.

A file of an older version may lack measures of outcomes, which are read as their defaults, and the budgets of
decisions, which are read as NULL. The next writer adds their columns. A version that does not know a column
ignores it. Any other change needs a new VERSION.
"""

import sqlite3
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Final

from tightrope.errors import JournalError
from tightrope.records import MEASURES, Outcome
from tightrope.store.failure import damaged, translated

VERSION: Final = 1
PAGE_BYTES: Final = 4096
NOTE: Final = "note."  # before the names of notes in the table meta
_APPLICATION: Final = int.from_bytes(b"tgrp")

_DEFAULTS: Final = {
    each.name: each.default
    for each in fields(Outcome)
    if each.name in MEASURES and each.default is not MISSING
}

_BUDGET: Final = ("budget_cost", "budget_used")  # of decisions

# Configs are looked up by a digest, which keeps the index small; the text decides between equal digests.
_TABLES: Final = f"""
CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
CREATE TABLE config (
    id INTEGER PRIMARY KEY,
    digest INTEGER NOT NULL,
    value TEXT NOT NULL
);
CREATE INDEX config_digest ON config (digest);
CREATE TABLE task (
    id INTEGER PRIMARY KEY,
    instance TEXT NOT NULL,
    seed INTEGER NOT NULL,
    UNIQUE (instance, seed)
);
CREATE TABLE decision (
    step INTEGER PRIMARY KEY,
    number INTEGER NOT NULL UNIQUE,
    overhead_s REAL NOT NULL,
    now_s REAL NOT NULL,
    challengers TEXT NOT NULL,
    note TEXT NOT NULL,
    at_s REAL NOT NULL,
    budget_cost REAL,
    budget_used REAL
);
CREATE TABLE trial (
    step INTEGER PRIMARY KEY,
    id INTEGER NOT NULL UNIQUE,
    config INTEGER NOT NULL REFERENCES config,
    task INTEGER NOT NULL REFERENCES task,
    cap REAL NOT NULL,
    at_s REAL NOT NULL
);
CREATE TABLE outcome (
    step INTEGER PRIMARY KEY,
    trial INTEGER NOT NULL UNIQUE REFERENCES trial (id),
    status TEXT NOT NULL,
    {" REAL, ".join(MEASURES)} REAL,
    note TEXT NOT NULL,
    at_s REAL NOT NULL
)
"""
# For people with a database browser; we do not read it.
_VIEW: Final = f"""
CREATE VIEW run AS
    SELECT trial.id AS trial, config.value AS config, instance, seed, cap, status, {", ".join(MEASURES)},
        note, outcome.at_s AS ended_s
    FROM outcome
    JOIN trial ON trial.id = outcome.trial
    JOIN config ON config.id = trial.config
    JOIN task ON task.id = trial.task
    ORDER BY outcome.step
"""


def create_tables(connection: sqlite3.Connection) -> None:
    """Make a fresh file a journal; the caller's transaction makes it all or nothing."""
    for statement in (*_TABLES.split(";"), _VIEW):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def add_missing_columns(connection: sqlite3.Connection) -> None:
    """Add the columns that a file of an older version lacks."""
    known, decided = _columns(connection, "outcome"), _columns(connection, "decision")
    missing = [
        f"outcome ADD COLUMN {name} REAL DEFAULT {_DEFAULTS[name]!r}" for name in _DEFAULTS.keys() - known
    ]
    missing += [f"decision ADD COLUMN {name} REAL" for name in _BUDGET if name not in decided]
    if not missing:
        return
    connection.execute("BEGIN IMMEDIATE")
    for column in sorted(missing):
        connection.execute(f"ALTER TABLE {column}")
    connection.execute("DROP VIEW IF EXISTS run")
    connection.execute(_VIEW)
    connection.execute("COMMIT")


def select_outcomes(connection: sqlite3.Connection) -> str:
    """Return the statement that reads outcomes, with defaults for columns that the file lacks."""
    known = _columns(connection, "outcome")
    measures = (
        f"{_DEFAULTS[name]!r} AS {name}" if name in _DEFAULTS and name not in known else name
        for name in MEASURES
    )
    return f"SELECT step, trial, status, {', '.join(measures)}, note, at_s FROM outcome"


def select_decisions(connection: sqlite3.Connection) -> str:
    """Return the statement that reads decisions, with NULL for columns that the file lacks."""
    known = _columns(connection, "decision")
    budget = (name if name in known else f"NULL AS {name}" for name in _BUDGET)
    return (
        f"SELECT step, number, overhead_s, now_s, challengers, note, {', '.join(budget)}, at_s FROM decision"
    )


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))}


def require_journal(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is no journal, or that another version wrote."""
    with translated(path):
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    if application != _APPLICATION:
        what = "another program's database" if names else "empty"
        raise JournalError(f"this is not a journal but {what}", path=str(path), hint="check the path")
    if version > VERSION:
        raise JournalError(
            f"a newer tightrope wrote it (schema {version}; this one knows {VERSION})",
            path=str(path),
            hint="update tightrope",
        )
    if version < VERSION:
        raise damaged(path, f"schema {version} has never existed")
    missing = {"meta", "config", "task", "decision", "trial", "outcome"} - names
    if missing:
        raise damaged(path, f"table {min(missing)!r} is missing")
