"""What this machine lacks is never blamed on a config: runs wait for it, or are lost with the cause."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tightrope.run.supervise.supervisor as supervisor
from tightrope import tune
from tightrope.budget import Budget
from tightrope.errors import TargetError
from tightrope.records import Config, Outcome, Status, Trial
from tightrope.run import CommandTarget, FunctionTarget, Serial, Target
from tightrope.scenario.scenario import Scenario

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the supervisor is for Linux")

SCRIPT = Path(__file__).parents[1] / "targets" / "scarce.py"
PIDS = Path("/sys/fs/cgroup/pids")  # control groups, version 1


def end_of_all(kind: str, limit: str, **variables: str) -> dict[str, dict[str, int]]:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), kind, limit],
        capture_output=True,
        check=True,
        env=os.environ | variables,
    )
    return dict(json.loads(done.stdout))


@pytest.fixture
def pids_group() -> Iterator[Path]:
    group = PIDS / f"tightrope-test-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"no control group to limit processes with: {error}")
    yield group
    group.rmdir()


@pytest.mark.parametrize("kind", ["command", "function"])
def test_a_limit_on_open_files_makes_no_innocent_config_fail(kind: str) -> None:
    ended = end_of_all(kind, "files=36")
    assert ended == {"ends": {"DONE": 120}, "findings": {"T05 warning": 1}}


@pytest.mark.parametrize("kind", ["command", "function"])
def test_a_limit_on_processes_makes_no_innocent_config_fail(kind: str, pids_group: Path) -> None:
    ended = end_of_all(kind, "processes=18", PIDS_GROUP=str(pids_group))
    assert ended == {"ends": {"DONE": 120}, "findings": {"T05 warning": 1}}


def lost_in(target: Target) -> tuple[Outcome, str]:
    with Serial().open(target) as executor:
        executor.start(Trial(0, Config({"x": 1}), cap=10.0))
        (outcome,) = executor.wait()
        (finding,) = executor.findings()
    assert (finding.code, finding.severity.value) == ("T05", "error")
    return outcome, finding.message


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the backlog wait for nothing."""
    monkeypatch.setattr("tightrope.run.backlog.FIRST_DELAY_S", 0.001)
    monkeypatch.setattr("tightrope.run.backlog.LONGEST_DELAY_S", 0.001)


@pytest.mark.usefixtures("hasty")
def test_a_folder_that_vanishes_loses_runs_and_is_named(tmp_path: Path) -> None:
    outcome, message = lost_in(CommandTarget("true", cwd=str(tmp_path / "gone")))
    assert outcome.status is Status.LOST
    assert "gone is missing" in message


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("target", [CommandTarget("true"), FunctionTarget("builtins:len")], ids=repr)
def test_a_supervisor_that_vanishes_loses_runs(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "_PROGRAM", "no-such-supervisor")
    outcome, message = lost_in(target)
    assert outcome.status is Status.LOST
    assert "no-such-supervisor is missing" in message


def test_a_folder_that_comes_back_in_time_costs_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "late"
    with Serial().open(CommandTarget("true", cwd=str(folder))) as executor:
        executor.start(Trial(0, Config({}), cap=10.0))
        assert list(executor.wait(0.0)) == []
        folder.mkdir()
        (outcome,) = executor.wait()
        assert (outcome.status, list(executor.findings())) == (Status.DONE, [])


def test_a_core_that_is_gone_loses_the_run() -> None:
    process = CommandTarget("true").start(Trial(0, Config({})), cores=[1000])
    while (outcome := process.poll()) is None:
        pass
    assert outcome.status is Status.LOST
    assert process.start_error is not None


@pytest.mark.usefixtures("hasty")
def test_a_tuning_stops_with_cause_and_remedy_and_can_be_resumed(tmp_path: Path) -> None:
    folder, journal = tmp_path / "work", tmp_path / "j.journal"
    scenario = Scenario(
        space={"x": (0.0, 1.0)},
        default={"x": 0.9},
        instances=("a", "b"),
        ceiling=5.0,
        budget=Budget(runs=12),
        target=CommandTarget(["sh", "-c", "exit 0"], clock="wall", cwd=str(folder)),
    )
    with pytest.raises(TargetError, match="is missing") as caught:
        tune(scenario, journal=journal)
    assert "restore it" in str(caught.value)
    assert {run.outcome.status for run in caught.value.history} == {Status.LOST}
    folder.mkdir()
    result = tune(scenario, journal=journal)
    statuses = [run.outcome.status for run in result.history]
    assert Status.DONE in statuses
    assert Status.FAILED not in statuses
