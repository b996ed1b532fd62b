"""minimize() keeps its budget with several trials under way."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from typing import Any, Self

import pytest

from tightrope import Budget, MinimizeResult, minimize
from tightrope.errors import Finding, Severity, TargetError
from tightrope.records import Event, Finished, Outcome, Status, StopKind, Trial

SPACE = {"x": (0.0, 1.0)}

Judge = Callable[[Trial], Outcome]


def obey(trial: Trial) -> Outcome:
    """Cost what the config costs, but never more than the cap."""
    cost = 1.0 + 50.0 * (trial.config["x"] - 0.3) ** 2
    status = Status.DONE if cost < trial.cap else Status.CAPPED
    return Outcome(trial.id, status, min(cost, trial.cap), min(cost, trial.cap))


class Desk:
    """An executor whose trials end when they are waited for, the last one first."""

    def __init__(self, slots: int, judge: Judge = obey) -> None:
        self.slots = slots
        self.trials: list[Trial] = []
        self.most_at_once = 0
        self.claims: list[float] = []
        self.timeouts: list[float | None] = []
        self.closed = False
        self.problems: list[Finding] = []
        self._judge = judge
        self._now_s = 0.0

    def start(self, trial: Trial) -> None:
        assert len(self.trials) < self.slots
        self.trials.append(trial)
        self.most_at_once = max(self.most_at_once, len(self.trials))
        self.claims.append(sum(each.cap for each in self.trials))

    def cancel(self, trial_id: int) -> None:
        raise AssertionError("minimize cancels nothing")

    def wait(self, timeout_s: float | None = None) -> Sequence[Outcome]:
        self.timeouts.append(timeout_s)
        if timeout_s == 0.0 or not self.trials:
            return []
        self._now_s += 1.0
        return [self._judge(self.trials.pop())]

    def findings(self) -> Sequence[Finding]:
        return self.problems

    def clock(self) -> float:
        return self._now_s

    def decided(self, number: int) -> None:
        """Ignore decisions."""

    def open(self, target: object) -> Self:
        return self

    def close(self) -> None:
        self.closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def unused(config: dict[str, Any], cap: float) -> float:
    raise AssertionError("the desk does the work")


def minimize_on(desk: Desk, budget: Budget, **options: Any) -> MinimizeResult:
    space = options.pop("space", SPACE)
    return minimize(unused, space, budget=budget, workers=desk, **{"model": "forest"} | options)


def test_all_slots_are_used() -> None:
    desk = Desk(4)
    minimize_on(desk, Budget(evaluations=12))
    assert desk.most_at_once == 4


def test_caps_under_way_stay_within_the_budget_of_costs() -> None:
    spent = [0.0]
    claimed: list[float] = []

    def watch(event: Event) -> None:
        spent[0] += event.run.outcome.spent if isinstance(event, Finished) else 0.0
        claimed.append(spent[0] + sum(trial.cap for trial in desk.trials))

    desk = Desk(4)
    result = minimize_on(desk, Budget(cost=40.0), watch=watch)
    assert result.spent == pytest.approx(40.0)
    assert max(claimed) <= 40.0 + 1e-9


def test_without_caps_each_slot_has_its_share_of_the_budget() -> None:
    desk = Desk(4)
    minimize_on(desk, Budget(cost=80.0), slack=inf)
    assert desk.most_at_once == 4
    assert desk.claims[:4] == pytest.approx([20.0, 40.0, 60.0, 80.0])


def test_one_slot_may_have_all_that_is_left() -> None:
    desk = Desk(1)
    minimize_on(desk, Budget(cost=80.0), slack=inf)
    assert desk.claims[0] == 80.0


def test_no_more_evaluations_are_started_than_allowed() -> None:
    result = minimize_on(Desk(4), Budget(evaluations=10), slack=inf)
    assert len(result.history) == 10
    assert str(result.reason) == "10 evaluations are done"


def test_going_on_under_a_larger_cap_is_the_same_evaluation() -> None:
    result = minimize_on(Desk(3), Budget(evaluations=6), first_cap=0.25)
    assert len({run.trial.config for run in result.history.runs}) == 6
    assert len(result.history) > 6


def test_a_small_space_is_tried_to_the_end() -> None:
    desk = Desk(4, judge=lambda trial: Outcome(trial.id, Status.DONE, trial.config["n"], trial.config["n"]))
    result = minimize_on(desk, Budget(evaluations=100), space={"n": (1, 7)}, slack=inf)
    assert (len(result.history), result.reason.kind) == (7, StopKind.EXHAUSTED)


def test_time_is_looked_at_while_waiting() -> None:
    desk = Desk(2)
    result = minimize_on(desk, Budget(wall=20.0))
    assert str(result.reason) == "20 s have passed"
    blocked = [timeout_s for timeout_s in desk.timeouts if timeout_s != 0.0]
    assert blocked[:2] == [20.0, 19.0]
    assert desk.trials, "what was under way is given up"
    assert desk.closed


def test_a_lost_trial_is_run_again_and_is_no_new_evaluation() -> None:
    lost: list[Trial] = []

    def lose_some(trial: Trial) -> Outcome:
        if trial.id % 3 == 0:
            lost.append(trial)
            return Outcome(trial.id, Status.LOST, inf, 0.0, note="a worker died")
        return obey(trial)

    result = minimize_on(Desk(2, lose_some), Budget(evaluations=8), slack=inf)
    ended = [run.trial for run in result.history if run.outcome.status is not Status.LOST]
    assert len({trial.config for trial in ended}) == 8
    for trial in lost:
        assert any((each.config, each.cap) == (trial.config, trial.cap) for each in ended)


def test_ten_losses_in_a_row_end_it_with_the_cause() -> None:
    desk = Desk(2, lambda trial: Outcome(trial.id, Status.LOST, inf, 0.0, note="its supervisor was killed"))
    with pytest.raises(TargetError, match="10 runs in a row were lost: its supervisor was killed"):
        minimize_on(desk, Budget(evaluations=8))
    assert desk.closed


def test_a_finding_that_is_an_error_ends_it() -> None:
    desk = Desk(2)
    desk.problems = [Finding("F02", Severity.ERROR, "config {'x': 0.5}", "returned None", "return the cost")]
    with pytest.raises(TargetError, match=r"config \{'x': 0.5\}: returned None; return the cost"):
        minimize_on(desk, Budget(evaluations=8))


def test_what_was_charged_differs_from_the_bound_that_is_known() -> None:
    def overshoot(trial: Trial) -> Outcome:
        outcome = obey(trial)
        return replace(outcome, spent=outcome.cost + 0.125)

    result = minimize_on(Desk(2, overshoot), Budget(evaluations=6))
    assert all(run.outcome.spent == run.outcome.cost + 0.125 for run in result.history.runs)
