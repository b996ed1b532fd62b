"""A journal that is deleted, moved or replaced while it is written: the tuning stops, and nothing is lost."""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from journals import run, runs_in, write, written
from tightrope import Budget, Scenario, tune
from tightrope.errors import JournalError
from tightrope.records import Event, Started
from tightrope.run import LocalPool
from tightrope.store import Journal


def delete(path: Path) -> None:
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()


def delete_the_main_file(path: Path) -> None:
    path.unlink()


def move(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))


def replace(path: Path) -> None:
    other = written(path.with_name("other.journal"), 3)
    os.replace(other, path)


@pytest.mark.parametrize("disk", ["local", "network"])
@pytest.mark.parametrize("harm", [delete, delete_the_main_file, move, replace])
def test_all_rows_are_saved_beside(tmp_path: Path, harm: Callable[[Path], None], disk: str) -> None:
    path = tmp_path / "run.journal"
    journal = Journal.create(path, disk=disk)  # type: ignore[arg-type]
    write(journal, range(20))
    harm(path)
    with pytest.raises(JournalError, match=r"the journal was .* its entries are in .*saved; .*mv ") as caught:
        write(journal, [20])
    assert caught.value.path == str(path)
    saved = runs_in(tmp_path / "run.journal.saved")
    assert saved == [run(i) for i in range(20)]
    journal.close()
    with pytest.raises(JournalError, match="closed"):
        write(journal, [21])


def test_the_saved_copy_can_be_put_back_and_continued(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    journal = Journal.create(path, disk="local")
    write(journal, range(20))
    delete(path)
    with pytest.raises(JournalError, match="deleted or moved"):
        journal.require_in_place()
    (tmp_path / "run.journal.saved").rename(path)
    with Journal.open(path) as again:
        write(again, range(20, 23))
    assert runs_in(path) == [run(i) for i in range(23)]


def test_the_file_that_took_its_place_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    journal = Journal.create(path, disk="local")
    write(journal, range(20))
    replace(path)
    content = path.read_bytes()
    with pytest.raises(JournalError, match="replaced by another file"):
        journal.require_in_place()
    assert path.read_bytes() == content
    assert not (tmp_path / "run.journal-wal").exists()
    assert runs_in(path) == [run(i) for i in range(3)]


def test_a_folder_that_is_gone_does_not_take_the_rows_with_it(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "solver"
    folder.mkdir(parents=True)
    journal = Journal.create(folder / "run.journal")
    write(journal, range(5))
    shutil.rmtree(tmp_path / "runs")
    with pytest.raises(JournalError, match="deleted or moved"):
        journal.require_in_place()
    assert len(runs_in(tmp_path / "run.journal.saved")) == 5


def test_an_earlier_copy_is_not_overwritten(tmp_path: Path) -> None:
    for n in (2, 3):
        journal = Journal.create(tmp_path / "run.journal")
        write(journal, range(n))
        (tmp_path / "run.journal").unlink()
        with pytest.raises(JournalError):
            journal.require_in_place()
    assert len(runs_in(tmp_path / "run.journal.saved")) == 2
    assert len(runs_in(tmp_path / "run.journal.saved1")) == 3


def slow(config: object, instance: str) -> float:
    """Take a moment at first, then far longer than anyone waits for a test."""
    time.sleep(0.0 if instance == "quick" else 300.0)
    return 1.0


def test_a_tuning_notices_while_its_runs_are_under_way(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    started: list[str] = []

    def watch(event: Event) -> None:
        if isinstance(event, Started):
            started.append(event.trial.task.instance)
            if event.trial.task.instance == "slow":
                path.unlink()

    scenario = Scenario(
        space={"x": (0.0, 1.0)},
        instances=["quick", "slow"],
        ceiling=1000.0,
        target=slow,
        budget=Budget(runs=9),
    )
    with pytest.raises(JournalError, match="deleted or moved"):  # or else the test takes five minutes
        tune(scenario, journal=path, executor=LocalPool(1), watch=watch)
    assert started[-1] == "slow"
    assert len(runs_in(tmp_path / "run.journal.saved")) == len(started) - 1
