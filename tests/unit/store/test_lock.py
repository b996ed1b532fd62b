"""The writer's lock: one named holder; the lock of a dead process is taken over."""

import json
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from journals import write
from tightrope.errors import JournalError
from tightrope.store import Holder, Journal, JournalReader

HOLD = """
import sys
from tightrope.store import Journal
journal = Journal.create(sys.argv[1])
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run.journal"


def hold(path: Path) -> subprocess.Popen[str]:
    """Start a process that writes a journal until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def leave(path: Path, *, host: str) -> None:
    """Write the lock file that a writer leaves when it dies on a host."""
    Journal.create(path).close()
    holder = {"pid": 2**22 + 1, "host": host, "since": "2026-01-01T00:00:00+00:00"}
    path.with_name(path.name + ".lock").write_text(json.dumps(holder))


def test_a_second_writer_gets_an_error_that_names_the_first(path: Path) -> None:
    with hold(path) as process:
        with pytest.raises(JournalError) as caught:
            Journal.open(path)
        process.communicate()
    message = str(caught.value)
    assert f"being written by process {process.pid} on {socket.gethostname()} since 20" in message
    assert "wait for that process or stop it" in message


def test_a_second_writer_in_the_same_process_is_refused(path: Path) -> None:
    with Journal.create(path), pytest.raises(JournalError, match=f"process {os.getpid()}"):
        Journal.open(path)


def test_a_refused_writer_does_not_disturb_the_first(path: Path) -> None:
    with Journal.create(path) as journal:
        for _ in range(2):
            with pytest.raises(JournalError, match="being written"):
                Journal.open(path)
        write(journal, [0])


def test_readers_see_the_writer(path: Path) -> None:
    with Journal.create(path), JournalReader(path) as reader:
        assert reader.writer is not None
        assert reader.writer.pid == os.getpid()
        assert reader.writer.is_here


def test_after_closing_there_is_no_writer(path: Path) -> None:
    Journal.create(path).close()
    with JournalReader(path) as reader:
        assert reader.writer is None


def test_the_lock_of_a_killed_process_is_taken_over(path: Path) -> None:
    with hold(path) as process:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    with JournalReader(path) as reader:
        assert reader.writer is None
    with Journal.open(path) as journal:
        assert journal.left_by is not None
        assert journal.left_by.pid == process.pid


def test_a_closed_journal_has_no_crashed_writer(path: Path) -> None:
    Journal.create(path).close()
    with Journal.open(path) as journal:
        assert journal.left_by is None


def test_on_a_network_disk_another_hosts_lock_is_respected(path: Path) -> None:
    leave(path, host="elsewhere")
    with pytest.raises(JournalError, match=r"process \d+ on elsewhere since .* delete .*run\.journal\.lock"):
        Journal.open(path, disk="network")
    path.with_name(path.name + ".lock").unlink()
    Journal.open(path, disk="network").close()


def test_on_a_network_disk_our_own_hosts_lock_is_taken_over(path: Path) -> None:
    leave(path, host=socket.gethostname())
    Journal.open(path, disk="network").close()


def test_on_a_local_disk_a_renamed_hosts_lock_is_taken_over(path: Path) -> None:
    leave(path, host="a-container-that-is-gone")
    with Journal.open(path, disk="local") as journal:
        assert journal.left_by == Holder(2**22 + 1, "a-container-that-is-gone", "2026-01-01T00:00:00+00:00")


def test_an_invalid_lock_file_is_taken_over(path: Path) -> None:
    Journal.create(path).close()
    path.with_name(path.name + ".lock").write_bytes(b"\xff{]")
    with Journal.open(path) as journal:
        assert journal.left_by is None


def _work(ready: "multiprocessing.synchronize.Event", done: "multiprocessing.synchronize.Event") -> None:
    ready.set()
    done.wait()


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_worker_does_not_keep_the_lock(path: Path) -> None:
    context = multiprocessing.get_context("fork")
    ready, done = context.Event(), context.Event()
    journal = Journal.create(path)
    worker = context.Process(target=_work, args=[ready, done])
    worker.start()
    ready.wait()
    journal._connection.close()
    journal._lock.forget()  # as the kernel does when a process is killed
    Journal.open(path).close()
    done.set()
    worker.join()
