"""The rule for lost runs, which all engines share."""

from math import inf

from tightrope.drive import Losses
from tightrope.records import Config, Outcome, Run, Status, StopKind, Task, Trial

FIRST, SECOND = Config({"x": 1}), Config({"x": 2})


def count(losses: Losses, config: Config, status: Status, *, note: str = "", instance: str = "") -> None:
    losses.count(Run(Trial(0, config, 1.0, Task(instance)), Outcome(0, status, inf, 0.0, note=note)))


def test_ten_losses_in_a_row_are_a_reason_to_stop_that_names_the_cause() -> None:
    losses = Losses()
    for number in range(10):
        assert losses.reason_to_stop is None
        count(losses, Config({"x": number}), Status.LOST, note="out of memory")
    reason = losses.reason_to_stop
    assert reason is not None
    assert (reason.kind, str(reason)) == (StopKind.LOSSES, "10 runs in a row were lost: out of memory")


def test_a_run_that_ends_starts_the_count_again() -> None:
    losses = Losses()
    for number in range(30):
        count(losses, Config({"x": number}), Status.LOST if number % 9 else Status.FAILED)
        assert losses.reason_to_stop is None


def test_the_same_run_lost_ten_times_is_a_reason_to_stop_although_others_end() -> None:
    losses = Losses()
    for _ in range(10):
        assert losses.reason_to_stop is None
        count(losses, FIRST, Status.LOST)
        count(losses, SECOND, Status.DONE)
    assert str(losses.reason_to_stop) == "the same run was lost 10 times"


def test_losses_on_different_tasks_are_different_runs() -> None:
    losses = Losses()
    for number in range(20):
        count(losses, FIRST, Status.LOST, instance=f"i{number}")
        count(losses, SECOND, Status.DONE)
    assert losses.reason_to_stop is None
