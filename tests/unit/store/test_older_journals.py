"""Journals of versions that did not measure as much."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from journals import as_version_1, run, write, written
from tightrope.errors import JournalError
from tightrope.records import Config, Outcome, Status, Trial
from tightrope.store import Journal, JournalReader, salvage

FIRST = Outcome(0, Status.DONE, cost=2.0, spent=2.0, wall_s=3.0, cpu_s=2.0)
SECOND = Outcome(1, Status.DONE, cost=4.0, spent=4.0, wall_s=5.0, cpu_s=4.0)


def without_cpu_s(journal: Path) -> None:
    as_version_1(journal)
    with closing(sqlite3.connect(journal)) as connection:
        connection.execute("DROP VIEW run")
        connection.execute("ALTER TABLE outcome DROP COLUMN cpu_s")


@pytest.fixture
def older(tmp_path: Path) -> Path:
    path = tmp_path / "run.journal"
    with Journal.create(path) as journal:
        journal.start(Trial(0, Config({"x": 1})))
        journal.finish(FIRST)
    without_cpu_s(path)
    return path


def test_a_missing_measure_is_read_as_its_default(older: Path) -> None:
    with JournalReader(older) as reader:
        (run,) = reader.history()
        reader.check()
    assert (run.outcome.cost, run.outcome.wall_s, run.outcome.cpu_s) == (2.0, 3.0, 0.0)


def test_the_next_writer_adds_the_column(older: Path) -> None:
    with Journal.open(older) as journal:
        journal.start(Trial(1, Config({"x": 2})))
        journal.finish(SECOND)
    with JournalReader(older) as reader:
        assert reader.history().columns.cpu_s.tolist() == [0.0, 4.0]
        reader.check()
    with closing(sqlite3.connect(older)) as connection:
        assert connection.execute("SELECT cost, cpu_s FROM run").fetchall() == [(2.0, 0.0), (4.0, 4.0)]


def test_it_can_be_salvaged(older: Path, tmp_path: Path) -> None:
    salvage(older, tmp_path / "new.journal")
    with JournalReader(tmp_path / "new.journal") as reader:
        assert [run.outcome.cpu_s for run in reader.history()] == [0.0]


def test_a_column_of_a_later_version_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    Journal.create(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("ALTER TABLE outcome ADD COLUMN energy_j REAL DEFAULT 0.0")
    with Journal.open(path) as journal:
        journal.start(Trial(0, Config({"x": 1})))
        journal.finish(FIRST)
    with JournalReader(path) as reader:
        assert [run.outcome for run in reader.history()] == [FIRST]


def test_a_cost_cannot_be_missing(older: Path) -> None:
    with closing(sqlite3.connect(older)) as connection:
        connection.execute("ALTER TABLE outcome DROP COLUMN cost")
    with JournalReader(older) as reader, pytest.raises(JournalError, match="cost"):
        reader.history()


def test_the_next_writer_adds_checksums(tmp_path: Path) -> None:
    path = written(tmp_path / "run.journal", 10)
    as_version_1(path)
    with JournalReader(path) as reader:
        assert list(reader.history()) == [run(i) for i in range(10)]
        assert [each.id for each in reader.pending()] == []
    with Journal.open(path) as journal:
        write(journal, [10])
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
        connection.execute("UPDATE outcome SET cost = 1.25 WHERE trial = 3")
        connection.commit()
    with JournalReader(path) as reader, pytest.raises(JournalError, match="row 8 of the table outcome"):
        reader.history()


def test_an_older_journal_that_is_damaged_is_not_made_newer(tmp_path: Path) -> None:
    path = written(tmp_path / "run.journal", 10)
    as_version_1(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE outcome SET status = 'fine' WHERE trial = 3")
        connection.commit()
    with pytest.raises(JournalError, match="row 8 of the table outcome makes no sense"):
        Journal.open(path)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
