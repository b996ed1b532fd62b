"""Writing PCS files, and errors for spaces that PCS files cannot express."""

from typing import Any

import pytest
from ConfigSpace import ConfigurationSpace
from ConfigSpace import conditions as on
from ConfigSpace import forbidden as no
from ConfigSpace import hyperparameters as hp

from tightrope.errors import SpaceError
from tightrope.scenario import parse_pcs, write_pcs

PARAMETERS = """\
a categorical {x, y} [x]
b categorical {very low, +, 0.10} [+]
n integer [1, 64] [8] log
o ordinal {low, mid, high} [mid]
r real [0.001, 1.0] [0.5]
"""


def space_with(*rules: Any) -> ConfigurationSpace:
    space = ConfigurationSpace()
    space.add([*parameters(), *rules])
    return space


def parameters() -> list[Any]:
    return [
        hp.CategoricalHyperparameter("a", ["x", "y"]),
        hp.CategoricalHyperparameter("b", ["very low", "+", "0.10"], default_value="+"),
        hp.UniformIntegerHyperparameter("n", 1, 64, 8, log=True),
        hp.OrdinalHyperparameter("o", ["low", "mid", "high"], default_value="mid"),
        hp.UniformFloatHyperparameter("r", 0.001, 1.0, 0.5),
    ]


def rules_written(*rules: Any) -> list[str]:
    lines = write_pcs(space_with(*rules)).splitlines()
    return [line for line in lines[5:] if line and not line.startswith("#")]


def test_parameters_are_written_in_the_new_dialect() -> None:
    assert write_pcs(space_with()) == PARAMETERS


def test_writing_and_reading_gives_the_same_space() -> None:
    space = space_with()
    assert parse_pcs(write_pcs(space)) == space


def test_the_old_dialect_is_rewritten_in_the_new_one() -> None:
    assert write_pcs(parse_pcs("a {x,y}[x]\nn [1,64][8]il")) == (
        "a categorical {x, y} [x]\nn integer [1, 64] [8] log\n"
    )


def test_conditions_and_clauses_have_sections() -> None:
    a, _, n, _, r = parameters()
    space = space_with(on.InCondition(n, a, ["y"]), no.ForbiddenEqualsClause(r, 0.25))
    assert write_pcs(space).endswith("\n\n# Conditions:\nn | a in {y}\n\n# Forbidden:\n{r = 0.25}\n")


def test_conditions_joined_by_and_take_one_line() -> None:
    a, _, n, o, _ = parameters()
    both = on.AndConjunction(on.EqualsCondition(o, a, "y"), on.LessThanCondition(o, n, 9))
    assert rules_written(both) == ["o | a == y && n < 9"]


def test_or_within_and_becomes_alternatives_since_a_child_may_have_one_line() -> None:
    a, b, n, o, _ = parameters()
    either = on.OrConjunction(on.NotEqualsCondition(o, a, "y"), on.GreaterThanCondition(o, n, 9))
    rule = on.AndConjunction(either, on.EqualsCondition(o, b, "+"))
    assert rules_written(rule) == ["o | a != y && b == + || n > 9 && b == +"]


def test_deeper_nesting_becomes_alternatives() -> None:
    a, b, n, o, r = parameters()
    either = on.OrConjunction(on.EqualsCondition(o, a, "y"), on.EqualsCondition(o, n, 9))
    both = on.AndConjunction(either, on.EqualsCondition(o, b, "+"))
    rule = on.OrConjunction(both, on.GreaterThanCondition(o, r, 0.5))
    assert rules_written(rule) == ["o | a == y && b == + || n == 9 && b == + || r > 0.5"]


def test_each_forbidden_combination_takes_a_line() -> None:
    a, _, n, o, r = parameters()
    either = no.ForbiddenOrConjunction(no.ForbiddenEqualsClause(a, "y"), no.ForbiddenLessThanClause(o, "mid"))
    clause = no.ForbiddenAndConjunction(either, no.ForbiddenInClause(n, [9, 10]))
    assert rules_written(clause, no.ForbiddenLessThanEqualsRelation(n, r)) == [
        "{a = y, n in {9, 10}}",
        "{o < mid, n in {9, 10}}",
        "{n <= r}",
    ]


def test_a_constant_becomes_a_single_choice() -> None:
    assert write_pcs(ConfigurationSpace({"threads": 4})) == "threads categorical {4} [4]\n"


def test_numbers_and_booleans_become_strings() -> None:
    assert (
        write_pcs(ConfigurationSpace({"c": [1, 2.5, False, "x"]})) == "c categorical {1, 2.5, false, x} [1]\n"
    )


NAMES = ["", "a b", "a{", "a|b", "a=b", "a#", "(a", "a,b", "\ufeffa", "a\u200b"]


@pytest.mark.parametrize("name", NAMES)
def test_names_that_could_not_be_read_are_refused(name: str) -> None:
    space = ConfigurationSpace()
    space.add(hp.Constant(name, "x"))
    with pytest.raises(SpaceError, match="invalid name for a PCS file"):
        write_pcs(space)


VALUES = ["", " a", "a,b", "a}", "#1", "a&&b", "a||b", "a\nb", "\x00", None, (1, 2)]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_choices_that_could_not_be_read_are_refused(value: object) -> None:
    space = ConfigurationSpace()
    space.add(hp.CategoricalHyperparameter("a", ["x", value]))
    with pytest.raises(SpaceError, match="cannot write this value to a PCS file"):
        write_pcs(space)


def test_choices_that_look_alike_are_refused() -> None:
    with pytest.raises(SpaceError, match="some of the choices 1, 1 are equal as text"):
        write_pcs(ConfigurationSpace({"a": [1, "1"]}))


@pytest.mark.parametrize(
    "parameter",
    [
        hp.CategoricalHyperparameter("a", ["x", "y"], weights=[1, 3]),
        hp.NormalFloatHyperparameter("a", 0.5, 0.1, 0.0, 1.0),
        hp.BetaIntegerHyperparameter("a", 2, 3, 1, 9),
    ],
    ids=lambda parameter: type(parameter).__name__,
)
def test_distributions_other_than_uniform_are_refused(parameter: Any) -> None:
    space = ConfigurationSpace()
    space.add(parameter)
    with pytest.raises(SpaceError, match="PCS files support uniform distributions only"):
        write_pcs(space)


def test_relations_that_would_be_read_as_values_are_refused() -> None:
    left, right = hp.CategoricalHyperparameter("l", ["x", "r"]), hp.CategoricalHyperparameter("r", ["q", "x"])
    space = ConfigurationSpace()
    space.add(left, right, no.ForbiddenEqualsRelation(left, right))
    with pytest.raises(SpaceError, match=r"cannot write .* to a PCS file"):
        write_pcs(space)


def test_relations_between_choices_that_are_numbers_are_refused() -> None:
    left, right = hp.OrdinalHyperparameter("l", [3, 4]), hp.OrdinalHyperparameter("r", [1, 2])
    space = ConfigurationSpace()
    space.add(left, right, no.ForbiddenLessThanRelation(left, right))
    with pytest.raises(SpaceError, match=r"cannot write .* to a PCS file"):
        write_pcs(space)


def test_rules_with_too_many_alternatives_are_refused() -> None:
    space = ConfigurationSpace({f"p{i:02}": ["x", "y", "z"] for i in range(12)})
    pairs = [
        no.ForbiddenOrConjunction(*(no.ForbiddenEqualsClause(parameter, value) for value in "yz"))
        for parameter in space.values()
    ]
    space.add(no.ForbiddenAndConjunction(*pairs))
    with pytest.raises(SpaceError, match="more than 1000 alternatives"):
        write_pcs(space)


def test_a_condition_that_holds_for_an_inactive_parent_is_refused() -> None:
    a, _, n, o, _ = parameters()
    space = space_with(on.EqualsCondition(n, a, "x"), on.NotEqualsCondition(o, n, 3))
    with pytest.raises(SpaceError, match="holds if 'n' is inactive, which files cannot express"):
        write_pcs(space)
