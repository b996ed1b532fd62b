"""The supervisor stops, measures and clears away whole process trees, however badly they behave."""

import os
import resource
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from survivors import new_mark, survivors
from tightrope.errors import TargetError
from tightrope.run.supervise.report import Ending, Reason
from tightrope.run.supervise.supervisor import Limits, Supervised, find_supervisor

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the supervisor is for Linux")

ADVERSARY = Path(__file__).parents[3] / "targets" / "adversary.py"
PYTHON = [sys.executable, "-I", "-S"]
BURNT_S = 0.2  # by each burning process of the adversary

Run = Callable[..., Ending]


def adversary(*words: str) -> list[str]:
    return [*PYTHON, str(ADVERSARY), *words]


def finish(supervised: Supervised) -> Ending | None:
    while not supervised.is_over():
        select.select([supervised], [], [])
    supervised.close()
    return supervised.ending()


@pytest.fixture
def mark() -> Iterator[dict[str, str]]:
    """Mark a test's processes, so that a failure does not leave any behind."""
    mark = new_mark()
    yield mark
    for pid in survivors(mark):
        os.kill(pid, signal.SIGKILL)


@pytest.fixture
def run(mark: dict[str, str]) -> Iterator[Run]:
    """Run a command to its end; afterwards nothing of it may be left."""

    def run_command(command: list[str], **limits: object) -> Ending:
        ending = finish(Supervised(command, Limits(**limits), env=mark))  # type: ignore[arg-type]
        assert ending is not None
        assert ending.stubborn == 0
        return ending

    yield run_command
    assert survivors(mark) == []


def test_a_spinner_is_stopped_at_its_cpu_cap(run: Run) -> None:
    ending = run(adversary("spin"), cap_s=0.3)
    assert ending.reason is Reason.CAP
    assert ending.cpu_s >= 0.3


def test_a_sleeper_is_stopped_at_its_wall_cap(run: Run) -> None:
    ending = run(adversary("sleep"), clock="wall", cap_s=0.3)
    assert ending.reason is Reason.CAP
    assert ending.wall_s >= 0.3


def test_a_sleeper_does_not_outlast_the_guard_of_its_cpu_cap(run: Run) -> None:
    ending = run(adversary("sleep"), cap_s=10.0, guard_s=0.3)
    assert ending.reason is Reason.GUARD
    assert ending.cpu_s < 10.0


def test_working_in_a_second_thread_is_not_sleeping(run: Run) -> None:
    ending = run(adversary("wait_for_thread"), guard_s=0.5)
    assert ending.reason is Reason.EXITED
    assert ending.cpu_s >= 5 * BURNT_S


@pytest.mark.parametrize("way", ["deaf", "scatter", "bomb", "disowned", "leaderless"])
def test_a_tree_that_resists_is_killed_at_its_cap(run: Run, way: str) -> None:
    ending = run(adversary(way), cap_s=0.5, guard_s=60.0)
    assert ending.reason is Reason.CAP
    assert ending.cpu_s >= 0.5


@pytest.mark.parametrize("way", ["stop", "zombies", "bomb"])
def test_a_tree_that_idles_is_killed_at_its_wall_cap(run: Run, way: str) -> None:
    assert run(adversary(way), clock="wall", cap_s=0.5).reason is Reason.CAP


def test_what_a_target_leaves_behind_is_killed_and_counted(run: Run) -> None:
    ending = run(adversary("leave_daemon"))
    assert (ending.reason, ending.exit_code, ending.leftover) == (Reason.EXITED, 0, 1)


def test_a_process_that_hands_over_to_a_child_all_the_time_does_not_escape(run: Run) -> None:
    assert run(adversary("hop")).reason is Reason.EXITED


@pytest.mark.parametrize(("way", "n"), [("grandchildren", 2), ("orphans", 1), ("unwaited", 1)])
def test_time_of_descendants_counts_after_they_have_ended(run: Run, way: str, n: int) -> None:
    ending = run(adversary(way))
    assert ending.exit_code == 0
    assert ending.cpu_s >= n * BURNT_S


def test_the_measured_time_is_not_more_than_the_kernel_counts(run: Run) -> None:
    ending = run(adversary("grandchildren"))
    cpu_s = (
        os.times().children_user + os.times().children_system
    )  # of all children so far, supervisors as well
    assert ending.cpu_s <= cpu_s


def test_a_target_may_answer_when_it_is_asked_to_end(run: Run) -> None:
    ending = run(adversary("polite"), cap_s=0.2, grace_s=30.0)
    assert (ending.reason, ending.exit_code) == (Reason.CAP, 0)
    assert ending.stdout.text == "best so far: 42\n"


def test_a_gigabyte_of_output_is_read_and_its_end_is_kept(run: Run) -> None:
    ending = run(adversary("flood"), keep_kb=4)
    assert ending.exit_code == 0
    assert (len(ending.stdout.head), len(ending.stdout.tail)) == (4096, 4096)
    assert ending.stdout.missing == 2**30 + 12 - 8192
    assert ending.stdout.tail.endswith(b"\0\nlast words\n")


def test_output_that_fits_is_kept_byte_for_byte(run: Run) -> None:
    ending = run(adversary("binary"))
    assert ending.stdout.head == bytes(range(256))
    assert ending.stderr.head == bytes(reversed(range(256)))
    assert ending.stdout.missing == 0


def test_a_target_may_close_its_output(run: Run) -> None:
    ending = run(adversary("mute"))
    assert ending.exit_code == 0
    assert ending.cpu_s >= BURNT_S


def test_a_signal_that_ends_a_target_is_a_negative_exit_code(run: Run) -> None:
    ending = run(adversary("crash"))
    assert (ending.reason, ending.exit_code) == (Reason.EXITED, -signal.SIGSEGV)
    assert ending.stderr.text == "about to crash\n"


def test_memory_of_the_whole_tree_is_limited(run: Run) -> None:
    ending = run(adversary("hog"), memory_mb=150.0)
    assert ending.reason is Reason.MEMORY
    assert ending.peak_mb > 149.9  # a control group never lets it be more than the limit, in whole pages


def test_memory_that_processes_share_counts_once(run: Run) -> None:
    ending = run(adversary("share"), memory_mb=250.0)
    assert ending.peak_mb > 250.0  # as a plain sum
    assert ending.reason is Reason.EXITED


def test_memory_below_the_limit_is_allowed(run: Run) -> None:
    ending = run(adversary("binary"), memory_mb=150.0)
    assert ending.reason is Reason.EXITED
    assert 0 < ending.peak_mb < 150.0


def test_a_program_that_does_not_exist_is_not_started(run: Run) -> None:
    ending = run(["./no-such-program"])
    assert (ending.reason, os.strerror(ending.error_number)) == (
        Reason.UNSTARTED,
        "No such file or directory",
    )


def test_a_target_is_pinned_to_cores_and_dumps_no_core(mark: dict[str, str]) -> None:
    core = min(os.sched_getaffinity(0))
    before = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (before[1], before[1]))
    ending = finish(Supervised(adversary("dump"), Limits(), env=mark, cores=[core]))
    resource.setrlimit(resource.RLIMIT_CORE, before)
    assert ending is not None
    assert ending.stdout.text == f"0\n[{core}]\n"


def test_a_run_is_cancelled_on_request(mark: dict[str, str], tmp_path: Path) -> None:
    supervised = start_and_await(tmp_path, mark)
    supervised.cancel()
    ending = finish(supervised)
    assert ending is not None
    assert ending.reason is Reason.CANCELLED
    assert survivors(mark) == []


def test_closing_a_run_kills_its_tree(mark: dict[str, str], tmp_path: Path) -> None:
    start_and_await(tmp_path, mark).close()
    assert survivors(mark) == []


def test_a_supervisor_that_is_told_to_end_kills_its_tree(mark: dict[str, str], tmp_path: Path) -> None:
    supervised = start_and_await(tmp_path, mark)
    os.kill(supervised.pid, signal.SIGTERM)
    ending = finish(supervised)
    assert ending is not None
    assert ending.reason is Reason.DRIVER
    assert survivors(mark) == []


def test_a_supervisor_that_is_killed_takes_its_target_along(mark: dict[str, str], tmp_path: Path) -> None:
    fifo = make_fifo(tmp_path)
    supervised = Supervised(["sh", "-c", 'echo $$ > "$0"; exec sleep 1000', str(fifo)], Limits(), env=mark)
    target = os.pidfd_open(int(fifo.read_text()))
    os.kill(supervised.pid, signal.SIGKILL)
    assert finish(supervised) is None
    assert select.select([target], [], [], 60.0)[0] == [target]
    os.close(target)


def test_a_driver_that_is_killed_leaves_nothing_running(mark: dict[str, str], tmp_path: Path) -> None:
    fifo = make_fifo(tmp_path)
    driver = subprocess.Popen(
        [*PYTHON[:1], "-c", DRIVER, *adversary("ready", str(fifo))], env=os.environ | mark
    )
    assert fifo.read_text() == "ready"
    orphans = [os.pidfd_open(pid) for pid in survivors(mark) if pid != driver.pid]
    driver.kill()
    driver.wait()
    for orphan in orphans:
        assert select.select([orphan], [], [], 60.0)[0] == [orphan]
        os.close(orphan)
    assert len(orphans) == 3  # the supervisor, the target, its daemon
    assert survivors(mark) == []


DRIVER = """
import select, sys
from tightrope.run.supervise.supervisor import Limits, Supervised
supervised = Supervised(sys.argv[1:], Limits())
select.select([supervised], [], [])
"""


def test_a_fork_of_the_driver_does_not_keep_a_run_alive(mark: dict[str, str], tmp_path: Path) -> None:
    fifo = make_fifo(tmp_path)
    script = DRIVER.replace(
        "select.select", "import os\nos.fork() or print('forked', flush=True)\nselect.select"
    )
    command = [*PYTHON[:1], "-c", script, *adversary("ready", str(fifo))]
    with subprocess.Popen(command, env=os.environ | mark, stdout=subprocess.PIPE) as driver:
        assert driver.stdout is not None
        assert driver.stdout.readline() == b"forked\n"
        assert fifo.read_text() == "ready"
        targets = [os.pidfd_open(pid) for pid in survivors(mark) if is_adversary(pid)]
        driver.kill()
        driver.wait()
        for target in targets:
            assert select.select([target], [], [], 60.0)[0] == [target]
            os.close(target)
        assert len(targets) == 2  # the target and its daemon
        for pid in survivors(mark):  # the fork itself
            os.kill(pid, signal.SIGKILL)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="nowhere"):
        Supervised(["true"], Limits(), cwd=str(tmp_path / "nowhere"))


def test_words_that_it_does_not_know_are_refused() -> None:
    done = subprocess.run([find_supervisor(), "cup=1", "--", "true"], capture_output=True, check=False)
    assert done.returncode == 2
    assert b"cannot read cup=1" in done.stderr


def make_fifo(folder: Path) -> Path:
    os.mkfifo(folder / "fifo")
    return folder / "fifo"


def start_and_await(folder: Path, mark: dict[str, str]) -> Supervised:
    """Start a tree that resists, and return when it is complete."""
    fifo = make_fifo(folder)
    supervised = Supervised(adversary("ready", str(fifo)), Limits(), env=mark)
    assert fifo.read_text() == "ready"
    return supervised


def is_adversary(pid: int) -> bool:
    words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    return words[: len(adversary())] == [word.encode() for word in adversary()]
