"""What a tuning found, in a sentence: bounds are told as bounds."""

from typing import Any

from tightrope import Result, TuneResult
from tightrope.compare.contrast import Claim, Contrast
from tightrope.errors import Finding, Severity
from tightrope.records import Config, Incumbent, Outcome, Run, Status, StopKind, StopReason, Trial
from tightrope.store import History


def result_with(statuses: str = "dc", **changes: Any) -> TuneResult:
    """Return a result of runs that were done (d), capped (c) or failed (f)."""
    status_of = {"d": Status.DONE, "c": Status.CAPPED, "f": Status.FAILED}
    runs = [
        Run(Trial(i, Config({"x": float(i)}), 10.0), Outcome(i, status_of[letter], 4.0, 4.0))
        for i, letter in enumerate(statuses)
    ]
    settings: dict[str, Any] = {
        "best": {"x": 0.0},
        "cost": 4.0,
        "is_bound": False,
        "n_tasks": 3,
        "against_default": Contrast(Claim.RATIO, 3, 2.5, (2.0, 3.125)),
        "spent": 4.0 * len(runs),
        "wall_s": 8.0,
        "history": History(runs),
        "trajectory": (),
        "findings": (),
        "reason": StopReason(StopKind.RUNS, "2 runs are done"),
    }
    return TuneResult(**settings | changes)


def test_the_sentence_says_how_much_on_how_many_tasks_at_what_cost_and_why_it_stopped() -> None:
    assert str(result_with()) == (
        "The best config costs 4 on 3 tasks: it costs 2.5 times less than the default (95 %: 2 to 3.12) on "
        "3 common tasks. 2 runs (1 finished, 1 stopped at their caps) cost 8 in all. "
        "Stopped because 2 runs are done."
    )


def test_failures_are_told_if_there_are_any() -> None:
    assert "3 runs (1 finished, 1 stopped at their caps, 1 failed) cost 12" in str(result_with("dcf"))


def test_a_cost_that_is_a_bound_is_told_as_one() -> None:
    assert "costs at least 4 on 1 task:" in str(result_with(is_bound=True, n_tasks=1))


def test_findings_follow_once_each() -> None:
    findings = [
        Finding("T01", Severity.WARNING, f"trial {i}", "it claims 9 s, but took 2 s", "fix its clock")
        for i in range(3)
    ]
    text = str(result_with(findings=findings))
    assert text.endswith("\nT01 trial 0: it claims 9 s, but took 2 s; fix its clock (3 in all)")


def test_it_is_a_result_that_can_be_plotted() -> None:
    incumbents = [Incumbent(Config({"x": float(k)}), 8.0 - k, 3, spent=10.0 * k) for k in range(1, 4)]
    result = result_with(trajectory=incumbents, spent=50.0)
    assert isinstance(result, Result)
    figure = result.plot()
    assert figure.axes[0].get_title() == "3 promotions, final cost 5"
    xs, ys = figure.axes[0].lines[0].get_data()
    assert (list(xs), list(ys)) == ([10.0, 20.0, 30.0, 50.0], [7.0, 6.0, 5.0, 5.0])


def test_default_and_best_can_be_drawn_instance_by_instance() -> None:
    result = result_with("dd", default={"x": 1.0}, ceiling=10.0)
    (axes,) = result.plot_scatter().axes
    assert axes.get_title() == "best costs less on 0 of 1 instances"
