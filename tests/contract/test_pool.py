"""Serial and LocalPool keep the contract of executors, and their own behaviour."""

import os
import sys
from collections.abc import Iterator

import pytest

from contract.executor_contract import ExecutorContract, Left, collect, start
from survivors import new_mark, survivors
from tightrope.errors import ExecutorError
from tightrope.records import Config, Status, Trial
from tightrope.run import CommandTarget, Executor, LocalPool, Serial
from tightrope.run.executor import usable_cores

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the supervisor is for Linux")

LOOP = "while :; do :; done"


def shell(script: str, *, number: int = 0, cap: float = 1000.0) -> Trial:
    return Trial(number, Config({"script": script}), cap=cap)


class CommandContract(ExecutorContract):
    @pytest.fixture
    def mark(self) -> dict[str, str]:
        return new_mark()

    @pytest.fixture
    def target(self, mark: dict[str, str]) -> CommandTarget:
        return CommandTarget(["sh", "-c", "{parameters}"], parameters="{value}", env=mark)

    @pytest.fixture
    def quick(self) -> Trial:
        return shell("exit 0", number=3)

    @pytest.fixture
    def endless(self) -> Trial:
        return shell(f"setsid sh -c '{LOOP}' & {LOOP}", number=4)

    @pytest.fixture
    def broken(self) -> Trial:
        return shell("exit 0", number=5, cap=-1.0)

    @pytest.fixture
    def left_running(self, mark: dict[str, str]) -> Left:
        return lambda: survivors(mark)


class TestSerial(CommandContract):
    @pytest.fixture
    def executor(self, target: CommandTarget) -> Iterator[Executor]:
        with Serial().open(target) as executor:
            yield executor


class TestLocalPool(CommandContract):
    @pytest.fixture
    def executor(self, target: CommandTarget) -> Iterator[Executor]:
        with LocalPool(3, oversubscribe=True).open(target) as executor:
            yield executor


def test_slots_are_pinned_to_cores_of_their_own() -> None:
    core = min(os.sched_getaffinity(0))
    target = CommandTarget(["sh", "-c", "exit $(($(nproc) - 1))"])
    with LocalPool(1, pin=True).open(target) as executor:
        executor.start(shell("", cap=60.0))
        (outcome,) = collect(executor, 1)
    assert (outcome.status, outcome.note) == (Status.DONE, ""), f"should have run on core {core} alone"


def test_more_slots_than_cores_are_refused() -> None:
    n = usable_cores() + 1
    with pytest.raises(
        ExecutorError, match=f"{n} slots need {n} cores, but only {n - 1} are usable"
    ) as caught:
        LocalPool(n).open(CommandTarget("true"))
    assert "oversubscribe=True" in caught.value.hint


def test_a_quota_counts_as_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "1")  # has the effect of a control group's quota
    with pytest.raises(ExecutorError, match="only 1 are usable"):
        LocalPool(2).open(CommandTarget("true"))


@pytest.mark.parametrize("n", [0, -1])
def test_a_pool_without_slots_is_refused(n: int) -> None:
    with pytest.raises(ExecutorError, match="at least one slot"):
        LocalPool(n)


def test_pinned_slots_cannot_oversubscribe() -> None:
    with pytest.raises(ExecutorError, match="pin=True and oversubscribe=True exclude each other"):
        LocalPool(2, pin=True, oversubscribe=True)


def test_findings_come_once() -> None:
    with Serial().open(CommandTarget(["sh", "-c", "sleep 1000 &"])) as executor:
        executor.start(shell("", cap=60.0))
        collect(executor, 1)
        assert [finding.code for finding in executor.findings()] == ["T02"]
        assert list(executor.findings()) == []


def test_a_pool_looks_after_many_trials_at_once() -> None:
    n = 60
    target = CommandTarget(["sleep", "1000"], clock="wall")
    with LocalPool(n, oversubscribe=True).open(target) as executor:
        start(executor, shell(""), range(n))
        for number in range(n):
            executor.cancel(number)
        outcomes = collect(executor, n)
    assert {outcome.status for outcome in outcomes} == {Status.CAPPED}
