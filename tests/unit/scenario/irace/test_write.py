"""Writing irace parameter files, and errors for spaces that they cannot express."""

from typing import Any

import pytest
from ConfigSpace import ConfigurationSpace
from ConfigSpace import conditions as on
from ConfigSpace import forbidden as no
from ConfigSpace import hyperparameters as hp

from tightrope.errors import SpaceError
from tightrope.scenario import parse_irace, parse_pcs, write_irace

TEXT = """\
a "--a " c ("x", "y")
n "--n " i,log (1, 64)
o "--o " o ("low", "mid", "high")
r "--r " r (0.5, 1.0)
"""


def parameters() -> list[Any]:
    return [
        hp.CategoricalHyperparameter("a", ["x", "y"]),
        hp.UniformIntegerHyperparameter("n", 1, 64, log=True),
        hp.OrdinalHyperparameter("o", ["low", "mid", "high"]),
        hp.UniformFloatHyperparameter("r", 0.5, 1.0),
    ]


def space_with(*more: Any) -> ConfigurationSpace:
    space = ConfigurationSpace()
    space.add([*parameters(), *more])
    return space


def rules_written(*rules: Any) -> list[str]:
    return write_irace(space_with(*rules)).partition("[forbidden]\n")[2].splitlines()


def test_each_parameter_takes_a_line() -> None:
    assert write_irace(space_with()) == TEXT


def test_a_switch_that_was_read_is_written_again() -> None:
    text = 'a "--all=" c ("x", "y")\nb "" i (1, 9) | a == "y"\n'
    assert write_irace(parse_irace(text)) == text


def test_a_condition_follows_its_parameter() -> None:
    a, n, o, r = parameters()
    either = on.OrConjunction(on.EqualsCondition(r, a, "y"), on.GreaterThanCondition(r, n, 9))
    rule = on.AndConjunction(either, on.InCondition(r, o, ["low", "mid"]))
    assert write_irace(space_with(rule)).splitlines()[3] == (
        'r "--r " r (0.5, 1.0) | (a == "y" | n > 9) & o %in% c("low", "mid")'
    )


def test_forbidden_combinations_have_a_section() -> None:
    a, n, _, r = parameters()
    both = no.ForbiddenAndConjunction(
        no.ForbiddenEqualsClause(a, "y"), no.ForbiddenGreaterThanClause(r, 0.75)
    )
    assert rules_written(both, no.ForbiddenLessThanRelation(n, r)) == ['a == "y" & r > 0.75', "n < r"]


def test_at_least_is_written_as_it_was_read() -> None:
    text = 'a "" c ("x", "y")\nn "" i (1, 9)\n\n[forbidden]\na == "y" & n >= 3\n'
    assert write_irace(parse_irace(text)) == text


def test_an_order_of_choices_becomes_a_list() -> None:
    assert rules_written(no.ForbiddenGreaterThanClause(parameters()[2], "low")) == ['o %in% c("mid", "high")']


def test_many_decimals_need_a_line_with_digits() -> None:
    text = write_irace(parse_pcs("r [0.000123, 1][0.5]"))
    assert text == 'r "--r " r (0.000123, 1.0)\n\n[global]\ndigits = 6\n'


def test_choices_and_constants_become_strings() -> None:
    space = ConfigurationSpace({"c": [1, 2.5], "k": 4})
    assert write_irace(space) == 'c "--c " c ("1", "2.5")\nk "--k " c ("4")\n'


@pytest.mark.parametrize("name", ["a-b", "a b", "@a", ""])
def test_names_that_could_not_be_read_are_refused(name: str) -> None:
    space = ConfigurationSpace()
    space.add(hp.Constant(name, "x"))
    with pytest.raises(SpaceError, match="invalid name for an irace file"):
        write_irace(space)


@pytest.mark.parametrize("name", ["2opt", "_x", "if"])
def test_names_that_r_would_misread_are_refused_in_rules(name: str) -> None:
    assert write_irace(ConfigurationSpace({name: (1, 9)})) == f'{name} "--{name} " i (1, 9)\n'
    parameter = hp.UniformIntegerHyperparameter(name, 1, 9)
    space = ConfigurationSpace()
    space.add(parameter, no.ForbiddenEqualsClause(parameter, 3))
    with pytest.raises(SpaceError, match="invalid name for an R expression"):
        write_irace(space)


@pytest.mark.parametrize("value", ['a"b', "a#b", "a\nb", "\x00", None], ids=repr)
def test_choices_that_could_not_be_read_are_refused(value: object) -> None:
    space = ConfigurationSpace()
    space.add(hp.CategoricalHyperparameter("a", ["x", value]))
    with pytest.raises(SpaceError, match="cannot write this value to an irace file"):
        write_irace(space)


def test_choices_that_look_alike_are_refused() -> None:
    with pytest.raises(SpaceError, match="are equal as text"):
        write_irace(ConfigurationSpace({"a": [1, "1"]}))


def test_weights_are_refused() -> None:
    space = ConfigurationSpace()
    space.add(hp.CategoricalHyperparameter("a", ["x", "y"], weights=[1, 3]))
    with pytest.raises(SpaceError, match="irace files support uniform distributions only"):
        write_irace(space)


def test_a_condition_that_holds_for_an_inactive_parent_is_refused() -> None:
    a, n, o, _ = parameters()
    space = space_with(on.EqualsCondition(n, a, "x"), on.NotEqualsCondition(o, n, 3))
    with pytest.raises(SpaceError, match="holds if 'n' is inactive, which files cannot express"):
        write_irace(space)


def test_relations_between_choices_that_are_numbers_are_refused() -> None:
    left, right = hp.OrdinalHyperparameter("l", [3, 4]), hp.OrdinalHyperparameter("q", [1, 2])
    with pytest.raises(SpaceError, match=r"cannot write .* to an irace file"):
        write_irace(space_with(left, right, no.ForbiddenLessThanRelation(left, right)))
