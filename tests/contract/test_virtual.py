"""Virtual keeps the contract of executors, and its own behaviour."""

from collections.abc import Iterator
from dataclasses import replace
from math import inf, nan

import pytest

from contract.executor_contract import ExecutorContract, Left
from tightrope.errors import ExecutorError, TargetError
from tightrope.records import Config, Outcome, Status, Task, Trial
from tightrope.run import Executor, Mishap, Virtual
from tightrope.run.virtual import Simulation


def told(config: Config, instance: str, seed: int) -> float | Mishap:
    """Return the answer that the config holds."""
    answer: float | Mishap = config["answer"]
    return answer


def trial(answer: float | Mishap, *, number: int = 0, cap: float = 1000.0) -> Trial:
    return Trial(number, Config({"answer": answer}), cap=cap)


def run(answer: float | Mishap, *, cap: float = 1000.0) -> Outcome:
    with Virtual(told).open() as executor:
        executor.start(trial(answer, cap=cap))
        (outcome,) = executor.wait()
    return outcome


class TestContract(ExecutorContract):
    @pytest.fixture
    def executor(self) -> Iterator[Executor]:
        with Virtual(told, slots=3).open() as executor:
            yield executor

    @pytest.fixture
    def quick(self) -> Trial:
        return trial(0.5, number=3)

    @pytest.fixture
    def endless(self) -> Trial:
        return trial(inf, number=4, cap=1e9)

    @pytest.fixture
    def broken(self) -> Trial:
        return trial(1.0, number=5, cap=-1.0)

    @pytest.fixture
    def left_running(self) -> Left:
        return lambda: []  # there is nothing that could run


@pytest.fixture
def executor() -> Simulation:
    return Virtual(told, slots=3).open()


def test_config_instance_and_seed_reach_the_cost() -> None:
    seen = []
    with Virtual(lambda *asked: seen.append(asked) or 1.0).open() as executor:  # type: ignore[func-returns-value]
        executor.start(Trial(0, Config({"x": 1}), cap=2.0, task=Task("a.cnf", 7)))
        executor.wait()
    assert seen == [({"x": 1}, "a.cnf", 7)]


def test_a_run_below_its_cap_is_done() -> None:
    assert run(3.0, cap=4.0) == Outcome(0, Status.DONE, 3.0, 3.0, wall_s=3.0, cpu_s=3.0)


@pytest.mark.parametrize("cost", [4.0, 5.0, inf])
def test_a_run_that_needs_its_cap_or_more_is_capped_at_it(cost: float) -> None:
    assert run(cost, cap=4.0) == Outcome(0, Status.CAPPED, 4.0, 4.0, wall_s=4.0, cpu_s=4.0)


def test_a_failure_is_charged_the_time_until_it_happens() -> None:
    outcome = run(Mishap(at=2.0, note="segmentation fault"), cap=4.0)
    assert outcome == Outcome(0, Status.FAILED, inf, 2.0, wall_s=2.0, cpu_s=2.0, note="segmentation fault")


def test_a_failure_beyond_the_cap_never_happens() -> None:
    assert run(Mishap(at=4.0), cap=4.0).status is Status.CAPPED


def test_a_run_can_be_lost() -> None:
    assert run(Mishap(at=2.0, status=Status.LOST)).status is Status.LOST


def test_a_mishap_is_not_a_success() -> None:
    with pytest.raises(TargetError, match="FAILED or LOST, not DONE"):
        Mishap(at=2.0, status=Status.DONE)


@pytest.mark.parametrize("cost", [nan, -1.0])
def test_a_cost_that_is_no_time_is_an_error_that_names_the_config(cost: float) -> None:
    with pytest.raises(TargetError, match=r"config .*answer.*not a number of seconds"):
        run(cost)


def test_what_the_cost_raises_is_not_taken_for_a_failed_run() -> None:
    with Virtual(lambda config, instance, seed: {}["hole"]).open() as executor, pytest.raises(KeyError):
        executor.start(trial(1.0))


def test_a_cancelled_run_is_capped_at_the_time_it_had(executor: Simulation) -> None:
    executor.start(trial(10.0))
    executor.advance(3.0)
    executor.cancel(0)
    assert executor.wait() == [Outcome(0, Status.CAPPED, 3.0, 3.0, wall_s=3.0, cpu_s=3.0, note="cancelled")]
    assert executor.clock() == 3.0


def test_a_run_that_is_over_but_not_told_yet_keeps_its_outcome(executor: Simulation) -> None:
    executor.start(trial(2.0))
    executor.advance(2.0)
    executor.cancel(0)
    assert [outcome.status for outcome in executor.wait()] == [Status.DONE]


def test_waiting_moves_the_clock_to_the_next_end(executor: Simulation) -> None:
    executor.start(trial(7.0))
    executor.wait(100.0)
    assert executor.clock() == 7.0


def test_waiting_in_vain_moves_the_clock_by_the_timeout(executor: Simulation) -> None:
    executor.start(trial(7.0))
    assert executor.wait(5.0) == []
    assert executor.clock() == 5.0


def test_what_ended_during_a_decision_is_told_without_waiting(executor: Simulation) -> None:
    for number, cost in enumerate([6.0, 4.0, 20.0]):
        executor.start(trial(cost, number=number))
    executor.advance(10.0)
    assert [outcome.trial_id for outcome in executor.wait()] == [1, 0]
    assert executor.clock() == 10.0


def test_ends_at_the_same_time_are_told_together_in_the_order_of_starts(executor: Simulation) -> None:
    for number in (2, 0, 1):
        executor.start(trial(5.0, number=number))
    assert [outcome.trial_id for outcome in executor.wait()] == [2, 0, 1]


@pytest.mark.parametrize(
    ("overhead", "charged"),
    [(None, [0.0, 0.0]), (0.25, [0.25, 0.25]), (lambda number: number + 1.0, [1.0, 2.0])],
)
def test_decisions_take_their_simulated_time(overhead: object, charged: list[float]) -> None:
    with Virtual(told, overhead=overhead).open() as executor:  # type: ignore[arg-type]
        for number, seconds in enumerate(charged):
            before_s = executor.clock()
            executor.decided(number)
            assert executor.clock() - before_s == seconds


def test_waiting_for_what_never_ends_is_an_error(executor: Simulation) -> None:
    executor.start(trial(inf, number=8, cap=inf))
    with pytest.raises(ExecutorError, match="trial 8 has infinite cost and no cap"):
        executor.wait()


def test_many_cancelled_runs_do_not_pile_up(executor: Simulation) -> None:
    for number in range(1000):
        executor.start(trial(inf, number=number, cap=1e9))
        executor.cancel(number)
        assert [outcome.trial_id for outcome in executor.wait()] == [number]
    assert len(executor._queue) < 100


def test_time_does_not_run_backwards(executor: Simulation) -> None:
    with pytest.raises(ExecutorError, match="-1"):
        executor.advance(-1.0)


def test_a_simulation_needs_a_slot() -> None:
    with pytest.raises(ExecutorError, match="at least one slot, not 0"):
        Virtual(told, slots=0)


def test_a_trial_may_be_run_again_under_its_id(executor: Simulation) -> None:
    first = trial(1.0)
    executor.start(first)
    executor.cancel(0)
    executor.wait()
    executor.start(replace(first, cap=5.0))
    assert [(outcome.status, outcome.cost) for outcome in executor.wait()] == [(Status.DONE, 1.0)]
