"""Budget: limits of a whole optimisation."""

from math import inf

import numpy as np
import pytest

from tightrope import Budget
from tightrope.records import StopKind, StopReason


def test_a_plain_number_is_a_cumulative_cost() -> None:
    assert Budget.of(30) == Budget.of(np.float64(30)) == Budget(cost=30.0)


@pytest.mark.parametrize(
    ("wall", "expected_s"), [("90s", 90.0), ("10m", 600.0), ("1.5h", 5400.0), ("2 d", 172800.0), (7, 7.0)]
)
def test_durations_are_read(wall: float | str, expected_s: float) -> None:
    assert Budget(wall=wall).wall_s == expected_s


@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"cost": 0},
        {"cost": float("nan")},
        {"wall": "ten minutes"},
        {"evaluations": -1},
        {"evaluations": 2.5},
        {"cost": inf},
    ],
)
def test_limits_that_make_no_sense_are_refused(limits: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"budget|positive|wall|whole"):
        Budget(**limits)


@pytest.mark.parametrize("budget", ["10m", None, [3]])
def test_a_budget_that_is_not_valid_is_rejected_with_a_hint(budget: object) -> None:
    with pytest.raises(ValueError, match=r"Budget\(cost=, evaluations=, wall='10m'\)"):
        Budget.of(budget)


def test_what_is_reached_first_ends_it() -> None:
    budget = Budget(cost=10, wall="1m")
    assert budget.exhausted(cost=9.9, wall_s=59.0) is None
    assert budget.exhausted(cost=10.0, wall_s=59.0) == StopReason(
        StopKind.COST, "the cost budget of 10 is spent"
    )
    assert budget.exhausted(cost=9.9, wall_s=60.0) == StopReason(StopKind.TIME, "60 s have passed")
