"""The contract of executors; each kind of executor subclasses this suite."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from tightrope.errors import ExecutorError
from tightrope.records import Outcome, Status, Trial
from tightrope.run import Executor

Left = Callable[[], Sequence[object]]


class ExecutorContract:
    """Subclasses provide an open executor and three trials, and find what trials left running.

    The executor fixture closes the executor when the test is over. Trials need a large cap.
    """

    @pytest.fixture
    def executor(self) -> Executor:
        raise NotImplementedError

    @pytest.fixture
    def quick(self) -> Trial:
        """Done soon after it was started."""
        raise NotImplementedError

    @pytest.fixture
    def endless(self) -> Trial:
        """Not over before its cap, which is so large that no test reaches it."""
        raise NotImplementedError

    @pytest.fixture
    def broken(self) -> Trial:
        """Cannot be started, or fails."""
        raise NotImplementedError

    @pytest.fixture
    def left_running(self) -> Left:
        """Return what the executor's trials left running; empty if all is well."""
        raise NotImplementedError

    def test_a_trial_that_is_started_comes_to_its_outcome(self, executor: Executor, quick: Trial) -> None:
        executor.start(quick)
        (outcome,) = collect(executor, 1)
        assert (outcome.trial_id, outcome.status) == (quick.id, Status.DONE)
        assert 0 < outcome.cost < quick.cap

    def test_all_slots_can_be_taken_at_once(self, executor: Executor, quick: Trial) -> None:
        start(executor, quick, range(executor.slots))
        outcomes = collect(executor, executor.slots)
        assert sorted(outcome.trial_id for outcome in outcomes) == list(range(executor.slots))

    def test_one_trial_more_than_there_are_slots_is_refused(self, executor: Executor, endless: Trial) -> None:
        start(executor, endless, range(executor.slots))
        with pytest.raises(ExecutorError, match="slots"):
            executor.start(replace(endless, id=executor.slots))

    def test_a_slot_is_free_again_after_its_outcome(self, executor: Executor, quick: Trial) -> None:
        for number in range(2 * executor.slots):
            executor.start(replace(quick, id=number))
            assert [outcome.trial_id for outcome in collect(executor, 1)] == [number]

    def test_a_trial_that_ends_is_not_held_up_by_one_that_does_not(
        self, executor: Executor, quick: Trial, endless: Trial
    ) -> None:
        if executor.slots < 2:
            pytest.skip("takes two slots")
        executor.start(replace(endless, id=10))
        executor.start(replace(quick, id=11))
        assert [outcome.trial_id for outcome in collect(executor, 1)] == [11]

    def test_looking_does_not_wait(self, executor: Executor, endless: Trial) -> None:
        executor.start(endless)
        assert list(executor.wait(0.0)) == []

    def test_waiting_can_be_limited(self, executor: Executor, endless: Trial) -> None:
        executor.start(endless)
        before_s = executor.clock()
        assert list(executor.wait(0.02)) == []
        assert executor.clock() >= before_s + 0.02

    def test_waiting_for_nothing_does_not_wait(self, executor: Executor) -> None:
        assert list(executor.wait(None)) == []

    def test_an_outcome_comes_once(self, executor: Executor, quick: Trial) -> None:
        executor.start(quick)
        collect(executor, 1)
        assert list(executor.wait(None)) == []

    def test_an_endless_trial_is_stopped_at_its_cap(self, executor: Executor, endless: Trial) -> None:
        executor.start(replace(endless, cap=0.2))
        (outcome,) = collect(executor, 1)
        assert (outcome.status, outcome.cost) == (Status.CAPPED, 0.2)

    def test_a_cancelled_trial_ends_below_its_cap(self, executor: Executor, endless: Trial) -> None:
        executor.start(endless)
        executor.cancel(endless.id)
        (outcome,) = collect(executor, 1)
        assert outcome.trial_id == endless.id
        assert outcome.status in (Status.CAPPED, Status.LOST)
        assert outcome.status is Status.LOST or outcome.cost < endless.cap

    def test_cancelling_twice_is_harmless(self, executor: Executor, endless: Trial) -> None:
        executor.start(endless)
        executor.cancel(endless.id)
        executor.cancel(endless.id)
        assert len(collect(executor, 1)) == 1

    def test_cancelling_one_spares_the_others(self, executor: Executor, endless: Trial) -> None:
        if executor.slots < 2:
            pytest.skip("takes two slots")
        start(executor, endless, range(2))
        executor.cancel(1)
        assert [outcome.trial_id for outcome in collect(executor, 1)] == [1]
        assert list(executor.wait(0.0)) == []

    def test_a_trial_that_was_never_started_cannot_be_cancelled(self, executor: Executor) -> None:
        with pytest.raises(ExecutorError, match="trial 77"):
            executor.cancel(77)

    def test_a_trial_that_is_over_cannot_be_cancelled(self, executor: Executor, quick: Trial) -> None:
        executor.start(quick)
        collect(executor, 1)
        with pytest.raises(ExecutorError, match=f"trial {quick.id}"):
            executor.cancel(quick.id)

    def test_two_running_trials_cannot_have_one_id(self, executor: Executor, endless: Trial) -> None:
        executor.start(endless)
        with pytest.raises(ExecutorError, match=f"trial {endless.id}"):
            executor.start(endless)

    def test_what_cannot_be_started_fails_and_says_why(self, executor: Executor, broken: Trial) -> None:
        executor.start(broken)
        (outcome,) = collect(executor, 1)
        assert (outcome.trial_id, outcome.status) == (broken.id, Status.FAILED)
        assert outcome.note != ""

    def test_a_failure_leaves_the_slot_usable(self, executor: Executor, broken: Trial, quick: Trial) -> None:
        for number in range(executor.slots):
            executor.start(replace(broken, id=number))
            collect(executor, 1)
        start(executor, quick, range(executor.slots))
        assert all(each.status is Status.DONE for each in collect(executor, executor.slots))

    def test_an_ordinary_run_gives_no_findings(self, executor: Executor, quick: Trial) -> None:
        executor.start(quick)
        collect(executor, 1)
        assert list(executor.findings()) == []

    def test_the_clock_does_not_go_back(self, executor: Executor, quick: Trial) -> None:
        before_s = executor.clock()
        executor.start(quick)
        collect(executor, 1)
        assert executor.clock() >= before_s

    def test_closing_leaves_nothing_running(
        self, executor: Executor, endless: Trial, left_running: Left
    ) -> None:
        start(executor, endless, range(executor.slots))
        executor.close()
        assert list(left_running()) == []

    def test_leaving_the_block_closes_it(
        self, executor: Executor, endless: Trial, left_running: Left
    ) -> None:
        with executor:
            executor.start(endless)
        assert list(left_running()) == []

    def test_closing_twice_is_harmless(self, executor: Executor) -> None:
        executor.close()
        executor.close()

    def test_a_closed_executor_refuses_every_request(self, executor: Executor, quick: Trial) -> None:
        executor.close()
        for request in (lambda: executor.start(quick), lambda: executor.cancel(0), executor.wait):
            with pytest.raises(ExecutorError, match="closed"):
                request()


def start(executor: Executor, trial: Trial, numbers: Sequence[int]) -> None:
    """Start the same trial under several ids."""
    for number in numbers:
        executor.start(replace(trial, id=number))


def collect(executor: Executor, n: int) -> list[Outcome]:
    """Wait until n outcomes are there."""
    outcomes: list[Outcome] = []
    while len(outcomes) < n:
        found = list(executor.wait(60.0))
        assert found, "no outcome came within a minute"
        outcomes += found
    assert len(outcomes) == n
    return outcomes
