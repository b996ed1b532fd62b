"""A writer is killed at random instants: its commits are there, once, and the next writer continues."""

import os
import random
import secrets
import signal
import struct
import time
from pathlib import Path
from typing import Literal

import pytest

from journals import outcome, run, trial
from tightrope.errors import JournalError
from tightrope.records import Outcome
from tightrope.store import Journal, JournalReader
from tightrope.store.reader import is_blank

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here"),
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]
RUNS_PER_OPENING = 6  # so that kills also hit opening and closing
MOST_COMMITS = 20  # that the parent waits for
MOST_DELAY_S = 0.004
NUMBER = struct.Struct("<q")

Disk = Literal["local", "network"]


def write_for_ever(path: Path, *, disk: Disk, log_pages: int, sender: int) -> None:
    """Finish pending trials, then continue; print each outcome's number once it is committed."""
    while True:
        with (Journal.create if is_blank(path) else Journal.open)(path, disk=disk) as journal:
            journal._connection.execute(f"PRAGMA wal_autocheckpoint = {log_pages}")
            pending = [trial.id for trial in journal.pending()]
            first = len(journal.history()) + len(pending)
            for i in (*pending, *range(first, first + RUNS_PER_OPENING)):
                if i not in pending:
                    journal.start(trial(i))
                journal.finish(outcome(i))
                os.write(sender, NUMBER.pack(i))


def killed_writer(path: Path, *, disk: Disk, rng: random.Random) -> tuple[int, list[int]]:
    """Run a writer until a random instant; return its process id and the outcomes it reported."""
    receiver, sender = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            write_for_ever(path, disk=disk, log_pages=rng.choice([2, 20, 1000]), sender=sender)
        finally:
            os._exit(1)
    os.close(sender)
    told = b""
    with os.fdopen(receiver, "rb") as pipe:
        told += pipe.read(NUMBER.size * rng.randrange(MOST_COMMITS))
        time.sleep(rng.random() * MOST_DELAY_S)  # an instant between two commits, or within one
        os.kill(child, signal.SIGKILL)
        told += pipe.read()
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL
    return child, [number for (number,) in NUMBER.iter_unpack(told)]


@pytest.mark.parametrize(("disk", "n_kills"), [("local", 30), ("network", 10)])
def test_no_committed_outcome_is_lost_or_doubled(tmp_path: Path, disk: Disk, n_kills: int) -> None:
    seed = secrets.randbits(32)
    print(f"seed {seed}")  # noqa: T201 - shown if the test fails
    rng, path = random.Random(seed), tmp_path / "run.journal"
    known = 0
    for _ in range(n_kills):
        writer, told = killed_writer(path, disk=disk, rng=rng)
        if is_blank(path):
            assert told == []
            continue
        with JournalReader(path) as reader:
            reader.check()
            assert reader.writer is None
            entries = [entry.what for entry in reader.entries()]
        with Journal.open(path, disk=disk) as journal:
            assert journal.left_by is None or journal.left_by.pid == writer
            ended = [entry.trial_id for entry in entries if isinstance(entry, Outcome)]
            assert ended == list(range(len(ended)))
            assert told == ended[known : known + len(told)]
            assert len(ended) - known - len(told) <= 1  # committed, and killed before it was reported
            assert [trial.id for trial in journal.pending()] in ([], [len(ended)])
            assert list(journal.history()) == [run(i) for i in ended]
        known = len(ended)
    assert known > 0


def test_a_reader_meets_whole_entries_only(tmp_path: Path) -> None:
    """Read again and again while another process writes, and until it is killed."""
    path = tmp_path / "run.journal"
    Journal.create(path).close()
    receiver, sender = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            write_for_ever(path, disk="local", log_pages=20, sender=sender)
        finally:
            os._exit(1)
    os.close(sender)
    seen = 0
    try:
        with JournalReader(path) as reader, os.fdopen(receiver, "rb") as pipe:
            while seen < 100:
                told = NUMBER.unpack(pipe.read(NUMBER.size))[0]
                found = [run.trial.id for run in reader.history()]
                assert found == list(range(len(found)))
                assert len(found) > told
                seen = len(found)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_a_living_writer_keeps_others_out(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    with Journal.create(path) as journal:
        child = os.fork()
        if child == 0:
            try:
                Journal.open(path)
            except JournalError:
                os._exit(7)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 7
        journal.start(trial(0))
