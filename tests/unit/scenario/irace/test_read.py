"""Reading irace parameter files, and errors about invalid ones."""

from pathlib import Path

import numpy as np
import pytest
from ConfigSpace import conditions as on
from ConfigSpace import forbidden as no
from ConfigSpace import hyperparameters as hp

from tightrope.errors import Fault, ScenarioError
from tightrope.scenario import parse_irace, read_irace
from tightrope.space import Space

BASE = """
a "-a " c (x, y, z)
b "-b " c ("x", "y")
n "-n " i (1, 9)
r "-r " r (0, 1)
o "-o " o (low, mid, high)
"""


def parameter_of(line: str, **default: object) -> hp.Hyperparameter:
    (parameter,) = parse_irace(line, default=default).values()
    return parameter


def condition_of(expression: str) -> object:
    (condition,) = parse_irace(f'{BASE}child "" c (1) | {expression}').conditions
    return condition


def clause_of(expression: str) -> object:
    (clause,) = parse_irace(f"{BASE}[forbidden]\n{expression}").forbidden_clauses
    return clause


def fault_of(text: str, **default: object) -> Fault:
    with pytest.raises(ScenarioError) as caught:
        parse_irace(text, default=default)
    (fault,) = caught.value.faults
    return fault


SPACE = parse_irace(BASE + 'child "" c (1)')
CHILD, A, B, N, R, ORDINAL = (SPACE[name] for name in ("child", "a", "b", "n", "r", "o"))
X, Y = on.EqualsCondition(CHILD, A, "x"), on.EqualsCondition(CHILD, B, "y")
NOT_X, NOT_Y = on.NotEqualsCondition(CHILD, A, "x"), on.NotEqualsCondition(CHILD, A, "y")
IS_3, BELOW_3, ABOVE_3 = (
    kind(CHILD, N, 3) for kind in (on.EqualsCondition, on.LessThanCondition, on.GreaterThanCondition)
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('x "" c (a, "b c", 0.50)', hp.CategoricalHyperparameter("x", ["a", "b c", "0.50"])),
        ('x "" c ("", "a,b", "f(x)")', hp.CategoricalHyperparameter("x", ["", "a,b", "f(x)"])),
        ('x "" o (low, high)', hp.OrdinalHyperparameter("x", ["low", "high"])),
        ('x "" i (-5, 5)', hp.UniformIntegerHyperparameter("x", -5, 5)),
        ('x "" i,log (1, 64)', hp.UniformIntegerHyperparameter("x", 1, 64, log=True)),
        ('x "" r (0.5,1.5)', hp.UniformFloatHyperparameter("x", 0.5, 1.5)),
        ('x "" r,log (1e-3, 1)  # why', hp.UniformFloatHyperparameter("x", 0.001, 1.0, log=True)),
    ],
)
def test_a_type_and_a_domain_are_a_parameter(line: str, expected: hp.Hyperparameter) -> None:
    parameter = parameter_of(line)
    parameter.meta = None
    assert parameter == expected


@pytest.mark.parametrize("switch", ["--x ", "", "-x=", "--"])
def test_the_switch_is_kept(switch: str) -> None:
    assert parameter_of(f'x "{switch}" i (1, 9)').meta == {"switch": switch}


def test_a_default_config_may_be_given() -> None:
    space = parse_irace(BASE, default={"a": "z", "n": 7, "r": 0.125, "o": "mid"})
    assert dict(space.get_default_configuration()) == {"a": "z", "b": "x", "n": 7, "r": 0.125, "o": "mid"}


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('a == "x"', X),
        ("'x' == a", X),
        ('a %in% c("x", "y")', on.InCondition(CHILD, A, ["x", "y"])),
        ('a %in% "x"', on.InCondition(CHILD, A, ["x"])),
        ("n < 3", BELOW_3),
        ("3L < n", ABOVE_3),
        ("(r > .5)", on.GreaterThanCondition(CHILD, R, 0.5)),
        ('a != "x"', NOT_X),
        ('!(a == "x")', NOT_X),
        ('!a %in% c("x", "y")', on.AndConjunction(NOT_X, NOT_Y)),
        ("n >= 3", on.OrConjunction(ABOVE_3, IS_3)),
        ('a == "x" & n > 3 | b == "y"', on.OrConjunction(on.AndConjunction(X, ABOVE_3), Y)),
        ('a == "x" && (n > 3 || b == "y")', on.AndConjunction(X, on.OrConjunction(ABOVE_3, Y))),
        ('!(a == "x" | n > 3)', on.AndConjunction(NOT_X, on.OrConjunction(BELOW_3, IS_3))),
    ],
)
def test_a_condition_is_an_expression_of_r(expression: str, expected: object) -> None:
    assert condition_of(expression) == expected


def test_a_parameter_that_is_always_active_has_no_condition() -> None:
    assert parse_irace('a "" c (x, y) | TRUE').conditions == []


def test_a_comparison_with_an_inactive_parameter_does_not_hold() -> None:
    space = Space(parse_irace('a "" c (x, y)\nb "" c (x, y) | a == "y"\nc "" c (1, 2) | b != "x"'))
    active = {frozenset(space.decode(row)) for row in space.sample(50, np.random.default_rng(0))}
    assert active == {frozenset("a"), frozenset("ab"), frozenset("abc")}


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('a == "z"', no.ForbiddenEqualsClause(A, "z")),
        ('a == "z" & n <= 3', no.ForbiddenAndConjunction(no.ForbiddenEqualsClause(A, "z"),
                                                        no.ForbiddenLessThanEqualsClause(N, 3))),
        ("n < r", no.ForbiddenLessThanRelation(N, R)),
        ('o != "low"', no.ForbiddenInClause(ORDINAL, ["mid", "high"])),
    ],
)  # fmt: skip
def test_forbidden_combinations_are_expressions_of_r(expression: str, expected: object) -> None:
    assert clause_of(expression) == expected


def test_each_alternative_is_a_forbidden_clause() -> None:
    space = parse_irace(BASE + '[forbidden]\na %in% c("y", "z") | n < 3')
    assert space.forbidden_clauses == [no.ForbiddenInClause(A, ["y", "z"]), no.ForbiddenLessThanClause(N, 3)]


def test_forbidden_combinations_may_be_in_a_separate_file(tmp_path: Path) -> None:
    (tmp_path / "parameters.txt").write_text(BASE)
    (tmp_path / "forbidden.txt").write_text("## one a line\nn > 8\n\nr < 0.1  # too small\n")
    space = read_irace(tmp_path / "parameters.txt", forbidden=tmp_path / "forbidden.txt")
    assert len(space.forbidden_clauses) == 2


def test_each_fault_names_its_file(tmp_path: Path) -> None:
    (tmp_path / "parameters.txt").write_text(BASE + 'x "" i (1, n)')
    (tmp_path / "forbidden.txt").write_text("n > 8\nn > 10\n")
    with pytest.raises(ScenarioError) as caught:
        read_irace(tmp_path / "parameters.txt", forbidden=tmp_path / "forbidden.txt")
    places = [(Path(fault.file).name, fault.line) for fault in caught.value.faults]
    assert places == [("forbidden.txt", 2), ("parameters.txt", 7)]


def test_the_digits_of_irace_are_ignored() -> None:
    assert len(parse_irace(BASE + "[global]\ndigits = 4\n")) == 5


LINES = [
    ('x "" i (1, "n")', 12, 'a domain that depends on other parameters is not supported: "n"'),
    ('x "" r (0, n * 2)', 12, "a domain that depends on other parameters is not supported: n * 2"),
    ('x "" i (1, 2, 3)', 8, "expected two bounds, found 3"),
    ('x "" i (1, )', 12, "a number is missing"),
    ('x "" k (1, 2)', 6, "unknown type 'k'"),
    ('x "" c,log (1, 2)', 6, "unknown type 'c,log'"),
    ("x --x i (1, 2)", 3, "expected a switch in double quotes"),
    ('x "--x i (1, 2)', 3, "expected a switch in double quotes"),
    ('x "" i', 7, "expected a domain in parentheses"),
    ('x "" c (a, b', 8, "expected a domain in parentheses"),
    ('x "" c (a, , b)', 12, "a value is missing"),
    ('x "" c (a, "b" c)', 12, "unexpected quote in a value"),
    ('x "" c (a, b, a)', 15, "duplicate choice 'a'"),
    ('x "" i,log (0, 5)', 13, "a log scale needs a positive lower bound, not 0"),
    ('x "" i (1, 5) n > 3', 15, "unexpected 'n > 3'"),
    ('x "" i (1, 5) |', 16, "the expression is incomplete"),
    ('x "" i (1, 5) | q > 3', 17, "unknown parameter 'q'"),
    ('x "" i (1, 5) | n > 10', 21, "10 is not a value of this parameter"),
    ('x "" i (1, 5) | n > r', 21, "comparing two parameters in a condition is not supported"),
    ('x "" i (1, 5) | n + 1 > 3', 19, "'+' is not supported here"),
    ('x "" i (1, 5) | -n > 3', 17, "arithmetic is not supported"),
    ('x "" i (1, 5) | is.na(n)', 17, "the function 'is.na' is not supported"),
    ('x "" i (1, 5) | (n > 3', 23, "the expression is incomplete"),
    ('x "" i (1, 5) | n > 3)', 22, "')' is not supported here"),
    ('x "" i (1, 5) | a %in% c(x)', 26, "'x' is not a value"),
    ('x "" i (1, 5) | 1 == 1', 22, "expected a parameter, found a value"),
    ('x "" i (1, 5) | n', 18, "the expression is incomplete"),
    ('x "" i (1, 5) | o > "low"', 17, "'>' would compare the choices alphabetically"),
    ('x "" i (1, 5) | a < "y"', 17, "'<' needs ordered choices, and those of 'a' have no order"),
    ('x "" i (1, 5) | ' + "!" * 60 + "n > 3", 68, "nested too deeply"),
    ('n "" i (1, 5)', 1, "duplicate declaration, first in line 4"),
    ("- x", 1, "expected the name of a parameter"),
    ("[forbidden]\nn = 3", 3, "'=' is not supported here"),
    ('[forbidden]\na == "x"', 1, "the default is forbidden"),
    ("[global]\nseed = 3", 1, "unknown line in the section [global]"),
    ("[other]\nx", 1, "unknown line in the section [other]"),
]


@pytest.mark.parametrize(("line", "column", "problem"), LINES, ids=[case[0] for case in LINES])
def test_a_faulty_line_is_explained(line: str, column: int, problem: str) -> None:
    fault = fault_of(BASE + line)
    assert (fault.line, fault.column, fault.problem) == (7 + line.count("\n"), column, problem)
    assert fault.excerpt == line.splitlines()[-1]
    assert fault.hint


def test_a_default_that_does_not_fit_is_explained() -> None:
    fault = fault_of(BASE, a="q")
    assert str(fault) == (
        "default:1:5: 'a': the default 'q' is not one of the choices; choose one of x, y, z\n"
        "    a = q\n"
        "        ^"
    )


def test_a_default_of_an_unknown_parameter_is_a_fault() -> None:
    assert fault_of(BASE, q=3).problem == "unknown parameter"


def test_a_forbidden_default_is_explained() -> None:
    assert "pass a legal default config" in fault_of(BASE + "[forbidden]\nn == 5", n=5).hint
