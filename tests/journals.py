"""Trials and outcomes for tests of journals."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from tightrope.records import Config, Outcome, Run, Status, Task, Trial
from tightrope.store import Journal, JournalReader


def trial(i: int, **changes: object) -> Trial:
    """Return the i-th trial: every three trials share a config, every two of them a task."""
    values: dict[str, object] = {
        "config": Config({"x": (i // 3) / 7, "kind": "ab"[i % 2], "n": i // 3}),
        "cap": 1.0 + i % 5,
        "task": Task(f"problem{i % 2}.cnf", 7),
    }
    return Trial(i, **{**values, **changes})  # type: ignore[arg-type]


def outcome(i: int, **changes: object) -> Outcome:
    """Return how it ended: the odd ones were capped."""
    cap = 1.0 + i % 5
    values: dict[str, object] = {
        "status": Status.CAPPED if i % 2 else Status.DONE,
        "cost": cap if i % 2 else cap / 3,
        "spent": cap if i % 2 else cap / 3,
        "wall_s": cap * 1.1,
        "cpu_s": cap,
        "note": "" if i % 4 else f"note {i}",
    }
    return Outcome(i, **{**values, **changes})  # type: ignore[arg-type]


def run(i: int) -> Run:
    return Run(trial(i), outcome(i))


def write(journal: Journal, numbers: Iterable[int]) -> None:
    """Start and finish trials."""
    for i in numbers:
        journal.start(trial(i))
        journal.finish(outcome(i))


def written(path: Path, n: int) -> Path:
    """Create a journal of n runs, and close it."""
    with Journal.create(path, scenario='{"command":"solve"}', seed=3) as journal:
        write(journal, range(n))
    return path


def runs_in(path: Path) -> list[Run]:
    with JournalReader(path) as reader:
        return list(reader.history())


def as_version_1(path: Path) -> None:
    """Make a closed journal one of the version that had no checksums."""
    with closing(sqlite3.connect(path)) as connection:
        for table in ("meta", "config", "task", "decision", "trial", "outcome"):
            connection.execute(f"ALTER TABLE {table} DROP COLUMN sum")
        connection.execute("PRAGMA user_version = 1")
        connection.commit()
        connection.execute("VACUUM")
