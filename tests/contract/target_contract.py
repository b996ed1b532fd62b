"""The contract of targets; each kind of target subclasses this suite."""

import os
import pickle
import select
from dataclasses import replace

import pytest

from tightrope.records import Status, Trial
from tightrope.run import Process, Target, wait


class TargetContract:
    """Subclasses provide a target, a trial that is soon done, and one that never ends by itself."""

    @pytest.fixture
    def target(self) -> Target:
        raise NotImplementedError

    @pytest.fixture
    def quick(self) -> Trial:
        raise NotImplementedError

    @pytest.fixture
    def endless(self) -> Trial:
        raise NotImplementedError

    def test_a_quick_trial_is_done(self, target: Target, quick: Trial) -> None:
        outcome = wait(target.start(quick))
        assert outcome is not None
        assert (outcome.trial_id, outcome.status) == (quick.id, Status.DONE)
        assert 0 < outcome.cost < quick.cap

    def test_an_endless_trial_is_capped(self, target: Target, endless: Trial) -> None:
        outcome = wait(target.start(replace(endless, cap=0.2)))
        assert outcome is not None
        assert (outcome.status, outcome.cost) == (Status.CAPPED, 0.2)
        assert outcome.spent >= 0.2

    def test_polling_does_not_wait(self, target: Target, endless: Trial) -> None:
        process = target.start(endless)
        assert process.poll() is None
        process.close()

    def test_waiting_can_be_limited(self, target: Target, endless: Trial) -> None:
        process = target.start(endless)
        assert wait(process, timeout_s=0.0) is None
        process.close()

    def test_a_process_knows_its_trial(self, target: Target, quick: Trial) -> None:
        process = target.start(quick)
        assert process.trial == quick
        process.close()

    def test_an_outcome_stays_the_same(self, target: Target, quick: Trial) -> None:
        process = target.start(quick)
        first = wait(process)
        assert process.poll() is first

    def test_a_cancelled_trial_is_capped_at_what_it_reached(self, target: Target, endless: Trial) -> None:
        process = target.start(endless)
        process.cancel()
        outcome = wait(process)
        assert outcome is not None
        assert outcome.status is Status.CAPPED
        assert outcome.cost < endless.cap

    def test_cancelling_after_the_end_changes_nothing(self, target: Target, quick: Trial) -> None:
        process = target.start(quick)
        outcome = wait(process)
        process.cancel()
        assert process.poll() is outcome

    def test_closing_twice_is_harmless(self, target: Target, endless: Trial) -> None:
        process = target.start(endless)
        process.close()
        process.close()

    def test_many_run_side_by_side_and_are_told_apart(self, target: Target, quick: Trial) -> None:
        running = {}
        for number in range(8):
            process = target.start(replace(quick, id=number))
            running[process.fileno()] = process
        assert sorted(collect(running)) == list(range(8))

    def test_a_target_survives_pickling(self, target: Target, quick: Trial) -> None:
        copy = pickle.loads(pickle.dumps(target))
        outcome = wait(copy.start(quick))
        copy.close()
        assert outcome is not None
        assert outcome.status is Status.DONE

    def test_a_trial_may_be_pinned_to_a_core(self, target: Target, quick: Trial) -> None:
        outcome = wait(target.start(quick, cores=[min(os.sched_getaffinity(0))]))
        assert outcome is not None
        assert outcome.status is Status.DONE


def collect(running: dict[int, Process]) -> list[int]:
    """Wait for all at once, as an executor does."""
    finished = []
    while running:
        ready, _, _ = select.select(list(running), [], [])
        for descriptor in ready:
            outcome = running[descriptor].poll()
            if outcome is not None:
                del running[descriptor]
                finished.append(outcome.trial_id)
    return finished
