"""How many runs a budget allows."""

import pytest

from tightrope.budget import Budget
from tightrope.errors import Severity
from tightrope.preflight.budget_check import RunCosts, check_budget, round_down, round_up


def test_budget_of_many_ceilings_is_fine() -> None:
    line = check_budget(Budget(wall="8h"), RunCosts.timed(30.0))
    assert line.findings == ()
    assert line.text == "8h / ceiling 30s = 960 full-length runs"


def test_budget_of_few_ceilings_suggests_a_ceiling_and_a_budget() -> None:
    (finding,) = check_budget(Budget(wall="1h"), RunCosts.timed(300.0)).findings
    assert (finding.code, finding.severity) == ("B02", Severity.WARNING)
    assert finding.message == "1h / ceiling 5m = 12 full-length runs"
    assert finding.hint == 'try ceiling = "30s" or budget = "9h"'


def test_no_ceiling_near_the_cost_of_the_default_is_suggested() -> None:
    (finding,) = check_budget(Budget(wall="1h"), RunCosts.timed(300.0, typical=100.0)).findings
    assert finding.hint == 'try budget = "9h"'


def test_budget_below_the_ceiling_is_an_error() -> None:
    (finding,) = check_budget(Budget(cost=10.0), RunCosts.timed(30.0)).findings
    assert (finding.code, finding.severity) == ("B01", Severity.ERROR)


def test_several_slots_multiply_time_but_not_cost() -> None:
    runs = RunCosts.timed(10.0)
    assert "= 400 full-length" in check_budget(Budget(wall=1000.0), runs, slots=4).text
    assert "= 100 full-length" in check_budget(Budget(cost=1000.0), runs, slots=4).text


def test_number_of_runs_is_a_budget_too() -> None:
    (finding,) = check_budget(Budget(runs=10), RunCosts.timed(3.0)).findings
    assert (finding.code, finding.message) == ("B02", "10 runs")


def test_fewer_runs_of_the_default_than_instances_are_a_warning() -> None:
    line = check_budget(Budget(wall=1000.0), RunCosts.timed(10.0, typical=10.0), n_instances=500)
    assert [finding.code for finding in line.findings] == ["B03"]


def test_cost_that_is_no_time_is_divided_without_units() -> None:
    (finding,) = check_budget(Budget(cost=1000.0), RunCosts(30.0, 60.0, is_time=False)).findings
    assert finding.message == "1000 / ceiling 30 = 33 full-length runs"
    assert finding.hint == "try a budget of 3000"


def test_time_for_runs_of_unknown_length_promises_nothing() -> None:
    line = check_budget(Budget(wall="1h"), RunCosts(30.0, is_time=False))
    assert line.text == "1h; the number of runs is unknown"


@pytest.mark.parametrize(
    ("seconds", "down", "up"), [(7.0, 5.0, 10.0), (60.0, 60.0, 60.0), (5000.0, 3600.0, 7200.0)]
)
def test_durations_are_rounded_to_common_ones(seconds: float, down: float, up: float) -> None:
    assert (round_down(seconds), round_up(seconds)) == (down, up)


def test_a_ceiling_far_above_the_default_suggests_a_lower_one() -> None:
    (finding,) = check_budget(Budget(wall="2h"), RunCosts.timed(60.0, typical=0.013, longest=0.02)).findings
    assert (finding.code, finding.severity) == ("B04", Severity.WARNING)
    assert finding.message == "the ceiling is about 5 000 times the default's typical cost"
    assert finding.hint == 'try ceiling = "2s"'


@pytest.mark.parametrize(("typical", "longest"), [(0.1, 0.2), (0.013, 20.0), (0.013, float("nan"))])
def test_a_ceiling_that_some_run_comes_near_to_may_stay(typical: float, longest: float) -> None:
    assert (
        check_budget(Budget(wall="2h"), RunCosts.timed(60.0, typical=typical, longest=longest)).findings == ()
    )
