"""Targets that attack their supervisor or evade its limits, with control groups and without."""

import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

import tightrope.run.supervise.supervisor as supervisor
from tightrope.errors import TargetError
from tightrope.records import Config, Outcome, Status, Trial
from tightrope.run import CommandTarget, LocalPool, wait
from tightrope.run.supervise.groups import VARIABLE, Groups, find_groups
from tightrope.run.supervise.report import Reason

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the supervisor is for Linux")

ATTACKER = Path(__file__).parents[1] / "targets" / "attacker.py"
NOBODY = 65534
WITHOUT, VERSION_1, VERSION_2 = "off", "1", "2"


def groups_of(version: str) -> Groups:
    """Return the control groups of a version, or skip the test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, version)
        found = find_groups.__wrapped__()
    if version != WITHOUT and not found:
        pytest.skip(f"no control groups of version {version} may be created on this machine")
    return found


@pytest.fixture(params=[WITHOUT, VERSION_1, VERSION_2])
def groups(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Groups:
    found = groups_of(request.param)
    monkeypatch.setattr(supervisor, "find_groups", lambda: found)
    return found


@pytest.fixture(params=[VERSION_1, VERSION_2])
def real_groups(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Groups:
    found = groups_of(request.param)
    monkeypatch.setattr(supervisor, "find_groups", lambda: found)
    return found


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look after supervisors ten times as often."""
    for module in ("supervise.pulse", "target", "pool"):
        monkeypatch.setattr(f"tightrope.run.{module}.CHECK_S", 0.1)


@pytest.fixture
def word() -> Iterator[str]:
    """Return a word for the command line of all processes of a test; kill what a failed test leaves."""
    word = f"attack-{uuid.uuid4().hex}"
    yield word
    for pid in left_running(word):
        os.kill(pid, signal.SIGKILL)


def left_running(word: str) -> list[int]:
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
    return [pid for pid in pids if word.encode() in read(Path(f"/proc/{pid}/cmdline"))]


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def attack(way: str, word: str, *, cap: float = 60.0, **settings: object) -> Outcome:
    """Run the attacker to its outcome; no control group of it may be left."""
    command = [sys.executable, "-I", "-S", str(ATTACKER), way, word]
    process = CommandTarget(command, **settings).start(Trial(0, Config({}), cap=cap))  # type: ignore[arg-type]
    outcome = wait(process)
    assert outcome is not None
    assert list(Path("/sys/fs/cgroup").rglob(f"tightrope-{process.mark}")) == []
    return outcome


@pytest.mark.usefixtures("hasty", "groups")
@pytest.mark.parametrize("way", ["stop", "stop_and_end"])
def test_a_target_that_stops_its_supervisor_fails_and_nothing_is_left(word: str, way: str) -> None:
    outcome = attack(way, word)
    assert (outcome.status, outcome.note) == (Status.FAILED, "it stopped its supervisor")
    assert left_running(word) == []


@pytest.mark.usefixtures("hasty")
@pytest.mark.skipif(os.getuid() != 0, reason="only root can trace a supervisor")
def test_a_target_that_traces_its_supervisor_fails_and_nothing_is_left(word: str) -> None:
    assert attack("trace", word).note == "it stopped its supervisor"
    assert left_running(word) == []


@pytest.mark.usefixtures("hasty")
def test_a_supervisor_that_others_stop_with_its_whole_tree_loses_the_run(word: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    script = f"echo $$ > {tmp_path}/fifo; while :; do :; done"
    process = CommandTarget(["sh", "-c", script, word]).start(Trial(0, Config({}), cap=60.0))
    target = int((tmp_path / "fifo").read_text())
    os.kill(target, signal.SIGSTOP)
    os.kill(process.supervisor_pid, signal.SIGSTOP)
    outcome = wait(process)
    assert outcome is not None
    assert (outcome.status, outcome.note) == (Status.LOST, "its supervisor was killed")
    assert left_running(word) == []


def test_no_stopped_supervisor_outlives_the_pool(word: str) -> None:
    target = CommandTarget([sys.executable, "-I", "-S", str(ATTACKER), "stop", word])
    with LocalPool(2, oversubscribe=True).open(target) as executor:
        for number in range(2):
            executor.start(Trial(number, Config({}), cap=60.0))
        assert list(executor.wait(0.3)) == []
    assert left_running(word) == []


@pytest.mark.usefixtures("hasty")
def test_a_pool_goes_on_with_other_runs_while_supervisors_are_stopped(word: str) -> None:
    target = CommandTarget(
        [sys.executable, "-I", "-S", str(ATTACKER), "{parameters}", word], parameters="{value}"
    )
    ways = ["stop", "forge", "stop", "forge", "forge", "stop"]
    outcomes: list[Outcome] = []
    with LocalPool(2, oversubscribe=True).open(target) as executor:
        for number, way in enumerate(ways):
            while number - len(outcomes) >= executor.slots:
                outcomes += executor.wait()
            executor.start(Trial(number, Config({"way": way}), cap=60.0))
        while len(outcomes) < len(ways):
            outcomes += executor.wait()
    assert {outcome.status for outcome in outcomes} == {Status.FAILED}
    assert left_running(word) == []


@pytest.mark.usefixtures("groups")
@pytest.mark.parametrize("way", ["forge", "forge_and_hold"])
def test_a_forged_report_is_not_believed(word: str, way: str) -> None:
    outcome = attack(way, word)
    assert outcome.status is Status.FAILED
    assert outcome.note.startswith("exit code 7")
    assert left_running(word) == []


def test_a_flood_into_the_report_is_ignored(word: str) -> None:
    assert attack("babble", word).status is Status.DONE


def test_a_target_cannot_cancel_itself(word: str) -> None:
    assert attack("cancel", word).note.startswith("exit code 7")


def test_a_target_of_an_ordinary_user_cannot_look_into_its_supervisor() -> None:
    script = (
        "for f in fd/0 fd/1 mem environ; do (exec 3< /proc/$PPID/$f) 2> /dev/null && exit 9; done; exit 5"
    )
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        program = shutil.copy(supervisor.find_supervisor(), folder)
        done = subprocess.run(
            [program, "token=4", "--", "sh", "-c", script],
            stdin=Input(b"abcd").reader,
            capture_output=True,
            user=NOBODY if os.getuid() == 0 else None,
            check=True,
        )
    assert done.stdout.startswith(b"token=abcd reason=exited code=5 ")


class Input:
    """A pipe that holds some bytes and stays open."""

    def __init__(self, content: bytes) -> None:
        self.reader, self._writer = os.pipe()
        os.write(self._writer, content)


@pytest.mark.usefixtures("real_groups")
def test_time_of_children_that_nobody_waits_for_is_counted(word: str) -> None:
    outcome = attack("ignore_children", word, cap=0.3)
    assert outcome.status is Status.CAPPED
    assert outcome.wall_s < 10.0  # without groups it takes about fifteen times as long


@pytest.mark.usefixtures("groups")
def test_chains_of_forks_end_soon_after_their_cap(word: str) -> None:
    outcome = attack("chain", word, cap=0.3)
    assert outcome.status is Status.CAPPED
    assert 0.3 <= outcome.cpu_s < 2.0
    assert left_running(word) == []


def test_memory_that_is_not_mapped_is_limited(real_groups: Groups, word: str) -> None:
    if not real_groups.counts_memory:
        pytest.skip("these control groups do not count memory")
    outcome = attack("hoard", word, memory_mb=300)
    assert outcome.status is Status.FAILED
    assert "more than its memory limit" in outcome.note


def test_the_number_of_processes_is_limited(real_groups: Groups, word: str) -> None:
    if not real_groups.limits_processes:
        pytest.skip("these control groups do not limit processes")
    outcome = attack("multiply", word, processes=20)
    assert outcome.status is Status.FAILED
    assert "Resource temporarily unavailable" in outcome.note


def test_without_control_groups_a_limit_on_processes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "find_groups", Groups)
    with pytest.raises(TargetError, match="needs control groups"):
        CommandTarget("true", processes=20).start(Trial(0, Config({}), cap=1.0))


@pytest.mark.slow
def test_time_that_nothing_accounts_for_is_limited_without_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    if os.getloadavg()[0] > (os.cpu_count() or 1):
        pytest.skip("the machine is busy, and the limit on wall time grows with its load")
    monkeypatch.setattr(supervisor, "find_groups", Groups)
    command = [sys.executable, "-I", "-S", str(ATTACKER), "ignore_children"]
    supervised = supervisor.Supervised(command, supervisor.Limits(cap_s=1000.0, guard_s=1.0))
    while not supervised.is_over():
        select.select([supervised], [], [])
    supervised.close()
    ending = supervised.ending()
    assert ending is not None
    assert ending.reason is Reason.HIDDEN
    assert ending.cpu_s < ending.wall_s


@pytest.mark.usefixtures("real_groups")
def test_an_orphan_without_environment_ends_with_a_killed_supervisor(word: str) -> None:
    outcome = attack("orphan", word)
    assert (outcome.status, outcome.note) == (Status.LOST, "its supervisor was killed")
    assert left_running(word) == []


@pytest.mark.usefixtures("real_groups")
def test_groups_measure_what_the_kernel_counts_for_ordinary_runs() -> None:
    script = "import time\nwhile time.process_time() < 0.2: pass"
    outcome = wait(
        CommandTarget([sys.executable, "-I", "-S", "-c", script]).start(Trial(0, Config({}), cap=60.0))
    )
    assert outcome is not None
    assert outcome.status is Status.DONE
    assert 0.2 <= outcome.cpu_s < 0.4
