"""JournalReader: reading while another process writes, and noticing damage."""

import sqlite3
from pathlib import Path

import pytest

from journals import runs_in, write, written
from tightrope.errors import JournalError
from tightrope.store import Journal, JournalReader
from tightrope.store.writing import restored


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.journal"


def test_a_reader_sees_what_is_written_meanwhile(path: Path) -> None:
    with Journal.create(path) as journal, JournalReader(path) as reader:
        for i in range(3):
            write(journal, [i])
            assert len(reader.history()) == i + 1


@pytest.mark.parametrize("disk", ["local", "network"])
def test_a_reader_in_the_middle_of_reading_does_not_hold_up_the_writer(path: Path, disk: str) -> None:
    with Journal.create(path, disk=disk) as journal:  # type: ignore[arg-type]
        write(journal, range(3))
        with JournalReader(path) as reader:
            entries = reader.entries()
            next(entries)
            write(journal, range(3, 5))
            assert len(list(entries)) == 5


def test_a_reader_cannot_write(path: Path) -> None:
    written(path, 1)
    with JournalReader(path) as reader, pytest.raises(sqlite3.OperationalError):
        reader._connection.execute("DELETE FROM outcome")


def test_check_accepts_a_sound_journal(path: Path) -> None:
    written(path, 10)
    with JournalReader(path) as reader:
        reader.check()


def test_entries_can_be_counted_without_reading_them(path: Path) -> None:
    written(path, 10)
    with JournalReader(path) as reader:
        assert reader.n_entries == len(list(reader.entries())) == 20


def test_a_missing_row_is_noticed(path: Path) -> None:
    written(path, 10)
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM outcome WHERE trial = 4")
    connection.close()
    with JournalReader(path) as reader:
        with pytest.raises(JournalError, match="entries are missing"):
            reader.history()
        with pytest.raises(JournalError, match="entry 10 is missing"):
            list(reader.entries())


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE outcome SET status = 'fine' WHERE trial = 4",
        "UPDATE outcome SET cost = 'much' WHERE trial = 4",
        "UPDATE trial SET config = 999 WHERE id = 4",
        "UPDATE trial SET task = -1 WHERE id = 4",
        "UPDATE config SET value = '{' WHERE id = 2",
        "UPDATE config SET value = x'00' WHERE id = 2",
        "UPDATE task SET seed = 'x' WHERE id = 1",
        "UPDATE outcome SET trial = 77 WHERE trial = 4",
        "UPDATE outcome SET note = CAST(x'ff' AS TEXT) WHERE trial = 4",
        "DROP TABLE outcome",
    ],
)
def test_an_invalid_row_is_reported_as_damage(path: Path, statement: str) -> None:
    written(path, 10)
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()
    with pytest.raises(JournalError, match=r"damaged.*tightrope rescue"):
        runs_in(path)


@pytest.mark.parametrize("value", [None, 0, 1.5])
def test_a_value_that_is_not_text_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="is not text"):
        restored(value)
