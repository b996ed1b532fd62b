"""Parameters from printed options."""

import pytest
from ConfigSpace import UniformFloatHyperparameter, UniformIntegerHyperparameter

from tightrope.scenario.solvers.parameters import space_of
from tightrope.scenario.solvers.printed import Option


def test_few_values_become_choices_and_wide_ranges_a_log_scale() -> None:
    space = space_of({"tier": Option(0, 1, 2), "interval": Option(1, 1000, 2_000_000_000)})
    assert list(space["tier"].choices) == ["0", "1", "2"]
    assert (space["interval"].lower, space["interval"].upper, space["interval"].log) == (1, 100_000, True)


def test_an_interval_without_end_is_cut_at_a_hundred_times_the_default() -> None:
    space = space_of({"rinc": Option(1.001, 2.0, float("inf"), is_real=True)})
    assert isinstance(space["rinc"], UniformFloatHyperparameter)
    assert space["rinc"].upper == 200.0


def test_no_limit_is_not_tuned_as_a_number() -> None:
    """-1 stands for no limit; on a log scale there is no such value."""
    space = space_of({"limit": Option(-1, 1000, float("inf"))})
    assert isinstance(space["limit"], UniformIntegerHyperparameter)
    assert space["limit"].lower == 1


@pytest.mark.parametrize(
    ("switch", "off"),
    [(Option(0, 1, 1), "0"), (Option(0, 1, 2), "0"), (Option(0, 1, 1, is_flag=True), False)],
)
def test_an_option_is_inactive_while_the_one_that_begins_its_name_is_off(switch: Option, off: object) -> None:
    space = space_of({"restart": switch, "restartint": Option(1, 2, 100)})
    (condition,) = space.conditions
    assert condition.child.name == "restartint"
    assert not condition.satisfied_by_value({"restart": off})
    assert space.get_default_configuration().get("restartint") == 2


def test_options_can_be_independent_and_left_out() -> None:
    options = {"phase": Option(0, 1, 1), "phasesaving": Option(0, 1, 1), "checkproof": Option(0, 0, 1)}
    space = space_of(options, leave_out=["check*"], independent=["phasesaving"])
    assert list(space) == ["phase", "phasesaving"]
    assert not space.conditions
