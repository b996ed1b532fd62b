"""The journal's tables, and how a file shows that it has them.

Rows are added and never changed. `step` counts decisions, trials and outcomes together, from 1 and without
gaps: it is their order, and a missing row shows. A cost that is no number is NULL. `sum` is the checksum of
the row's other values.

A file of an older version may lack measures of outcomes, which are read as their defaults, the budgets of
decisions, which are read as NULL, and, in version 1, the checksums. The next writer adds their columns. A
version that does not know a column ignores it as long as it has its default. A version that writes other
values into a new column, and any other change, needs a new VERSION.
"""

import sqlite3
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Final

from tightrope.errors import JournalError
from tightrope.records import MEASURES, Outcome
from tightrope.store.checksum import Column, RowSum
from tightrope.store.failure import damaged, translated

VERSION: Final = 2
WITHOUT_SUMS: Final = 1  # the version of journals without checksums
PAGE_BYTES: Final = 4096
NOTE: Final = "note."  # before the names of notes in the table meta
_APPLICATION: Final = int.from_bytes(b"tgrp")

MEASURE_DEFAULTS: Final[dict[str, float]] = {
    each.name: each.default
    for each in fields(Outcome)
    if each.name in MEASURES and each.default is not MISSING
}

BUDGET_COLUMNS: Final = ("budget_cost", "budget_used")  # of decisions


def _sum(table: str, integers: str, *others: Column) -> RowSum:
    return RowSum(table, (*(Column(name, "i") for name in integers.split()), *others))


_AT: Final = Column("at_s", "f")
_NOTE_TEXT: Final = Column("note", "t")

# The checksum of each table's rows, with the columns in the order in which they are read and written.
_ROWS: Final = (
    _sum("meta", "", Column("name", "t"), Column("value", "t")),
    _sum("config", "id digest", Column("value", "t")),
    _sum("task", "id", Column("instance", "t"), Column("seed", "i")),
    _sum(
        "decision", "step number", Column("overhead_s", "f"), Column("now_s", "f"),
        Column("challengers", "t"), _NOTE_TEXT, *(Column(name, "f", None) for name in BUDGET_COLUMNS), _AT,
    ),
    _sum("trial", "step id config task", Column("cap", "f"), _AT),
    _sum(
        "outcome", "step trial", Column("status", "t"),
        *(Column(name, "f", MEASURE_DEFAULTS.get(name, 0)) for name in MEASURES), _NOTE_TEXT, _AT,
    ),
)  # fmt: skip
SUMS: Final = {each.table: each for each in _ROWS}

# Configs are looked up by a digest, which keeps the index small; the text decides between equal digests.
_TABLES: Final = f"""
CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    sum INTEGER NOT NULL
);
CREATE TABLE config (
    id INTEGER PRIMARY KEY,
    digest INTEGER NOT NULL,
    value TEXT NOT NULL,
    sum INTEGER NOT NULL
);
CREATE INDEX config_digest ON config (digest);
CREATE TABLE task (
    id INTEGER PRIMARY KEY,
    instance TEXT NOT NULL,
    seed INTEGER NOT NULL,
    sum INTEGER NOT NULL,
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
    budget_used REAL,
    sum INTEGER NOT NULL
);
CREATE TABLE trial (
    step INTEGER PRIMARY KEY,
    id INTEGER NOT NULL UNIQUE,
    config INTEGER NOT NULL REFERENCES config,
    task INTEGER NOT NULL REFERENCES task,
    cap REAL NOT NULL,
    at_s REAL NOT NULL,
    sum INTEGER NOT NULL
);
CREATE TABLE outcome (
    step INTEGER PRIMARY KEY,
    trial INTEGER NOT NULL UNIQUE REFERENCES trial (id),
    status TEXT NOT NULL,
    {" REAL, ".join(MEASURES)} REAL,
    note TEXT NOT NULL,
    at_s REAL NOT NULL,
    sum INTEGER NOT NULL
)
"""
# For people with a database browser; we do not read it.
VIEW: Final = f"""
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
    for statement in (*_TABLES.split(";"), VIEW):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def select(connection: sqlite3.Connection, table: str) -> str:
    """Return the statement that reads a table's rows and then their checksums, NULL in version 1.

    Columns that the file lacks are read as their defaults.
    """
    known = columns_of(connection, table)
    has_sums = version_of(connection) > WITHOUT_SUMS
    optional = {**MEASURE_DEFAULTS, **dict.fromkeys(BUDGET_COLUMNS)}

    def read(name: str) -> str:
        if name in known or name not in optional:
            return name
        default = optional[name]
        return f"{'NULL' if default is None else repr(default)} AS {name}"

    names = [read(column.name) for column in SUMS[table].columns]
    return f"SELECT {', '.join(names)}, {'sum' if has_sums else 'NULL AS sum'} FROM {table} NOT INDEXED"


def columns_of(connection: sqlite3.Connection, table: str) -> set[str]:
    """Return the names of a table's columns."""
    return {name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))}


def version_of(connection: sqlite3.Connection) -> int:
    """Return the version of a file's schema."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def require_journal(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is no journal, or that another version wrote."""
    with translated(path):
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        version = version_of(connection)
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
    if version < WITHOUT_SUMS:
        raise damaged(path, f"schema {version} has never existed")
    missing = SUMS.keys() - names
    if missing:
        raise damaged(path, f"table {min(missing)!r} is missing")
