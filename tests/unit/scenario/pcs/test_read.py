"""Reading PCS files of both dialects."""

from pathlib import Path

import numpy as np
import pytest
from ConfigSpace import ConfigurationSpace
from ConfigSpace import conditions as on
from ConfigSpace import forbidden as no
from ConfigSpace import hyperparameters as hp

from tightrope.errors import ScenarioError
from tightrope.scenario import parse_pcs, read_pcs, write_pcs
from tightrope.space import Space

LETTERS = """
a {x, y, z}[x]
b {x, y, z}[y]
n integer [1, 9][5]
r real [0, 1][0.5]
o ordinal {low, mid, high}[mid]
"""


def parameter_of(line: str) -> hp.Hyperparameter:
    (parameter,) = parse_pcs(line).values()
    return parameter


def condition_of(*lines: str) -> object:
    (condition,) = parse_pcs("\n".join([LETTERS, "child {1, 2}[1]", *lines])).conditions
    return condition


def clause_of(line: str) -> object:
    (clause,) = parse_pcs(LETTERS + line).forbidden_clauses
    return clause


def letters() -> ConfigurationSpace:
    return parse_pcs(LETTERS + "child {1, 2}[1]")


@pytest.mark.parametrize("line", ["kind {a,b,c}[b]", "kind{a, b , c} [ b ]", "kind categorical {a,b,c}[b]",
                                  "kind   categorical{ a,b,c }[b]   # why"])  # fmt: skip
def test_choices_stay_as_they_are_written(line: str) -> None:
    parameter = parameter_of(line)
    assert parameter == hp.CategoricalHyperparameter("kind", ["a", "b", "c"], default_value="b")
    assert parameter.choices == ("a", "b", "c")


def test_choices_that_look_like_numbers_are_strings() -> None:
    assert parameter_of("rate {0.0, 0.10, 1e-3, 7}[0.10]").choices == ("0.0", "0.10", "1e-3", "7")


def test_a_choice_may_contain_whitespace_brackets_and_signs() -> None:
    assert parameter_of("c {very low, a[0], +, x=y, a|b}[a[0]]").choices == (
        "very low",
        "a[0]",
        "+",
        "x=y",
        "a|b",
    )


def test_ordinal_choices_keep_their_order() -> None:
    parameter = parameter_of("o ordinal {low, mid, high}[mid]")
    assert parameter == hp.OrdinalHyperparameter("o", ["low", "mid", "high"], default_value="mid")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x [0,1][0.5]", hp.UniformFloatHyperparameter("x", 0.0, 1.0, 0.5)),
        ("x [1e-3, 1.0E2] [.5] l", hp.UniformFloatHyperparameter("x", 0.001, 100.0, 0.5, log=True)),
        ("x real [+1, 2][2]", hp.UniformFloatHyperparameter("x", 1.0, 2.0, 2.0)),
        ("x real[1,2][1.5]log", hp.UniformFloatHyperparameter("x", 1.0, 2.0, 1.5, log=True)),
        ("x [-1,64][-1]i", hp.UniformIntegerHyperparameter("x", -1, 64, -1)),
        ("x [1,64][8]il", hp.UniformIntegerHyperparameter("x", 1, 64, 8, log=True)),
        ("x [1,64][8] li", hp.UniformIntegerHyperparameter("x", 1, 64, 8, log=True)),
        ("x [1e3, 1e6][2.0e4]i", hp.UniformIntegerHyperparameter("x", 1000, 1000000, 20000)),
        (
            "x [-9007199254740992, 9007199254740992][0]i",
            hp.UniformIntegerHyperparameter("x", -(2**53), 2**53, 0),
        ),
        (f"x [1, {'0' * 5000}64][8]i", hp.UniformIntegerHyperparameter("x", 1, 64, 8)),
        ("x integer [1, 64] [8]", hp.UniformIntegerHyperparameter("x", 1, 64, 8)),
        ("x integer [1, 64] [8] log", hp.UniformIntegerHyperparameter("x", 1, 64, 8, log=True)),
    ],
    ids=lambda case: case[:40] if isinstance(case, str) else "",
)
def test_a_range_is_a_number(line: str, expected: hp.Hyperparameter) -> None:
    assert parameter_of(line) == expected


@pytest.mark.parametrize("name", ["@1:S:Luby:aryrestarts", "K-val", "sp.x", "a/b", "real", "in", "é", "f(x)"])
def test_names_may_contain_signs(name: str) -> None:
    space = parse_pcs(f"{name} {{a, b}}[a]\nchild {{1}}[1]\nchild | {name} in {{b}}\n{{{name}=b}}")
    assert set(space) == {name, "child"}
    assert space.conditions == [on.InCondition(space["child"], space[name], ["b"])]


@pytest.mark.parametrize(
    "line", ["child|a in {x,z}", "child | a in{ x , z }", "child | a in {x, z, x}  # twice"]
)
def test_a_condition_names_the_values_of_the_parent(line: str) -> None:
    space = letters()
    assert condition_of(line) == on.InCondition(space["child"], space["a"], ["x", "z"])


@pytest.mark.parametrize(
    ("rule", "kind", "parent", "value"),
    [
        ("a == x", on.EqualsCondition, "a", "x"),
        ("a!=x", on.NotEqualsCondition, "a", "x"),
        ("n < 3", on.LessThanCondition, "n", 3),
        ("r>0.25", on.GreaterThanCondition, "r", 0.25),
        ("o < high", on.LessThanCondition, "o", "high"),
        ("n == 3", on.EqualsCondition, "n", 3),
    ],
)
def test_a_condition_compares_with_a_value(rule: str, kind: type, parent: str, value: object) -> None:
    space = letters()
    assert condition_of(f"child | {rule}") == kind(space["child"], space[parent], value)


def test_and_binds_tighter_than_or() -> None:
    space = letters()
    child, a, b, n = (space[name] for name in ("child", "a", "b", "n"))
    assert condition_of("child | a == x && b == y || n > 3") == on.OrConjunction(
        on.AndConjunction(on.EqualsCondition(child, a, "x"), on.EqualsCondition(child, b, "y")),
        on.GreaterThanCondition(child, n, 3),
    )


def test_several_conditions_of_one_parameter_must_all_hold() -> None:
    space = letters()
    child, a, b, n = (space[name] for name in ("child", "a", "b", "n"))
    assert condition_of(
        "child | a in {x}", "child | b in {y} && n > 3", "child | a in {x}"
    ) == on.AndConjunction(
        on.InCondition(child, a, ["x"]), on.InCondition(child, b, ["y"]), on.GreaterThanCondition(child, n, 3)
    )


def test_at_most_is_less_or_equal() -> None:
    space = letters()
    child, n = space["child"], space["n"]
    assert condition_of("child | n <= 3") == on.OrConjunction(
        on.LessThanCondition(child, n, 3), on.EqualsCondition(child, n, 3)
    )


@pytest.mark.parametrize(
    ("parent", "value"), [("b {x, y}[x]", "x"), ("b [1, 9][5]i", 5), ("b [0, 1][0.5]", 0.5)]
)
def test_no_comparison_with_an_inactive_parent_holds(parent: str, value: object) -> None:
    """ConfigSpace evaluates != inconsistently here, and rejects its own default."""
    space = Space(parse_pcs(f"a {{x, y}}[x]\n{parent}\nc {{1, 2}}[1]\nb | a == y\nc | b != {value}"))
    active = {frozenset(space.decode(row)) for row in space.sample(50, np.random.default_rng(0))}
    assert active - {frozenset("ab")} == {frozenset("a"), frozenset("abc")}


@pytest.mark.parametrize("joins", [("&&", "||"), ("||", "&&")])
def test_and_and_or_of_the_same_parts_are_distinguished(joins: tuple[str, str]) -> None:
    """ConfigSpace confuses them, and rejects its own default."""
    text = "a {1, 2}[1]\nb {1, 2}[1]\nx {1}[1]\ny {1}[1]\n"
    text += f"x | a == 1 {joins[0]} b == 2\ny | a == 1 {joins[1]} b == 2"
    read = parse_pcs(text)
    space = Space(read)
    assert set(space.decode(space.default())) == {"a", "b", "xy"[joins.index("||")]}
    assert parse_pcs(write_pcs(read)) == read


@pytest.mark.parametrize("line", ["{a=y,n=3}", "{ a = y , n = 3.0 }", "{a == 'y' && n == 3}"])
def test_a_forbidden_combination_joins_equalities(line: str) -> None:
    space = letters()
    assert clause_of(line) == no.ForbiddenAndConjunction(
        no.ForbiddenEqualsClause(space["a"], "y"), no.ForbiddenEqualsClause(space["n"], 3)
    )


def test_a_single_value_may_be_forbidden() -> None:
    assert clause_of("{a=z}") == no.ForbiddenEqualsClause(letters()["a"], "z")


def test_forbidden_combinations_may_compare() -> None:
    space = letters()
    assert clause_of("{n > 6, r <= 0.25, o < high, a in {y, z}}") == no.ForbiddenAndConjunction(
        no.ForbiddenGreaterThanClause(space["n"], 6),
        no.ForbiddenLessThanEqualsClause(space["r"], 0.25),
        no.ForbiddenLessThanClause(space["o"], "high"),
        no.ForbiddenInClause(space["a"], ["y", "z"]),
    )


def test_nothing_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """ConfigSpace 1.2.2 prints a line each time it checks its own clause for >=."""
    space = parse_pcs(LETTERS + "{n >= 6, o >= high}")
    space.sample_configuration(10)
    assert capsys.readouterr() == ("", "")
    (line,) = write_pcs(space).splitlines()[-1:]
    assert line == "{n >= 6, o >= high}"


def test_each_alternative_is_a_forbidden_clause() -> None:
    assert parse_pcs(LETTERS + "{a = y || a = z && n = 3, b = x || b = z}") == parse_pcs(
        LETTERS + "{a=y, b=x}\n{a=y, b=z}\n{a=z, n=3, b=x}\n{a=z, n=3, b=z}"
    )


def test_forbidden_combinations_may_relate_two_parameters() -> None:
    space = letters()
    assert clause_of("{n < r}") == no.ForbiddenLessThanRelation(space["n"], space["r"])
    assert clause_of("{a = b}") == no.ForbiddenEqualsRelation(space["a"], space["b"])


def test_a_word_that_is_a_choice_and_a_name_counts_as_the_choice() -> None:
    space = parse_pcs("a {a, b}[a]\nb {a, b}[a]\n{a = b}")
    assert space.forbidden_clauses == [no.ForbiddenEqualsClause(space["a"], "b")]


@pytest.mark.parametrize(("line", "value"), [("{a != x}", "x"), ("{o != mid}", "mid"), ("{n != 5}", 5)])
def test_forbidding_all_other_values_leaves_one(line: str, value: object) -> None:
    space = Space(parse_pcs(LETTERS + line))
    rows = space.sample(50, np.random.default_rng(0))
    assert {space.decode(row)[line[1]] for row in rows} == {value}


def test_sections_may_come_in_any_order() -> None:
    text = "Forbidden\n{a=z}\n\nConditionals :\nb | a in {y}\n\nParameters:\na {x,y,z}[x]\nb {x,y}[x]\n"
    ordered = "a {x,y,z}[x]\nb {x,y}[x]\nb | a in {y}\n{a=z}\n"
    assert parse_pcs(text) == parse_pcs(ordered)


def test_line_ends_comments_and_a_byte_order_mark_do_not_matter() -> None:
    text = "# all about a\n\na {x,y}[x] # not {z}[z]\n\tb [1, 2] [1] i\n  b | a in {y}"
    expected = parse_pcs("a {x,y}[x]\nb integer [1,2][1]\nb | a in {y}\n")
    for variant in (text, text + "\n", text.replace("\n", "\r\n"), text.replace("\n", "\r"), "\ufeff" + text):
        assert parse_pcs(variant) == expected


def test_a_comment_may_be_in_any_encoding(tmp_path: Path) -> None:
    path = tmp_path / "latin.pcs"
    path.write_bytes("a {x,y}[x]  # d\u00e9faut".encode("latin-1"))
    assert list(read_pcs(path)) == ["a"]


def test_a_file_is_read_from_a_string_path(tmp_path: Path) -> None:
    path = tmp_path / "a.pcs"
    path.write_text("\u00e9 {x,y}[x]", encoding="utf-8-sig")
    assert list(read_pcs(str(path))) == ["\u00e9"]


def test_conditions_may_be_nested() -> None:
    depth = 10
    lines = [f"p{i:02} {{a, b}}[a]" for i in range(depth)]
    lines += [f"p{i:02} | p{i - 1:02} in {{a}}" for i in range(depth - 1, 0, -1)]
    space = Space(parse_pcs("\n".join(lines)))
    assert len(space.decode(space.default())) == depth


def test_an_empty_file_is_an_error() -> None:
    with pytest.raises(ScenarioError, match="no parameters are declared"):
        parse_pcs("# nothing\n")
