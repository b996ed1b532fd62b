"""Errors about invalid PCS files: problem, position and hint."""

import pickle
from pathlib import Path

import pytest

from tightrope.errors import Fault, ScenarioError
from tightrope.scenario import parse_pcs, read_pcs

BASE = "a {x, y}[x]\nn integer [1, 9][5]\no ordinal {low, high}[low]\n"


def faults_of(text: str) -> tuple[Fault, ...]:
    with pytest.raises(ScenarioError) as caught:
        parse_pcs(text, file="solver.pcs")
    return caught.value.faults


def fault_of(text: str) -> Fault:
    (fault,) = faults_of(text)
    return fault


def test_the_line_is_shown_with_a_caret() -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_pcs("a {x, y}[x]\n\tb {x, y}[z]  # why\n", file="solver.pcs")
    assert str(caught.value) == (
        "solver.pcs:2:11: 'b': the default 'z' is not one of the choices; choose one of x, y\n"
        "     b {x, y}[z]  # why\n"
        "              ^"
    )


def test_an_error_has_its_parts_as_attributes() -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_pcs("a {x, y}[x]\nb {x, y}[z]\n", file="solver.pcs")
    error = caught.value
    assert (error.file, error.line, error.column, error.key) == ("solver.pcs", 2, 10, "b")
    assert (error.problem, error.hint) == ("the default 'z' is not one of the choices", "choose one of x, y")


def test_independent_faults_come_together_in_the_order_of_the_lines() -> None:
    text = "b | a in {q}\na {x, y}[x]\nb [1, 9][5]i\nc [9, 1][5]\n{a = z}\nd what\n"
    assert [fault.line for fault in faults_of(text)] == [1, 4, 5, 6]


def test_a_faulty_declaration_causes_no_faults_where_it_is_used() -> None:
    assert fault_of(BASE + "b {x, y}[z]\nb | a in {x}\na | b in {x}\n{b = x, a = y}\n{n = b}").line == 4


def test_a_cycle_hides_no_other_fault() -> None:
    text = BASE + "b {x, y}[x]\nb | a in {x}\na | b in {x}\no | n in {10}"
    cycle, value = faults_of(text)
    assert "cyclic conditions: " in cycle.problem
    assert (value.line, value.key) == (7, "n")


def test_many_faults_are_counted_rather_than_shown() -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_pcs("\n".join(f"p{i} {{a}}[b]" for i in range(50)))
    assert str(caught.value).endswith("... and 30 more")
    assert len(caught.value.faults) == 50


@pytest.mark.parametrize("prefix", [1, 30, 500, 2000])
def test_of_a_long_line_the_part_near_the_fault_is_shown(prefix: int) -> None:
    _, shown, caret = str(fault_of(f"a {{{'x' * prefix},\t, {'y' * 500}}}[{'y' * 500}]")).splitlines()
    assert len(shown) <= 100
    assert caret.strip() == "^"
    assert shown[len(caret) - 4 : len(caret) + 2] == "x, , y"


def test_an_error_survives_pickling() -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_pcs("a {x}[y]\nb {x}[y]")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.faults) == (str(caught.value), caught.value.faults)


PARAMETERS = [
    ("a {x, y}", 9, "the default is missing"),
    ("a {x, y", 3, "'{' is not closed"),
    ("a [1, 2][1", 9, "'[' is not closed"),
    ("a {}[x]", 4, "a value is missing"),
    ("a {x,,y}[x]", 6, "a value is missing"),
    ("a {x, y, x}[x]", 10, "duplicate choice 'x'"),
    ("a {x, y&&z}[x]", 7, "a choice must not contain '&&' or '||'"),
    ("a {x, y}[x]i", 12, "unexpected 'i' after the default"),
    ("a {x, y}[x][y]", 10, "the default 'x][y' is not one of the choices"),
    ("a [1, 2][x]", 10, "'x' is not a number"),
    ("a [1, ][1]", 7, "a number is missing"),
    ("a [1, 2][]", 10, "a number is missing"),
    ("a [nan, 2][1]", 4, "'nan' is not a number"),
    ("a [1_0, 20][15]", 4, "'1_0' is not a number"),
    ("a [0, 1e999][1]", 7, "1e999 is too large"),
    ("a [0, 1e300][1]", 7, "ConfigSpace rounds to 13 decimals, which changes 1e300"),
    ("a [1e-20, 1][1]l", 4, "ConfigSpace rounds to 13 decimals, which changes 1e-20"),
    ("a [1, 2, 3][1]", 3, "expected two bounds, found 3"),
    ("a [2, 2][2]", 7, "the lower bound 2 is not below the upper bound 2"),
    ("a [1, 2][3]", 10, "the default 3 is outside 1 to 2"),
    ("a [0, 2][1]l", 4, "a log scale needs a positive lower bound, not 0"),
    ("a [1e200, 1.00000000000001e200][1e200]l", 11, "the bounds are too close for a log scale"),
    ("a [1, 2][1.5]i", 10, "1.5 is not an integer"),
    ("a [1, 1e20][2]i", 7, "integers beyond 2^53 are not exact as floating-point numbers"),
    ("a [1, 9007199254740993][2]i", 7, "integers beyond 2^53 are not exact as floating-point numbers"),
    ("a [1, 2][1]x", 12, "unknown flag 'x'"),
    ("a [1, 2][1]log", 12, "unknown flag 'log'"),
    ("a integer [1, 2][1]i", 20, "unknown flag 'i'"),
    ("a int [1, 2][1]", 3, "unknown kind of parameter 'int'"),
    ("a real {1, 2}[1]", 8, "expected [lower, upper] after 'real'"),
    ("a ordinal [1, 2][1]", 11, "expected {choices} after 'ordinal'"),
    ("a integer", 10, "expected choices or a range"),
    ("a", 2, "expected choices or a range"),
    ("= {x, y}[x]", 1, "expected the name of a parameter"),
    ("a {x\u200by}[x]", 5, "invisible character U+200B"),
    ("a {x\ufffdy}[x]", 5, "invalid UTF-8"),
]


@pytest.mark.parametrize(("line", "column", "problem"), PARAMETERS, ids=[case[0] for case in PARAMETERS])
def test_a_faulty_declaration_is_explained(line: str, column: int, problem: str) -> None:
    fault = fault_of(f"ok {{x}}[x]\n{line}\n")
    assert (fault.line, fault.column, fault.problem) == (2, column, problem)
    assert fault.excerpt == line
    assert fault.hint


RULES = [
    ("a | b in {x}", 5, "unknown parameter 'b'"),
    ("b | a in {x}", 1, "unknown parameter 'b'"),
    ("o | a in {z}", 11, "z is not a value of this parameter"),
    ("o | a in x", 10, "expected values in braces"),
    ("o | a in {}", 11, "a value is missing"),
    ("o | a in {{x}}", 11, "unexpected '{'"),
    ("o | a", 6, "expected a comparison after 'a'"),
    ("o | a == ", 9, "a value is missing"),
    ("o | == x", 5, "expected the name of a parameter"),
    ("o | ", 4, "expected the name of a parameter"),
    ("o p | a in {x}", 3, "expected one name before '|'"),
    ("o | a in {x} && ", 16, "expected the name of a parameter"),
    ("o | (a == x || a == y) && n > 3", 5, "parentheses are not supported"),
    ("o | a < y", 5, "'<' needs ordered choices, and those of 'a' have no order"),
    ("o | n > 10", 9, "10 is not a value of this parameter"),
    ("o | n > 1.5", 9, "1.5 is not an integer"),
    ("o | o == low", 5, "the parameter depends on itself"),
    ("{a = x", 1, "'{' is not closed"),
    ("{a = y} {n = 3}", 7, "unexpected '}'"),
    ("{a = z}", 6, "z is not a value of this parameter"),
    ("{a = x}", 1, "the default is forbidden"),
    ("{a < y}", 2, "'<' needs ordered choices, and these have no order"),
    ("{n + 1 > 3}", 4, "expected a comparison after 'n'"),
    ("{n > m}", 6, "'m' is not a number"),
    ("{n > n}", 6, "the parameter is compared with itself"),
    ("{n > a}", 6, "cannot compare the values of 'n' and 'a' with '>'"),
    ("{a != o}", 7, "'!=' between two parameters is not supported"),
    ("{}", 2, "expected the name of a parameter"),
    ("a {x, y}[x]", 1, "duplicate declaration, first in line 1"),
]


@pytest.mark.parametrize(("line", "column", "problem"), RULES, ids=[case[0] for case in RULES])
def test_a_faulty_rule_is_explained(line: str, column: int, problem: str) -> None:
    fault = fault_of(f"{BASE}{line}\n")
    assert (fault.line, fault.column, fault.problem) == (4, column, problem)
    assert fault.hint


def test_a_default_that_is_forbidden_after_rounding_is_refused() -> None:
    """ConfigSpace compares values after scaling them back, which gives not quite 5 on the log scale."""
    assert fault_of("p [0, 5][5]\nq [1, 5][5]l\n{p = q}").problem == "the default is forbidden"


def test_a_misspelt_name_gets_a_suggestion() -> None:
    assert fault_of("restarts {x, y}[x]\na {x}[x]\na | restart in {x}").hint == "did you mean 'restarts'?"


@pytest.mark.parametrize("rule", ["n^2 < 4", "n*n < 4", "sqrt(n) < 4", "n + 1 < 4", "n < m + 1"])
def test_the_hint_says_that_arithmetic_is_not_supported(rule: str) -> None:
    fault = fault_of(f"{BASE}m [1, 9][2]i\n{{{rule}}}")
    assert "arithmetic is not supported" in fault.hint


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none.pcs"
    with pytest.raises(ScenarioError) as caught:
        read_pcs(path)
    assert str(caught.value) == f"{path}: there is no such file; check the path"


@pytest.mark.parametrize("path", ["\0", "."])
def test_a_path_that_cannot_be_read_is_named(path: str) -> None:
    with pytest.raises(ScenarioError, match="cannot be read: "):
        read_pcs(path)


def test_a_forbidden_combination_with_too_many_alternatives_is_refused() -> None:
    lines = [f"p{i} {{a, b, c}}[a]" for i in range(12)]
    clause = ", ".join(f"p{i} = b || p{i} = c" for i in range(12))
    fault = fault_of("\n".join([*lines, f"{{{clause}}}"]))
    assert (fault.line, fault.problem) == (13, "more than 1000 alternatives when written without parentheses")
