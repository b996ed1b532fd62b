"""Streaming the runs of a journal: the same as its history, in memory that does not grow with it."""

import tracemalloc
from pathlib import Path

from journals import outcome, run, trial, written
from tightrope.store import Journal, JournalReader
from tightrope.store.stream import Began, Ended


def test_the_runs_are_those_of_the_history(tmp_path: Path) -> None:
    path = written(tmp_path / "run.journal", 30)
    with JournalReader(path) as reader:
        steps = list(reader.stream())
        history = reader.history()
    ended = [step for step in steps if isinstance(step, Ended)]
    assert [each.run for each in ended] == list(history)
    assert [each.ended_s for each in ended] == history.columns.ended_s.tolist()
    assert [each.config - 1 for each in ended] == history.columns.config.tolist()


def test_trials_come_before_their_runs_and_pending_ones_have_none(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    with Journal.create(path) as journal:
        journal.record([trial(0), trial(1), outcome(1), trial(2)])
    with JournalReader(path) as reader:
        steps = list(reader.stream())
    assert [step.trial.id if isinstance(step, Began) else step.run for step in steps] == [0, 1, run(1), 2]


def peak_bytes(path: Path, n: int) -> int:
    with Journal.create(path) as journal:
        journal.record(step for i in range(n) for step in (trial(i), outcome(i)))
    with JournalReader(path) as reader:
        tracemalloc.start()
        assert sum(isinstance(step, Ended) for step in reader.stream()) == n
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return peak


def test_memory_does_not_grow_with_the_number_of_runs(tmp_path: Path) -> None:
    few, many = (peak_bytes(tmp_path / f"{n}.journal", n) for n in (4_000, 16_000))
    assert many < 1.5 * few + 10_000 * 600  # at most 10 000 configs are kept, of some 600 bytes
