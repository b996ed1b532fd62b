"""CommandTarget keeps the contract of targets, and its own behaviour."""

import os
import signal
import sys
from math import inf
from pathlib import Path

import pytest

from contract.target_contract import TargetContract
from survivors import await_end, new_mark, survivors
from tightrope.errors import TargetError
from tightrope.records import Config, Outcome, Status, Task, Trial
from tightrope.run import CommandTarget, ExitCode, JsonLine, Target, wait

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the supervisor is for Linux")

LOOP = "while :; do :; done"


def run(target: CommandTarget, trial: Trial) -> Outcome:
    outcome = wait(target.start(trial))
    assert outcome is not None
    return outcome


class TestContract(TargetContract):
    @pytest.fixture
    def target(self) -> Target:
        return CommandTarget(["sh", "-c", "{parameters}"], parameters="{value}")

    @pytest.fixture
    def quick(self) -> Trial:
        return Trial(3, Config({"script": "exit 0"}), cap=30.0)

    @pytest.fixture
    def endless(self) -> Trial:
        return Trial(4, Config({"script": LOOP}), cap=1000.0)


def test_instance_seed_cap_and_parameters_reach_the_program() -> None:
    script = 'test "$1 $2 $3 $4" = "a b.cnf 7 30 --x=1"'
    target = CommandTarget(["sh", "-c", script, "sh", "{instance}", "{seed}", "{cap}", "{parameters}"])
    assert run(target, Trial(0, Config({"x": 1}), cap=30.0, task=Task("a b.cnf", 7))).status is Status.DONE


def test_the_environment_is_added_to_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OURS", "1")
    target = CommandTarget(["sh", "-c", 'test "$OURS$THEIRS" = 12'], env={"THEIRS": "2"})
    assert run(target, Trial(0, Config({}))).status is Status.DONE


def test_a_command_runs_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "solver").write_text("#!/bin/sh\nexit 10\n")
    (tmp_path / "solver").chmod(0o755)
    target = CommandTarget("./solver", cwd=str(tmp_path), answer=ExitCode(solutions={10: "SAT"}))
    assert run(target, Trial(0, Config({}))).status is Status.DONE


def test_a_shell_script_runs_only_if_asked_for() -> None:
    text = "exit 3 | true"
    assert run(CommandTarget(text, shell=True), Trial(0, Config({}))).status is Status.DONE
    assert run(CommandTarget(text), Trial(0, Config({}))).status is Status.FAILED


def test_a_missing_program_fails_and_is_named() -> None:
    outcome = run(CommandTarget("./no-such-solver {seed}"), Trial(0, Config({})))
    assert outcome.status is Status.FAILED
    assert outcome.note == "cannot be started: No such file or directory\n$ ./no-such-solver 0"


def test_a_wrong_answer_on_an_instance_fails() -> None:
    answer = ExitCode(solutions={10: "SAT", 20: "UNSAT"})
    target = CommandTarget(["sh", "-c", "exit 10"], answer=answer, expected={"x.cnf": "UNSAT"})
    outcome = run(target, Trial(0, Config({}), task=Task("x.cnf")))
    assert (outcome.status, outcome.cost) == (Status.FAILED, inf)


def test_a_printed_cost_has_a_time_limit_of_its_own() -> None:
    target = CommandTarget(["sh", "-c", LOOP], answer=JsonLine(), limit_s=0.1)
    outcome = run(target, Trial(0, Config({}), cap=1e-9))
    assert outcome.status is Status.FAILED
    assert outcome.cpu_s >= 0.1


def test_a_run_whose_supervisor_is_killed_is_lost() -> None:
    process = CommandTarget(["sh", "-c", LOOP]).start(Trial(0, Config({})))
    os.kill(process.supervisor_pid, signal.SIGKILL)
    outcome = wait(process)
    assert outcome is not None
    assert (outcome.status, outcome.note) == (Status.LOST, "its supervisor was killed")


def test_what_a_killed_supervisor_leaves_running_is_killed(tmp_path: Path) -> None:
    mark, fifo = new_mark(), tmp_path / "fifo"
    os.mkfifo(fifo)
    script = f'setsid sh -c "echo > {fifo}; {LOOP}" & {LOOP}'
    process = CommandTarget(["sh", "-c", script], env=mark).start(Trial(0, Config({})))
    fifo.read_text()
    os.kill(process.supervisor_pid, signal.SIGKILL)
    wait(process)
    await_end(survivors(mark))
    assert survivors(mark) == []


def test_a_core_that_does_not_exist_is_not_ignored() -> None:
    outcome = wait(CommandTarget("true").start(Trial(0, Config({})), cores=[1000]))
    assert outcome is not None
    assert outcome.note.startswith("cannot be started: Invalid argument")


def test_closing_leaves_nothing_running() -> None:
    mark = new_mark()
    process = CommandTarget(["sh", "-c", f"setsid sh -c '{LOOP}' & {LOOP}"], env=mark).start(
        Trial(0, Config({}))
    )
    process.close()
    assert survivors(mark) == []


def test_leftover_processes_are_a_finding() -> None:
    process = CommandTarget(["sh", "-c", "sleep 1000 &"]).start(Trial(0, Config({})))
    wait(process)
    assert [finding.code for finding in process.findings] == ["T02"]


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"clock": "moon"}, "'cpu' or 'wall'"),
        ({"memory_mb": 0}, "memory_mb must be positive"),
        ({"grace_s": -1.0}, "grace_s must be"),
        ({"limit_s": 3.0}, "has no effect"),
        ({"limit_s": -1.0, "answer": JsonLine()}, "limit_s must be positive"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, object], why: str) -> None:
    with pytest.raises(TargetError, match=why):
        CommandTarget("solver", **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("cap", [0.0, -1.0, float("nan")])
def test_a_cap_that_is_not_positive_never_reaches_a_program(cap: float) -> None:
    with pytest.raises(TargetError, match="not positive"):
        CommandTarget("true").start(Trial(0, Config({}), cap=cap))
