"""Dask keeps the contract of executors; its workers are separate processes, and some of them are killed."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing import resource_tracker
from pathlib import Path

import pytest

from cluster import Cluster, kill
from contract.executor_contract import collect, start
from contract.test_pool import CommandContract, shell
from survivors import await_end, new_mark, survivors
from tightrope.errors import ExecutorError
from tightrope.records import Config, Status, Trial
from tightrope.run import CommandTarget, Dask, Executor, FunctionTarget

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the supervisor is for Linux"),
]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Start a scheduler and a worker with two threads; a test may add another one, and kill it."""
    with Cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        cluster.add_worker("one", threads=2)
        dask(cluster, patience_s=120.0).open(CommandTarget("true")).close()  # from here on all is ready
        yield cluster


@pytest.fixture
def mark() -> dict[str, str]:
    return new_mark()


@pytest.fixture
def target(mark: dict[str, str]) -> CommandTarget:
    return CommandTarget(["sh", "-c", "{parameters}"], parameters="{value}", env=mark)


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


@pytest.fixture
def endless(pipe: Path) -> Trial:
    """Write the pid of its supervisor to a pipe, then sleep with a child in another session."""
    return shell(f"setsid sleep 10000 & echo $PPID > {pipe}; sleep 10000", number=4, cap=5000.0)


def dask(cluster: Cluster, *, n_workers: int = 1, patience_s: float = 60.0) -> Dask:
    return Dask(scheduler_file=cluster.file, n_workers=n_workers, patience_s=patience_s, log=None)


def await_supervisors(pipe: Path, n: int) -> list[int]:
    """Return the pids of the supervisors of the runs that have started."""
    said = b""
    reader = os.open(pipe, os.O_RDWR)  # so that it never ends, however many write one after the other
    while said.count(b"\n") < n:
        assert select.select([reader], [], [], 120.0)[0] == [reader], "the runs have not started"
        said += os.read(reader, 1000)
    os.close(reader)
    return [int(line) for line in said.split()]


class TestContract(CommandContract):
    @pytest.fixture
    def executor(self, cluster: Cluster, target: CommandTarget) -> Iterator[Executor]:
        with dask(cluster).open(target) as executor:
            yield executor


def test_a_worker_that_comes_later_gets_a_trial_and_loses_it_when_killed_while_others_go_on(
    cluster: Cluster, target: CommandTarget, mark: dict[str, str], endless: Trial, pipe: Path
) -> None:
    with dask(cluster).open(target) as executor:
        start(executor, endless, range(2))
        late = cluster.add_worker("late")
        while executor.slots < 3:
            assert late.poll() is None
            assert list(executor.wait(1.0)) == []
        executor.start(replace(endless, id=2))
        await_supervisors(pipe, 3)
        kill(late)
        (lost,) = collect(executor, 1)
        assert (lost.trial_id, lost.status) == (2, Status.LOST)
        assert lost.note.startswith("its worker late (tcp://")
        assert executor.slots == 2
        for trial_id in range(2):
            executor.cancel(trial_id)
        assert [each.status for each in collect(executor, 2)] == [Status.CAPPED, Status.CAPPED]
        executor.start(shell("exit 0", number=2))
        assert [each.status for each in collect(executor, 1)] == [Status.DONE]
    await_end(survivors(mark))
    assert survivors(mark) == []


def test_a_worker_that_keeps_losing_runs_is_benched_and_named(
    cluster: Cluster, target: CommandTarget, endless: Trial, pipe: Path
) -> None:
    with dask(cluster, patience_s=4.0).open(target) as executor:
        for number in range(3):
            executor.start(replace(endless, id=number))
            (supervisor,) = await_supervisors(pipe, 1)
            os.kill(supervisor, signal.SIGKILL)
            assert [each.status for each in collect(executor, 1)] == [Status.LOST]
        (finding,) = executor.findings()
        assert (finding.code, finding.where.split(" (")[0]) == ("W01", "worker one")
        assert executor.slots == 0
        with pytest.raises(ExecutorError, match=r"no worker at .* for 4 s; benched for losing runs: one \("):
            executor.wait()


# Opens an executor, starts a run, and waits until it is killed itself.
DRIVER = """
import sys
from tightrope.records import Config, Trial
from tightrope.run import CommandTarget, Dask
with Dask(scheduler_file=sys.argv[1], log=None).open(CommandTarget(["sh", "-c", sys.argv[2]])) as executor:
    executor.start(Trial(0, Config({})))
    executor.wait()
"""


def test_runs_whose_driver_is_killed_are_killed(cluster: Cluster, endless: Trial, pipe: Path) -> None:
    script = endless.config["script"]
    driver = subprocess.Popen([sys.executable, "-c", DRIVER, cluster.file, script])
    (supervisor,) = await_supervisors(pipe, 1)
    kill(driver)
    await_end([supervisor])


def test_functions_run_on_workers_as_well(cluster: Cluster) -> None:
    with dask(cluster).open(FunctionTarget("builtins:len")) as executor:
        start(executor, Trial(0, Config({"x": 0.5})), range(2))
        outcomes = collect(executor, 2)
    assert [(each.status, each.cost) for each in outcomes] == [(Status.DONE, 1.0)] * 2


class Foreign(CommandTarget):
    """A target from a module that workers do not have."""


def test_a_target_that_workers_cannot_load_is_an_error_with_its_cause(cluster: Cluster) -> None:
    with pytest.raises(ExecutorError, match=r"cannot load the target: .*No module named"):
        dask(cluster).open(Foreign("true"))


def test_workers_that_do_not_come_are_counted(cluster: Cluster, target: CommandTarget) -> None:
    with pytest.raises(ExecutorError, match=r"only 1 of 9 workers joined tcp://.* within 4 s"):
        dask(cluster, n_workers=9, patience_s=4.0).open(target)


def test_a_scheduler_can_be_named_by_its_address(cluster: Cluster, target: CommandTarget) -> None:
    with dask(cluster).open(target) as executor:
        address = str(executor).removeprefix("DaskExecutor(").split(",")[0]
    with Dask(address, log=None).open(target) as executor:
        assert executor.slots == 2


def test_a_cluster_on_this_machine_is_started_and_ended(
    target: CommandTarget,
    mark: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    resource_tracker.ensure_running()  # Python starts it once for all processes, and it stays
    monkeypatch.setenv(*next(iter(mark.items())))
    log = tmp_path / "dask.log"
    with Dask(n_workers=1, log=str(log)).open(target) as executor:
        monkeypatch.undo()
        executor.start(shell("exit 0"))
        assert [each.status for each in collect(executor, 1)] == [Status.DONE]
    assert survivors(mark) == []
    assert "distributed.worker" in log.read_text()
    assert capfd.readouterr() == ("", "")
