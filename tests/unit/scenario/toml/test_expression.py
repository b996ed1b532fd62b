"""Expressions in scenarios in TOML."""

import pytest

from tightrope.errors import ScenarioError
from tightrope.scenario import Scenario, parse_scenario
from tightrope.space import Space

TEXT = """
command = "./solver {{parameters}}"
ceiling = 1
budget = {{ runs = 1 }}
[params]
n = {{ type = "integer", range = [-9, 9], default = 3 }}
mode = {{ type = "categorical", values = ["a", "it's", "b c"] }}
level = {{ type = "ordinal", values = [1, 2, 4] }}
flag = {{ type = "boolean" }}
"odd name" = {{ type = "boolean", default = true }}
child = {{ type = "real", range = [0, 1], when = {when} }}
"""


def read(when: str) -> Scenario:
    return parse_scenario(TEXT.format(when=when), file="s.toml")


def is_active(when: str, **values: object) -> bool:
    space = Space.of(read(when).space)
    config = {"n": 3, "mode": "a", "level": 1, "flag": False, "odd name": True, **values}
    names, row = space.names, space.columns.defaults.copy()
    for name, value in config.items():
        row[names.index(name)] = space.columns.each[names.index(name)].code(value)
    return bool(space.is_active(row[None, :])[0, names.index("child")])


@pytest.mark.parametrize(
    ("when", "holds", "fails"),
    [
        ("'n > 2'", {"n": 3}, {"n": 2}),
        ("'2 < n'", {"n": 3}, {"n": 2}),
        ("'n >= -4 and n <= 2'", {"n": -4}, {"n": 3}),
        ("'n != 3'", {"n": 4}, {"n": 3}),
        ("\"mode == 'a'\"", {"mode": "a"}, {"mode": "b c"}),
        ("""'mode in ["a", "b c"]'""", {"mode": "b c"}, {"mode": "it's"}),
        ('''"mode == 'it\\\\'s'"''', {"mode": "it's"}, {"mode": "a"}),
        ("'level > 1'", {"level": 2}, {"level": 1}),
        ("'level in [1, 4]'", {"level": 4}, {"level": 2}),
        ("'flag'", {"flag": True}, {"flag": False}),
        ("'not flag'", {"flag": False}, {"flag": True}),
        ("'flag == true || n == 1'", {"n": 1}, {"n": 2}),
        ("'`odd name` and not (flag or n < 0)'", {"n": 1}, {"n": -1}),
        ("'!(n < 0) && flag == false'", {"n": 1}, {"flag": True}),
    ],
)
def test_a_parameter_is_active_when_its_condition_holds(
    when: str, holds: dict[str, object], fails: dict[str, object]
) -> None:
    assert is_active(when, **holds)
    assert not is_active(when, **fails)


@pytest.mark.parametrize(
    ("when", "problem"),
    [
        ("'n > level'", "comparing two parameters in a condition is not supported"),
        ("'n > '", "the expression is incomplete"),
        ("'(n > 1'", "the expression is incomplete"),
        ("'max(n, 1) > 2'", "the function 'max' is not supported"),
        ("'n > 1 n'", "'n' is not supported here"),
        ("'3 == 3'", "expected a parameter, found a value"),
        ("'child > 0.5'", "depends on itself"),
        ("'mode < 1'", "1 is not a value of this parameter"),
        ("'mode in [a]'", "'a' is not a value"),
        ("7", "expected a string in quotes, found 7"),
    ],
)
def test_an_invalid_condition_is_explained(when: str, problem: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        read(when)
    assert problem in caught.value.problem
    assert caught.value.line == 11
