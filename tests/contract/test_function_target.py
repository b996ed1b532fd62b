"""FunctionTarget keeps the contract of targets, and its own behaviour."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from typing import Any

import pytest

from contract.target_contract import TargetContract
from survivors import await_end, new_mark, survivors
from targets import functions
from tightrope.errors import TargetError
from tightrope.records import Config, Outcome, Status, Task, Trial
from tightrope.run import FunctionTarget, Target, wait

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the supervisor is for Linux")

Make = Callable[..., FunctionTarget]


@pytest.fixture
def make() -> Iterator[Make]:
    """Make targets that are closed when the test is over."""
    made: list[FunctionTarget] = []

    def make_target(f: Any = functions.perform, **settings: Any) -> FunctionTarget:
        made.append(FunctionTarget(f, **settings))
        return made[-1]

    yield make_target
    for target in made:
        target.close()


@pytest.fixture(scope="module")
def shared() -> Iterator[Make]:
    """Give targets by their clock, whose workers the tests share: loading the function takes its time."""
    targets = {clock: FunctionTarget(functions.perform, clock=clock) for clock in ("cost", "wall", "cpu")}
    yield lambda clock: targets[clock]
    for target in targets.values():
        target.close()


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Mark all processes that a test starts."""
    mark = new_mark()
    for name, value in mark.items():
        monkeypatch.setenv(name, value)
    return mark


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    return path


def trial(act: str, *, cap: float = 1000.0, number: int = 0, **values: Any) -> Trial:
    return Trial(number, Config({"act": act, **values}), cap=cap)


def run(target: FunctionTarget, planned: Trial) -> Outcome:
    outcome = wait(target.start(planned))
    assert outcome is not None
    return outcome


class Contract(TargetContract):
    @pytest.fixture
    def quick(self) -> Trial:
        return trial("return", number=3)

    @pytest.fixture
    def endless(self) -> Trial:
        return trial("spin", number=4)


class TestWallClock(Contract):
    @pytest.fixture
    def target(self, shared: Make) -> Target:
        return shared("wall")


class TestCpuClock(Contract):
    @pytest.fixture
    def target(self, shared: Make) -> Target:
        return shared("cpu")


class TestReturnedCost:
    def test_is_the_cost(self, shared: Make) -> None:
        outcome = run(shared("cost"), trial("return"))
        assert (outcome.status, outcome.cost, outcome.spent) == (Status.DONE, 0.5, 0.5)

    def test_above_the_cap_is_known_all_the_same(self, shared: Make) -> None:
        outcome = run(shared("cost"), trial("above", cap=3.0))
        assert (outcome.status, outcome.cost) == (Status.DONE, 6.0)

    def test_may_be_a_bound(self, shared: Make) -> None:
        outcome = run(shared("cost"), trial("capped", cap=3.0))
        assert (outcome.status, outcome.cost) == (Status.CAPPED, 3.0)

    def test_may_be_yielded_in_parts_and_is_stopped_at_the_cap(self, shared: Make) -> None:
        outcome = run(shared("cost"), trial("yield", cap=4.5))
        assert (outcome.status, outcome.cost, outcome.spent) == (Status.CAPPED, 5.0, 5.0)

    def test_is_a_bound_if_cancelled_between_two_parts(self, shared: Make, fifo: Path) -> None:
        process = shared("cost").start(trial("yield and sleep", fifo=str(fifo)))
        fifo.read_text()
        process.cancel()
        outcome = wait(process)
        assert outcome is not None
        assert (outcome.status, outcome.cost, outcome.spent) == (Status.CAPPED, 2.5, 2.5)

    def test_is_lost_if_cancelled_before_anything_is_known(self, shared: Make) -> None:
        process = shared("cost").start(trial("sleep"))
        process.cancel()
        outcome = wait(process)
        assert outcome is not None
        assert (outcome.status, outcome.cost) == (Status.LOST, inf)

    @pytest.mark.parametrize(("act", "shown"), [("nothing", "returned None"), ("nan", "returned nan")])
    def test_that_is_none_fails_and_is_a_finding(self, shared: Make, act: str, shown: str) -> None:
        process = shared("cost").start(trial(act))
        outcome = wait(process)
        assert outcome is not None
        assert outcome.status is Status.FAILED
        assert shown in outcome.note
        (finding,) = process.findings
        assert (finding.code, finding.where) == ("F02", f"config {{'act': '{act}'}}")

    def test_has_a_time_limit_of_its_own(self, make: Make) -> None:
        outcome = run(make(limit_s=0.1), trial("sleep"))
        assert outcome.status is Status.FAILED
        assert "no cost within its time limit" in outcome.note


class TestTime:
    def test_of_children_counts_towards_the_cap(self, shared: Make) -> None:
        outcome = run(shared("cpu"), trial("burn in child", cap=0.3))
        assert (outcome.status, outcome.cost) == (Status.CAPPED, 0.3)
        assert outcome.cpu_s >= 0.3

    def test_is_the_cost_whatever_is_returned_or_yielded(self, shared: Make) -> None:
        outcome = run(shared("wall"), trial("yield", cap=9.0))
        assert outcome.status is Status.DONE
        assert outcome.cost == outcome.spent == outcome.wall_s

    def test_of_one_who_gives_up_early_is_no_success(self, shared: Make) -> None:
        outcome = run(shared("wall"), trial("give up"))
        assert (outcome.status, outcome.cost) == (Status.FAILED, inf)
        assert outcome.note.startswith("it gave up after")

    @pytest.mark.parametrize("cap", [0.0, -1.0, float("nan")])
    def test_that_is_capped_needs_a_positive_cap(self, shared: Make, cap: float) -> None:
        with pytest.raises(TargetError, match="not positive"):
            shared("wall").start(trial("return", cap=cap))


class TestFailures:
    def test_an_exception_is_noted_with_its_traceback(self, shared: Make) -> None:
        outcome = run(shared("cost"), trial("raise"))
        assert (outcome.status, outcome.cost) == (Status.FAILED, inf)
        assert outcome.note.startswith("RuntimeError: no licence\nTraceback (most recent call last):\n")
        assert "in raise_error" in outcome.note
        assert "function/worker.py" not in outcome.note

    @pytest.mark.parametrize(
        ("act", "why"), [("exit", "exit code 3"), ("sys.exit", "exit code 4"), ("crash", "killed by SIGSEGV")]
    )
    def test_a_worker_that_ends_is_a_failure_and_replaced(self, shared: Make, act: str, why: str) -> None:
        outcome = run(shared("cost"), trial(act))
        assert (outcome.status, outcome.note) == (Status.FAILED, f"it ended its process: {why}")
        assert run(shared("cost"), trial("return")).status is Status.DONE

    def test_too_much_memory_is_one(self, make: Make) -> None:
        outcome = run(make(memory_mb=300), trial("hoard"))
        assert outcome.status is Status.FAILED
        assert "more than its memory limit" in outcome.note

    def test_a_core_that_does_not_exist_is_none_of_the_function(self, shared: Make) -> None:
        outcome = wait(shared("cost").start(trial("return"), cores=[1000]))
        assert outcome is not None
        assert outcome.status is Status.LOST
        assert outcome.note.startswith("cannot be started: Invalid argument")

    @pytest.mark.parametrize("junk", ["junk", "", "pickle", "cno.such\nmodule\n."])
    def test_a_message_that_is_no_answer_is_one(self, shared: Make, junk: str) -> None:
        outcome = run(shared("cost"), trial("babble", junk=junk))
        assert outcome.status is Status.FAILED
        assert "not an answer" in outcome.note
        assert run(shared("cost"), trial("return")).status is Status.DONE


class TestWorkers:
    def test_are_used_again(self, shared: Make) -> None:
        pids = [run(shared("cost"), trial("pid", cap=inf)).cost for _ in range(3)]
        assert len(set(pids)) == 1

    def test_that_were_killed_are_replaced(self, shared: Make) -> None:
        target = shared("wall")
        for number in range(5):
            outcome = run(target, trial("spin", cap=0.02, number=number))
            assert (outcome.status, outcome.cost) == (Status.CAPPED, 0.02)
        assert run(target, trial("return")).status is Status.DONE

    def test_that_die_between_two_runs_are_replaced(self, shared: Make) -> None:
        target = shared("cost")
        pid = int(run(target, trial("pid", cap=inf)).cost)
        os.kill(pid, signal.SIGKILL)
        outcome = run(target, trial("pid", cap=inf))
        assert outcome.status is Status.DONE
        assert outcome.cost != pid

    def test_keep_to_their_cores_run_by_run(self, shared: Make) -> None:
        core = max(os.sched_getaffinity(0))
        outcomes = [wait(shared("cost").start(trial("cores"), cores=cores)) for cores in ([core], [])]
        costs = [outcome.cost for outcome in outcomes if outcome is not None]
        assert costs == [1.0 + core, 1.0 + sum(os.sched_getaffinity(0))]

    def test_whose_supervisor_is_killed_lose_their_run_and_leave_nothing(
        self, make: Make, mark: dict[str, str], fifo: Path
    ) -> None:
        target = make(clock="wall")
        process = target.start(trial("spin after fork", fifo=str(fifo)))
        fifo.read_text()
        (supervisor,) = [pid for pid in survivors(mark) if is_supervisor(pid)]
        os.kill(supervisor, signal.SIGKILL)
        outcome = wait(process)
        assert outcome is not None
        assert (outcome.status, outcome.note) == (Status.LOST, "its supervisor was killed")
        target.close()
        await_end(survivors(mark))
        assert survivors(mark) == []

    def test_get_the_task(self, make: Make) -> None:
        task = Task("abc", seed=7)
        assert run(make(functions.take_task), Trial(0, Config({}), task=task)).cost == 307.0
        planned = Trial(0, Config({}), cap=500.0, task=task)
        assert run(make(functions.take_task_and_cap), planned).cost == 307.5


class TestNothingIsLeft:
    def test_by_a_run_at_its_cap(self, make: Make, mark: dict[str, str], fifo: Path) -> None:
        target = make(clock="wall")
        process = target.start(trial("spin after fork", cap=0.5, fifo=str(fifo)))
        fifo.read_text()
        outcome = wait(process)
        assert outcome is not None
        assert outcome.status is Status.CAPPED
        assert len(survivors(mark)) == 1, "the process in which the function is loaded, and nothing else"
        target.close()
        assert survivors(mark) == []

    def test_when_a_run_and_its_target_are_closed(self, make: Make, mark: dict[str, str], fifo: Path) -> None:
        target = make()
        process = target.start(trial("spin after fork", fifo=str(fifo)))
        fifo.read_text()
        process.close()
        target.close()
        assert survivors(mark) == []

    def test_when_closed_while_the_function_is_being_loaded(self, make: Make, mark: dict[str, str]) -> None:
        target = make()
        process = target.start(trial("sleep"))
        process.close()
        target.close()
        assert survivors(mark) == []


def is_supervisor(pid: int) -> bool:
    return b"tightrope-supervise" in Path(f"/proc/{pid}/cmdline").read_bytes()
