"""Truncated logs, overwritten bytes, full disks: an error with a hint, never another traceback."""

import os
import random
import secrets
import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from journals import outcome, run, runs_in, trial, write, written
from tightrope.errors import JournalError
from tightrope.store import Journal, JournalReader, salvage

N_RUNS = 200
N_ROUNDS = 40
PAGE = 4096


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a closed journal of many pages."""
    path = tmp_path_factory.mktemp("sound") / "run.journal"
    with Journal.create(path, scenario="scenario", seed=3) as journal:
        for i in range(N_RUNS):
            journal.decide(i, overhead_s=0.1, challengers=[trial(i).config])
            write(journal, [i])
    return path


@pytest.fixture
def rng() -> random.Random:
    seed = secrets.randbits(32)
    print(f"seed {seed}")  # noqa: T201 - shown if the test fails
    return random.Random(seed)


def with_log(tmp_path: Path) -> tuple[Path, Path]:
    """Return the files that a power failure might leave: the journal, empty, and a log of 60 runs."""
    path = tmp_path / "run.journal"
    Journal.create(path).close()
    with Journal.open(path, disk="local") as journal:
        write(journal, range(60))
        left = tmp_path / "left.journal"
        shutil.copyfile(path, left)
        log = tmp_path / "left.journal-wal"
        shutil.copyfile(tmp_path / "run.journal-wal", log)
    return left, log


def test_a_log_cut_short_loses_only_its_tail(tmp_path: Path, rng: random.Random) -> None:
    left, log = with_log(tmp_path)
    whole, page = log.read_bytes(), left.read_bytes()
    found = []
    for n_bytes in sorted(rng.randrange(len(whole) + 1) for _ in range(N_ROUNDS)):
        left.write_bytes(page)
        log.write_bytes(whole[:n_bytes])
        with JournalReader(left) as reader:
            reader.check()
            runs = list(reader.history())
        assert runs == [run(i) for i in range(len(runs))]
        found.append(len(runs))
    assert found == sorted(found)
    assert found[-1] > 0
    log.write_bytes(whole)
    assert len(runs_in(left)) == 60


def test_a_log_with_a_broken_byte_loses_only_what_follows(tmp_path: Path, rng: random.Random) -> None:
    left, log = with_log(tmp_path)
    whole, page = log.read_bytes(), left.read_bytes()
    for _ in range(N_ROUNDS):
        left.write_bytes(page)
        place = rng.randrange(len(whole))
        log.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        runs = runs_in(left)
        assert runs == [run(i) for i in range(len(runs))]


def test_after_a_log_was_cut_short_writing_goes_on(tmp_path: Path) -> None:
    left, log = with_log(tmp_path)
    os.truncate(log, log.stat().st_size // 2)
    with Journal.open(left) as journal:
        n_runs, pending = len(journal.history()), journal.pending()
        for one in pending:
            journal.finish(outcome(one.id))
        write(journal, range(n_runs + len(pending), 80))
    assert runs_in(left) == [run(i) for i in range(80)]


def test_a_commit_cut_short_on_a_network_disk_is_undone_by_whoever_reads_next(tmp_path: Path) -> None:
    path, left = tmp_path / "run.journal", tmp_path / "left.journal"
    with Journal.create(path, disk="network") as journal:
        write(journal, range(3))
        connection = journal._connection
        connection.execute("PRAGMA cache_size = 2")  # so that pages reach the file before the commit
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE outcome SET cost = 77")
        connection.executemany(
            "INSERT INTO config (digest, value, sum) VALUES (?, ?, 0)", [(i, "x" * 3000) for i in range(50)]
        )
        shutil.copyfile(path, left)
        shutil.copyfile(tmp_path / "run.journal-journal", tmp_path / "left.journal-journal")
        connection.rollback()
    assert b"xxxx" in left.read_bytes()
    assert runs_in(left) == [run(i) for i in range(3)]
    with JournalReader(left) as reader:
        reader.check()


def overwrite(whole: bytes, rng: random.Random) -> bytes:
    place, n_bytes = rng.randrange(len(whole)), rng.choice([1, 16, 500])
    return (whole[:place] + rng.randbytes(n_bytes) + whole[place + n_bytes :])[: len(whole)]


def clear_a_page(whole: bytes, rng: random.Random) -> bytes:
    start = PAGE * rng.randrange(len(whole) // PAGE)
    return whole[:start] + bytes(PAGE) + whole[start + PAGE :]


def swap_pages(whole: bytes, rng: random.Random) -> bytes:
    one, other = (PAGE * rng.randrange(len(whole) // PAGE) for _ in range(2))
    swapped = bytearray(whole)
    swapped[one : one + PAGE], swapped[other : other + PAGE] = (
        whole[other : other + PAGE],
        whole[one : one + PAGE],
    )
    return bytes(swapped)


def cut(whole: bytes, rng: random.Random) -> bytes:
    return whole[: rng.randrange(1, len(whole))]


def use(path: Path) -> None:
    """Do everything one can do with a journal."""
    with JournalReader(path) as reader:
        _ = reader.meta
        list(reader.history())
        reader.pending()
        list(reader.entries())
        reader.check()
    with Journal.open(path) as journal:
        write(journal, range(10_000, 10_003))


@pytest.mark.parametrize("damage", [overwrite, clear_a_page, swap_pages, cut])
def test_a_damaged_file_gives_a_journal_error_or_is_salvaged(
    tmp_path: Path, sound: Path, rng: random.Random, damage: Callable[[bytes, random.Random], bytes]
) -> None:
    whole, path = sound.read_bytes(), tmp_path / "damaged"
    for i in range(N_ROUNDS // 4):
        harmed = damage(whole, rng)
        path.write_bytes(harmed)
        saved = tmp_path / f"saved{i}"
        try:
            salvage(path, saved)
        except JournalError as error:
            assert "nothing could be saved" in str(error)  # noqa: PT017 - most rounds raise nothing
        else:
            use(saved)
        assert path.read_bytes() == harmed
        try:
            use(path)
        except JournalError as error:
            assert error.hint  # noqa: PT017 - some damage hits nothing


def test_every_page_but_one_is_saved(tmp_path: Path, sound: Path) -> None:
    whole, path = sound.read_bytes(), tmp_path / "damaged"
    n_pages = len(whole) // PAGE
    lost = []
    for page in range(n_pages):
        path.write_bytes(whole[: page * PAGE] + bytes(PAGE) + whole[(page + 1) * PAGE :])
        try:
            saved = salvage(path, tmp_path / f"saved{page}")
        except JournalError:
            lost.append(N_RUNS)
        else:
            lost.append(N_RUNS - saved.n_outcomes)
    # A damaged index page loses nothing, a leaf loses its rows, and one of the few roots loses a table.
    assert sum(n == 0 for n in lost) >= n_pages // 4
    assert sorted(lost)[n_pages // 2] < N_RUNS // 5


def test_a_file_without_its_first_page_is_saved_whole(tmp_path: Path, sound: Path) -> None:
    path = tmp_path / "damaged"
    path.write_bytes(b"\xff" * PAGE + sound.read_bytes()[PAGE:])
    with pytest.raises(JournalError, match=r"not a journal, or its beginning is damaged.*tightrope rescue"):
        JournalReader(path)
    saved = salvage(path, tmp_path / "saved")
    assert (saved.n_trials, saved.n_outcomes, saved.n_decisions, saved.n_missing) == (
        N_RUNS,
        N_RUNS,
        N_RUNS,
        0,
    )
    assert runs_in(tmp_path / "saved") == runs_in(sound)


def test_salvaging_a_sound_journal_copies_it(tmp_path: Path, sound: Path) -> None:
    salvage(sound, tmp_path / "copy")
    with JournalReader(sound) as one, JournalReader(tmp_path / "copy") as other:
        assert list(other.entries()) == list(one.entries())
        assert (other.meta.scenario, other.meta.seed) == ("scenario", 3)


def test_salvaging_reads_the_log_too(tmp_path: Path) -> None:
    left, _ = with_log(tmp_path)
    assert salvage(left, tmp_path / "saved").n_outcomes == 60


def test_salvage_says_when_there_is_nothing(tmp_path: Path) -> None:
    path = tmp_path / "damaged"
    path.write_bytes(b"\xff" * 100_000)
    with pytest.raises(JournalError, match="nothing could be saved"):
        salvage(path, tmp_path / "saved")
    assert not (tmp_path / "saved").exists()


def test_salvage_does_not_overwrite(tmp_path: Path) -> None:
    path = written(tmp_path / "run.journal", 1)
    with pytest.raises(JournalError, match="exists already"):
        salvage(path, path)


def test_salvage_leaves_a_living_writer_alone(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    with Journal.create(path), pytest.raises(JournalError, match="is being written by process"):
        salvage(path, tmp_path / "saved")


def test_a_full_disk_loses_nothing_and_writing_can_go_on(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    with Journal.create(path) as journal:
        journal._connection.execute("PRAGMA max_page_count = 40")
        with pytest.raises(JournalError, match=r"disk full: .* nothing committed is lost; make room"):
            write(journal, count())
        n_runs = len(journal.history())
        assert n_runs > 0
        journal._connection.execute("PRAGMA max_page_count = 4000")
        for pending in journal.pending():
            journal.finish(outcome(pending.id))
        write(journal, range(len(journal.history()), n_runs + 20))
        journal.check()
    assert runs_in(path) == [run(i) for i in range(n_runs + 20)]


def _fill(path: Path, disk: str, sender: int) -> None:
    """Write under a limit of the files' size until it is reached; tell the number of runs and the error."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (70_000, 70_000))
    i = 0
    try:
        with Journal.create(path, disk=disk) as journal:  # type: ignore[arg-type]
            while True:
                write(journal, [i])
                i += 1
    except JournalError as error:
        os.write(sender, f"{i} {error}".encode())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("disk", ["local", "network"])
def test_a_disk_that_refuses_to_write_stops_the_process_cleanly(tmp_path: Path, disk: str) -> None:
    path = tmp_path / "run.journal"
    receiver, sender = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _fill(path, disk, sender)
        finally:
            os._exit(0)
    os.close(sender)
    with os.fdopen(receiver) as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    number, _, message = told.partition(" ")
    assert "nothing committed is lost" in message
    assert runs_in(path) == [run(i) for i in range(int(number))]
    with Journal.open(path) as journal:
        assert journal.left_by is None
        assert len(journal.pending()) <= 1
