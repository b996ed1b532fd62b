"""PCS files: writing and reading gives the same space, and no text crashes the reader."""

from typing import Any

import numpy as np
from ConfigSpace import ConfigurationSpace
from ConfigSpace import conditions as on
from ConfigSpace import forbidden as no
from ConfigSpace import hyperparameters as hp
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from random_spaces import accepted, assemble
from tightrope.errors import ScenarioError
from tightrope.scenario import parse_pcs, write_pcs
from tightrope.space import Space

few = settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
many = settings(max_examples=300)

SAMPLE = """\
# both dialects, and every kind of line
algorithm {as,mmas, eas}[as]
@1:S:level ordinal {low, mid, high} [mid]   # ordered
ants [1, 100] [5]il
rho real [0.01, 1.00] [0.5] log
q0 [0.0, 1.0] [0.0]
nnls integer [5, 50] [5]

Conditionals:
q0 | algorithm in {mmas, eas} && ants > 3 || rho < 0.5
nnls | algorithm != as
nnls | @1:S:level == high
dlb {0, 1}[0]
dlb | nnls != 7 || q0 < 0.5
Forbidden:
{algorithm=mmas, nnls=5}
{ants >= 90, rho < 0.02}
{ants < nnls}
"""
VOCABULARY = [
    *("a", "b", "c", "x", "y", "1", "2", "10", "0.5", "1e-3", "1e300", "-", "i", "l", "il", "log"),
    *("{", "}", "[", "]", "(", ")", ",", "|", "||", "&&", "=", "==", "!=", "<", "<=", ">", " in "),
    *(" ", "\t", "\n", "\r\n", "#", "\u00a0", "\ufeff", "\x00", "Conditionals:", "Forbidden:"),
    *(" categorical ", " ordinal ", " integer ", " real ", "a {x,y}[x]\n", "b [1,10][2]i\n"),
    *("c | a in {x}\n", "{a=y,b=1}\n"),
]


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Draw a valid choice."""
    return (
        draw(st.text(st.sampled_from("abzAZ019_-+.:@/*!=<>|&[]()%$~' é"), min_size=1, max_size=6)).strip()
        or "_"
    )


names = st.text(st.sampled_from("abzAZ019_-+.:@/*%$~'é"), max_size=6).map("p".__add__)
choices = st.lists(texts(), min_size=1, max_size=4, unique=True).filter(
    lambda values: not any(mark in value for value in values for mark in ("&&", "||"))
)


@st.composite
def parameters(draw: st.DrawFn, name: str) -> Any:
    kind = draw(st.sampled_from(["categorical", "ordinal", "integer", "float"]))
    if kind in ("categorical", "ordinal"):
        values = draw(choices)
        default = draw(st.sampled_from(values))
        make = hp.CategoricalHyperparameter if kind == "categorical" else hp.OrdinalHyperparameter
        return make(name, values, default_value=default)
    log = draw(st.booleans())
    if kind == "integer":
        lower, upper, default = sorted(draw(st.tuples(*[st.integers(1 if log else -(10**6), 10**6)] * 3)))
        assume(lower < upper)
        return (
            hp.UniformIntegerHyperparameter(name, lower, default, default, log=log)
            if lower < default
            else (hp.UniformIntegerHyperparameter(name, lower, upper, lower, log=log))
        )
    bounds = st.floats(1e-4 if log else -1e6, 1e6)
    lower, default, upper = sorted(draw(st.tuples(bounds, bounds, bounds)))
    assume(upper - lower > 1e-6)
    return hp.UniformFloatHyperparameter(name, lower, upper, default, log=log)


def values_of(parameter: Any) -> list[Any]:
    if isinstance(parameter, hp.CategoricalHyperparameter):
        return list(parameter.choices)
    if isinstance(parameter, hp.OrdinalHyperparameter):
        return list(parameter.sequence)
    return [parameter.lower, parameter.default_value, parameter.upper]


@st.composite
def conditions(draw: st.DrawFn, child: Any, parents: list[Any], depth: int = 2) -> Any:
    if depth and draw(st.booleans()):
        parts = draw(st.lists(conditions(child, parents, depth - 1), min_size=2, max_size=3))
        return draw(st.sampled_from((on.AndConjunction, on.OrConjunction)))(*parts)
    parent = draw(st.sampled_from(parents))
    kinds: list[Any] = [on.EqualsCondition, on.NotEqualsCondition, on.InCondition]
    kinds += [on.LessThanCondition, on.GreaterThanCondition] if parent.ORDERABLE else []
    kind = draw(st.sampled_from(kinds))
    value = draw(st.sampled_from(values_of(parent)))
    return kind(child, parent, [value] if kind is on.InCondition else value)


@st.composite
def clauses(draw: st.DrawFn, known: list[Any], depth: int = 2) -> Any:
    if depth and draw(st.booleans()):
        parts = draw(st.lists(clauses(known, depth - 1), min_size=2, max_size=3))
        return draw(st.sampled_from((no.ForbiddenAndConjunction, no.ForbiddenOrConjunction)))(*parts)
    numbers = [parameter for parameter in known if isinstance(parameter, hp.NumericalHyperparameter)]
    if len(numbers) > 1 and draw(st.booleans()):
        left, right = draw(st.permutations(numbers))[:2]
        return draw(st.sampled_from((no.ForbiddenLessThanRelation, no.ForbiddenEqualsRelation)))(left, right)
    parameter = draw(st.sampled_from(known))
    value = draw(st.sampled_from(values_of(parameter)))
    kinds: list[Any] = [no.ForbiddenEqualsClause, no.ForbiddenInClause]
    kinds += [no.ForbiddenLessThanClause, no.ForbiddenGreaterThanEqualsClause] if parameter.ORDERABLE else []
    kind = draw(st.sampled_from(kinds))
    return kind(parameter, [value] if kind is no.ForbiddenInClause else value)


@st.composite
def spaces(draw: st.DrawFn) -> ConfigurationSpace:
    """Draw a space, without rules that ConfigSpace or our `Space` rejects."""
    known = [draw(parameters(name)) for name in draw(st.lists(names, min_size=1, max_size=6, unique=True))]
    rules: list[Any] = []
    for i in range(1, len(known)):
        if draw(st.booleans()):
            rules = accepted(known, rules, draw(conditions(known[i], known[:i])))
    conditional = {rule.child.name for rule in rules}
    rules = [rule for rule in rules if not holds_for_inactive(rule, conditional)]
    for clause in draw(st.lists(clauses(known), max_size=3)):
        rules = accepted(known, rules, clause)
    return assemble(known, rules)


def holds_for_inactive(rule: Any, conditional: set[str]) -> bool:
    """Return whether files cannot express a condition."""
    parts = rule.dlcs if isinstance(rule, on.Conjunction) else (rule,)
    return any(isinstance(part, on.NotEqualsCondition) and part.parent.name in conditional for part in parts)


def description(space: ConfigurationSpace) -> list[Any]:
    return [(repr(parameter), values_of(parameter)) for parameter in space.values()]


@few
@given(spaces(), st.integers(0, 2**32 - 1))
def test_writing_and_reading_gives_the_same_space(space: ConfigurationSpace, seed: int) -> None:
    check_same(space, parse_pcs(write_pcs(space)), seed=seed)


def check_same(space: ConfigurationSpace, again: ConfigurationSpace, *, seed: int) -> None:
    """Check that parameters are equal, rules are equivalent, and a second round trip changes nothing."""
    assert description(again) == description(space)
    first, second = Space(space), Space(again)
    cube = np.random.default_rng(seed).random((200, len(space)))
    rows = first.from_unit(cube)
    np.testing.assert_array_equal(second.from_unit(cube), rows)
    np.testing.assert_array_equal(second.is_forbidden(rows), first.is_forbidden(rows))
    assert parse_pcs(write_pcs(again)) == again


def read_or_explain(text: str) -> None:
    """Read a text; any exception other than ScenarioError fails the test."""
    try:
        space = parse_pcs(text)
    except ScenarioError as error:
        check_places(text, error)
    else:
        compiled = Space(space)
        assert compiled.decode(compiled.default()) == dict(space.get_default_configuration())
        check_same(space, parse_pcs(write_pcs(space)), seed=0)


def check_places(text: str, error: ScenarioError) -> None:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for fault in error.faults:
        assert str(fault) in str(error) or len(error.faults) > 20
        if fault.line is not None and fault.column is not None:
            assert fault.excerpt == lines[fault.line - 1]
            assert 1 <= fault.column <= len(fault.excerpt) + 1


DECLARED = """
a {x, y, z}[x]
b {x, y}[y]
n [1, 9][5]i
r [0, 1][0.5]
o ordinal {low, mid, high}[mid]
c {x, y}[x]
m [1, 9][2]i
"""
LITERALS = {
    "a": "xyz",
    "b": "xy",
    "n": "1359",
    "r": ["0", "0.5", "1"],
    "o": ["low", "mid", "high"],
    "c": "xy",
    "m": "129",
}


@st.composite
def comparisons(draw: st.DrawFn) -> str:
    name = draw(st.sampled_from(sorted(LITERALS)))
    relation = draw(
        st.sampled_from(["==", "!=", "in"] if name in "abc" else ["==", "!=", "in", "<", ">", "<=", ">="])
    )
    value = draw(st.sampled_from(LITERALS[name]))
    return f"{name} {relation} {{{value}}}" if relation == "in" else f"{name} {relation} {value}"


@st.composite
def joined(draw: st.DrawFn, joins: list[str]) -> str:
    text = draw(comparisons())
    for _ in range(draw(st.integers(0, 3))):
        text += f" {draw(st.sampled_from(joins))} {draw(comparisons())}"
    return text


@many
@given(
    st.lists(st.tuples(st.sampled_from(sorted(LITERALS)), joined(["&&", "||"])), max_size=6),
    st.lists(joined(["&&", "||", ","]), max_size=3),
)
def test_any_rules_between_parameters_are_read_or_explained(
    conditions: list[tuple[str, str]], forbidden: list[str]
) -> None:
    lines = [f"{child} | {rule}" for child, rule in conditions] + [f"{{{rule}}}" for rule in forbidden]
    read_or_explain(DECLARED + "\n".join(lines))


@many
@given(st.text())
def test_any_text_is_read_or_explained(text: str) -> None:
    read_or_explain(text)


@many
@given(st.lists(st.sampled_from(VOCABULARY), max_size=40).map("".join))
def test_any_sequence_of_words_is_read_or_explained(text: str) -> None:
    read_or_explain(text)


@many
@given(st.data())
def test_a_damaged_file_is_read_or_explained(data: st.DataObject) -> None:
    text = SAMPLE
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.sampled_from([0, 0, 1, 1, 2, 5, 30])))
        text = text[:start] + data.draw(st.sampled_from(["", *VOCABULARY])) + text[end:]
    read_or_explain(text)


@settings(max_examples=200)
@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_explained(content: bytes) -> None:
    read_or_explain(content.decode("utf-8", errors="replace"))
