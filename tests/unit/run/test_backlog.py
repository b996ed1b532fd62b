"""Trials that cannot be started wait, are tried again ever later, and are given up when nothing helps."""

from math import inf

from tightrope.errors import Severity
from tightrope.records import Config, Status, Trial
from tightrope.run.backlog import Backlog
from tightrope.run.start_error import StartError

ERROR = StartError("Too many open files", hint="raise the limit")


def trial(number: int) -> Trial:
    return Trial(number, Config({}), cap=1.0)


def test_an_empty_backlog_is_never_due() -> None:
    assert Backlog().due_s == inf


def test_each_failed_attempt_waits_twice_as_long_up_to_two_seconds() -> None:
    backlog = Backlog()
    delays = []
    for number in range(8):
        backlog.failed(trial(number), ERROR, now_s=100.0, n_running=0)
        delays.append(round(backlog.due_s - 100.0, 6))
    assert delays == [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0]


def test_after_a_success_the_next_attempt_is_due_at_once_and_counts_from_the_start() -> None:
    backlog = Backlog()
    for _ in range(9):
        backlog.failed(trial(0), ERROR, now_s=100.0, n_running=0)
    backlog.started()
    assert backlog.due_s == -inf
    backlog.failed(backlog.next(), ERROR, now_s=100.0, n_running=0)
    assert not backlog.is_hopeless


def test_the_trial_that_failed_is_tried_before_those_that_came_later() -> None:
    backlog = Backlog()
    backlog.failed(trial(0), ERROR, now_s=0.0, n_running=0)
    backlog.append(trial(1))
    backlog.failed(backlog.next(), ERROR, now_s=0.0, n_running=0)
    assert [backlog.next().id, backlog.next().id] == [0, 1]


def test_ten_failures_in_a_row_are_hopeless_and_lose_all_trials() -> None:
    backlog = Backlog()
    for attempt in range(10):
        assert not backlog.is_hopeless
        backlog.failed(trial(0) if attempt == 0 else backlog.next(), ERROR, now_s=0.0, n_running=0)
    backlog.append(trial(1))
    assert backlog.is_hopeless
    outcomes, finding = backlog.give_up()
    assert [(each.trial_id, each.status, each.spent) for each in outcomes] == [
        (0, Status.LOST, 0.0),
        (1, Status.LOST, 0.0),
    ]
    assert (finding.code, finding.severity, finding.hint) == ("T05", Severity.ERROR, "raise the limit")
    assert "10 attempts in a row" in finding.message
    assert "Too many open files" in finding.message
    assert (len(backlog), backlog.is_hopeless) == (0, False)


def test_failures_while_others_run_warn_once_and_never_become_hopeless() -> None:
    backlog = Backlog()
    findings = [*backlog.failed(trial(0), ERROR, now_s=0.0, n_running=3)]
    for _ in range(50):
        findings += backlog.failed(backlog.next(), ERROR, now_s=0.0, n_running=3)
    assert [(each.code, each.severity) for each in findings] == [("T05", Severity.WARNING)]
    assert not backlog.is_hopeless


def test_a_waiting_trial_that_is_cancelled_is_lost_alone() -> None:
    backlog = Backlog()
    backlog.failed(trial(0), ERROR, now_s=0.0, n_running=0)
    backlog.append(trial(1))
    assert backlog.cancel(0).status is Status.LOST
    assert backlog.trial_ids == [1]
