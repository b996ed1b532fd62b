"""The option --budget."""

import pytest

from tightrope.budget import Budget
from tightrope.cli.terminal.limits import describe_budget, limits_of, read_limit
from tightrope.errors import UsageError
from tightrope.units import UnitError


@pytest.mark.parametrize(
    ("text", "name", "amount"),
    [
        ("8h", "wall", 28800.0),
        ("90m cpu", "cost", 5400.0),
        ("1h 30m", "wall", 5400.0),
        ("500 runs", "runs", 500.0),
    ],
)
def test_a_limit_is_of_time_of_cost_or_of_runs(text: str, name: str, amount: float) -> None:
    limit = read_limit(text)
    assert (limit.name, limit.amount, limit.is_more) == (name, amount, False)


@pytest.mark.parametrize("text", ["", "+", "8", "8 lightyears", "0s", "-2h", "1.5 runs", "cpu"])
def test_text_that_is_not_a_limit_is_rejected(text: str) -> None:
    with pytest.raises(UnitError):
        read_limit(text)


def test_a_plus_raises_the_current_limit() -> None:
    assert limits_of(read_limit("+2h").applied_to(Budget(wall="8h", runs=9))) == {"wall": 36000.0, "runs": 9}


def test_a_limit_without_a_plus_replaces_all_others() -> None:
    assert limits_of(read_limit("2h").applied_to(Budget(wall="8h", runs=9))) == {"wall": 7200.0}


def test_a_plus_needs_a_limit_to_add_to() -> None:
    with pytest.raises(UsageError, match=r"\+2h has nothing to add to: the budget is 9 runs"):
        read_limit("+2h").applied_to(Budget(runs=9))


def test_a_budget_is_described_with_all_its_limits() -> None:
    assert describe_budget(Budget(cost=10.0, wall="90s", runs=1)) == "1 m 30 s and 10.0 of cost and 1 run"
