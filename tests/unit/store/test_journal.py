"""Journal: every entry is stored once, and only one process writes."""

import math
import os
import sqlite3
import threading
from pathlib import Path

import pytest

from journals import outcome, run, runs_in, trial, write, written
from tightrope.errors import JournalError
from tightrope.records import Config, Outcome, Status, Task, Trial
from tightrope.store import Decision, Journal, JournalReader


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.journal"


def test_runs_come_back_as_they_were_written(path: Path) -> None:
    written(path, 25)
    assert runs_in(path) == [run(i) for i in range(25)]


def test_a_history_follows_the_order_of_outcomes(path: Path) -> None:
    with Journal.create(path) as journal:
        for i in (2, 0, 1):
            journal.start(trial(i))
        for i in (1, 2, 0):
            journal.finish(outcome(i))
    assert runs_in(path) == [run(1), run(2), run(0)]


def test_entries_keep_the_order_of_everything(path: Path) -> None:
    with Journal.create(path) as journal:
        journal.decide(0, overhead_s=0.25, now_s=9.5, challengers=[trial(0).config], note="first")
        write(journal, [0])
        journal.start(trial(1))
        journal.decide(1, overhead_s=0.5)
        journal.finish(outcome(1))
        found = [entry.what for entry in journal.entries()]
    first = Decision(0, 0.25, 9.5, (trial(0).config,), "first")
    assert found == [first, trial(0), outcome(0), trial(1), Decision(1, 0.5), outcome(1)]


def test_decisions_are_kept(path: Path) -> None:
    with Journal.create(path) as journal:
        journal.decide(4, overhead_s=0.1)
        write(journal, range(3))
        assert journal.decisions() == [Decision(4, 0.1)]


def test_trials_without_an_outcome_are_pending(path: Path) -> None:
    with Journal.create(path) as journal:
        for i in range(4):
            journal.start(trial(i))
        journal.finish(outcome(2))
    with JournalReader(path) as reader:
        assert reader.pending() == [trial(0), trial(1), trial(3)]


def test_a_reopened_journal_continues(path: Path) -> None:
    written(path, 3)
    with Journal.open(path) as journal:
        write(journal, range(3, 6))
    assert runs_in(path) == [run(i) for i in range(6)]


def test_a_trial_that_was_pending_can_be_finished_later(path: Path) -> None:
    with Journal.create(path) as journal:
        journal.start(trial(0))
    with Journal.open(path) as journal:
        journal.finish(outcome(0))
    assert runs_in(path) == [run(0)]


def test_extreme_numbers_come_back(path: Path) -> None:
    ends = Outcome(0, Status.FAILED, math.nan, math.inf, wall_s=5e-324, cpu_s=1e308)
    with Journal.create(path) as journal:
        journal.start(Trial(0, Config({}), math.inf, Task("", -(2**63))))
        journal.finish(ends)
        (found,) = journal.history()
    assert repr(found.outcome) == repr(ends)
    assert found.trial.cap == math.inf
    assert found.trial.task.seed == -(2**63)


@pytest.mark.parametrize("text", ["", "a\x00b", "ü\n漢", "undecodable \udcff", "x" * 100_000])
def test_any_text_comes_back(path: Path, text: str) -> None:
    with Journal.create(path) as journal:
        journal.start(trial(0, task=Task(text, 0)))
        journal.finish(outcome(0, note=text))
        (found,) = journal.history()
        assert (found.trial.task.instance, found.outcome.note) == (text, text)
        assert [entry.what for entry in journal.entries()] == [found.trial, found.outcome]


def test_configs_and_tasks_are_stored_once(path: Path) -> None:
    written(path, 30)
    with sqlite3.connect(path) as connection:
        configs = connection.execute("SELECT count(*), count(DISTINCT value) FROM config").fetchone()
        tasks = connection.execute("SELECT count(*) FROM task").fetchone()
    connection.close()
    assert configs == (20, 20)
    assert tasks == (2,)


def test_equal_values_of_different_types_are_different_configs(path: Path) -> None:
    values = [True, 1, 1.0, "1", None]
    with Journal.create(path) as journal:
        for i, value in enumerate(values):
            journal.start(trial(i, config=Config({"flag": value})))
            journal.finish(outcome(i))
        found = [run.trial.config["flag"] for run in journal.history()]
    assert [repr(value) for value in found] == [repr(value) for value in values]


def test_the_description_is_kept(path: Path) -> None:
    written(path, 0)
    with JournalReader(path) as reader:
        meta = reader.meta
    assert (meta.scenario, meta.seed) == ('{"command":"solve"}', 3)
    assert meta.version
    assert meta.created


def test_a_description_of_any_text_is_kept(path: Path) -> None:
    with Journal.create(path, scenario="undecodable \udcff") as journal:
        assert journal.meta.scenario == "undecodable \udcff"


def test_a_trial_is_started_once(path: Path) -> None:
    with Journal.create(path) as journal:
        journal.start(trial(0))
        with pytest.raises(JournalError, match="trial 0 has been started already"):
            journal.start(trial(0))


def test_a_trial_ends_once(path: Path) -> None:
    with Journal.create(path) as journal:
        write(journal, [0])
        with pytest.raises(JournalError, match="trial 0 has an outcome already"):
            journal.finish(outcome(0))


def test_an_unknown_trial_cannot_end(path: Path) -> None:
    with Journal.create(path) as journal, pytest.raises(JournalError, match="trial 5 has never been started"):
        journal.finish(outcome(5))


def test_a_decision_is_written_once(path: Path) -> None:
    with Journal.create(path) as journal:
        journal.decide(0, overhead_s=0.1)
        with pytest.raises(JournalError, match="decision 0 has been written already"):
            journal.decide(0, overhead_s=0.1)


def test_a_refused_entry_leaves_nothing_behind(path: Path) -> None:
    with Journal.create(path) as journal:
        write(journal, [0])
        with pytest.raises(JournalError):
            journal.start(trial(0, config=Config({"fresh": 1})))
        with pytest.raises(JournalError, match="integer of more than 64 bits"):
            journal.start(trial(1, task=Task("", 2**63)))
        write(journal, [1])
        journal.check()
        assert list(journal.history()) == [run(0), run(1)]


def test_entries_of_another_journal_are_appended_in_one_commit(path: Path) -> None:
    written(path, 4)
    with JournalReader(path) as reader, Journal.create(path.with_name("copy")) as copy:
        with pytest.raises(JournalError, match="started already"):
            copy.extend([*reader.entries(), *reader.entries()])
        assert len(copy.history()) == 0
        copy.extend(reader.entries())
        assert copy.history() == reader.history()


def test_a_closed_journal_is_one_file_that_needs_no_log(path: Path) -> None:
    written(path, 3)
    assert sorted(item.name for item in path.parent.iterdir()) == ["run.journal", "run.journal.lock"]
    assert path.read_bytes()[18:20] == b"\x01\x01"


def test_closing_twice_has_no_effect(path: Path) -> None:
    journal = Journal.create(path)
    journal.close()
    journal.close()


def test_a_closed_journal_takes_nothing_more(path: Path) -> None:
    journal = Journal.create(path)
    journal.close()
    with pytest.raises(JournalError, match="closed"):
        journal.start(trial(0))
    with pytest.raises(JournalError, match="closed"):
        journal.history()


def test_another_thread_is_refused(path: Path) -> None:
    caught: list[Exception] = []

    def use(journal: Journal) -> None:
        try:
            journal.start(trial(0))
        except JournalError as error:
            caught.append(error)

    with Journal.create(path) as journal:
        thread = threading.Thread(target=use, args=[journal])
        thread.start()
        thread.join()
    assert "thread" in str(caught[0])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_may_not_write(path: Path) -> None:
    with Journal.create(path) as journal:
        child = os.fork()
        if child == 0:
            try:
                journal.start(trial(0))
            except JournalError:
                os._exit(7)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 7
        write(journal, [0])
