"""What a tuning found, in a sentence: bounds are told as bounds."""

from math import inf
from typing import Any

import pytest

from tightrope import TuningResult
from tightrope.errors import Finding, Severity
from tightrope.race.comparison import Comparison, compare
from tightrope.race.objective import Objective, Score
from tightrope.records import Config, Outcome, Run, Status, Trial
from tightrope.store import History

OBJECTIVE = Objective(ceiling=100.0, par=10.0)


def exact(cost: float) -> Score:
    return Score(cost, exact=True)


def bound(cost: float) -> Score:
    return Score(cost, exact=False)


def result_with(statuses: str = "dc", **changes: Any) -> TuningResult:
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
        "against_default": Comparison(4.0, 10.0, 3),
        "spent": 4.0 * len(runs),
        "wall_s": 8.0,
        "history": History(runs),
        "trajectory": (),
        "findings": (),
        "reason": "2 runs are done",
    }
    return TuningResult(**settings | changes)


def test_the_sentence_says_how_much_on_how_many_tasks_at_what_cost_and_why_it_stopped() -> None:
    assert str(result_with()) == (
        "The best config costs 4 on 3 tasks: 2.5 times less than the default on 3 tasks in common. "
        "2 runs (1 finished, 1 cut short) cost 8 in all. Stopped because 2 runs are done."
    )


def test_failures_are_told_if_there_are_any() -> None:
    assert "3 runs (1 finished, 1 cut short, 1 failed) cost 12" in str(result_with("dcf"))


def test_a_cost_that_is_a_bound_is_told_as_one() -> None:
    assert "costs at least 4 on 1 task:" in str(result_with(is_bound=True, n_tasks=1))


def test_a_default_that_was_cut_short_makes_the_ratio_a_bound() -> None:
    comparison = compare({0: exact(4.0)}, {0: bound(10.0)}, OBJECTIVE)
    assert str(comparison) == ">= 2.5 times less than the default on 1 task in common"


def test_a_best_config_that_was_cut_short_leaves_the_ratio_open() -> None:
    comparison = compare({0: bound(4.0)}, {0: exact(10.0)}, OBJECTIVE)
    assert str(comparison) == "how it compares with the default is open (1 task in common)"


def test_nothing_in_common_leaves_the_ratio_open() -> None:
    comparison = compare({0: exact(4.0)}, {1: exact(10.0)}, OBJECTIVE)
    assert comparison.n_tasks == 0
    assert "open (0 tasks in common)" in str(comparison)


def test_the_default_itself_is_called_so() -> None:
    assert str(compare({0: exact(4.0)}, {0: exact(4.0)}, OBJECTIVE, is_same=True)) == "it is the default"


def test_only_tasks_in_common_are_compared() -> None:
    comparison = compare(
        {0: exact(2.0), 1: exact(6.0), 2: exact(99.0)}, {1: exact(3.0), 0: exact(13.0)}, OBJECTIVE
    )
    assert (comparison.cost, comparison.other, comparison.n_tasks, comparison.speedup) == (4.0, 8.0, 2, 2.0)


@pytest.mark.parametrize("score", [exact(inf), bound(100.0), exact(100.0)])
def test_failures_and_timeouts_count_par_times_the_ceiling_and_are_no_bounds(score: Score) -> None:
    comparison = compare({0: exact(10.0)}, {0: score}, OBJECTIVE)
    assert comparison.other == 1000.0
    assert not comparison.other_is_bound


def test_no_cost_at_all_is_infinitely_less() -> None:
    assert compare({0: exact(0.0)}, {0: exact(1.0)}, OBJECTIVE).speedup == inf


def test_findings_follow_once_each() -> None:
    findings = [
        Finding("T01", Severity.WARNING, f"trial {i}", "it claims 9 s, but took 2 s", "mend its clock")
        for i in range(3)
    ]
    text = str(result_with(findings=findings))
    assert text.endswith("\nT01 trial 0: it claims 9 s, but took 2 s; mend its clock (3 in all)")


def test_a_config_that_is_worse_on_the_tasks_in_common_is_said_to_be() -> None:
    assert str(Comparison(5.0, 4.0, 3)) == "1.25 times as much as the default on 3 tasks in common"


def test_a_bound_below_the_cost_leaves_the_comparison_open() -> None:
    text = str(Comparison(5.0, 4.0, 3, other_is_bound=True))
    assert text == "how it compares with the default is open (3 tasks in common)"
