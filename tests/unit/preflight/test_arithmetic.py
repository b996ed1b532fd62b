"""What a budget is good for."""

import pytest

from tightrope.budget import Budget
from tightrope.errors import Severity
from tightrope.preflight.arithmetic import Runs, budget_line, round_down, round_up


def test_budget_of_many_ceilings_is_fine() -> None:
    line = budget_line(Budget(wall="8h"), Runs.timed(30.0))
    assert line.findings == ()
    assert line.text == "8h / ceiling 30s = 960 uncut runs"


def test_budget_of_few_ceilings_comes_with_two_ways_out() -> None:
    (finding,) = budget_line(Budget(wall="1h"), Runs.timed(300.0)).findings
    assert (finding.code, finding.severity) == ("B02", Severity.WARNING)
    assert finding.message == "1h / ceiling 5m = 12 uncut runs"
    assert finding.hint == 'try ceiling = "30s" or budget = "9h"'


def test_ceiling_is_not_lowered_to_what_the_default_needs() -> None:
    (finding,) = budget_line(Budget(wall="1h"), Runs.timed(300.0, typical=100.0)).findings
    assert finding.hint == 'try budget = "9h"'


def test_budget_below_the_ceiling_must_be_mended() -> None:
    (finding,) = budget_line(Budget(cost=10.0), Runs.timed(30.0)).findings
    assert (finding.code, finding.severity) == ("B01", Severity.ERROR)


def test_several_slots_multiply_time_but_not_cost() -> None:
    runs = Runs.timed(10.0)
    assert "= 400 uncut" in budget_line(Budget(wall=1000.0), runs, slots=4).text
    assert "= 100 uncut" in budget_line(Budget(cost=1000.0), runs, slots=4).text


def test_number_of_runs_is_a_budget_too() -> None:
    (finding,) = budget_line(Budget(runs=10), Runs.timed(3.0)).findings
    assert (finding.code, finding.message) == ("B02", "10 runs")


def test_fewer_runs_of_the_default_than_instances_are_told() -> None:
    line = budget_line(Budget(wall=1000.0), Runs.timed(10.0, typical=10.0), n_instances=500)
    assert [finding.code for finding in line.findings] == ["B03"]


def test_cost_that_is_no_time_is_divided_without_units() -> None:
    (finding,) = budget_line(Budget(cost=1000.0), Runs(30.0, 60.0, is_time=False)).findings
    assert finding.message == "1000 / ceiling 30 = 33 uncut runs"
    assert finding.hint == "try a budget of 3000"


def test_time_for_runs_of_unknown_length_promises_nothing() -> None:
    line = budget_line(Budget(wall="1h"), Runs(30.0, is_time=False))
    assert line.text == "1h, and how many runs fit is not known"


@pytest.mark.parametrize(
    ("seconds", "down", "up"), [(7.0, 5.0, 10.0), (60.0, 60.0, 60.0), (5000.0, 3600.0, 7200.0)]
)
def test_durations_are_rounded_to_what_people_write(seconds: float, down: float, up: float) -> None:
    assert (round_down(seconds), round_up(seconds)) == (down, up)


def test_a_ceiling_far_above_the_default_comes_with_a_lower_one() -> None:
    (finding,) = budget_line(Budget(wall="2h"), Runs.timed(60.0, typical=0.013, longest=0.02)).findings
    assert (finding.code, finding.severity) == ("B04", Severity.WARNING)
    assert finding.message == "the ceiling is about 5 000 times what the default needs"
    assert finding.hint == 'try ceiling = "2s"'


@pytest.mark.parametrize(("typical", "longest"), [(0.1, 0.2), (0.013, 20.0), (0.013, float("nan"))])
def test_a_ceiling_that_some_run_comes_near_to_may_stay(typical: float, longest: float) -> None:
    assert budget_line(Budget(wall="2h"), Runs.timed(60.0, typical=typical, longest=longest)).findings == ()
