"""Files of irace: what is written is read as the same space, and no text makes the reader fall over."""

from typing import Any

import numpy as np
from ConfigSpace import ConfigurationSpace
from ConfigSpace import conditions as on
from ConfigSpace import forbidden as no
from ConfigSpace import hyperparameters as hp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tightrope.errors import ScenarioError, SpaceError
from tightrope.scenario import parse_irace, write_irace
from tightrope.space import Space

few = settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
many = settings(max_examples=300)

SAMPLE = """\
# name      switch            type  domain              condition
algorithm   "--"              c     (as, mmas, "e a s")
level       "--level="        o     (low, mid, high)
ants        "--ants "         i,log (5, 100)
rho         "--rho "          r     (0.01, 1.00)
q0          "--q0 "           r     (0.0, 1.0)          | algorithm %in% c("mmas", "e a s") & ants > 6
nnls        "--nnls "         i     (5, 50)             | (level != "low" | !(rho <= 0.5)) & 'as' == algorithm
dlb         "--dlb="          c     (0, 1)              | nnls != 7
[forbidden]
algorithm == "mmas" & (nnls == 5 | rho < 0.02)
ants < nnls
[global]
digits = 4
"""
VOCABULARY = [
    *("a", "b", "c", "i", "r", "o", "x", "1", "10", "0.5", "1e-3", "1e300", "-", "+", "5L", "TRUE", "if"),
    *("(", ")", ",", "|", "||", "&", "&&", "!", "=", "==", "!=", "<", "<=", ">", ">=", " %in% ", "c(", "%"),
    *(" ", "\t", "\n", "\r\n", "#", "\u00a0", "\ufeff", "\x00", '"', "'", "\\", '""', '"x"', "[forbidden]"),
    *("[global]\n", "digits = 4", ",log", 'a "" c (x, y)\n', 'b "-b " i (1, 10)\n', '| a == "x"\n'),
]


def values_of(parameter: Any) -> list[Any]:
    if isinstance(parameter, hp.CategoricalHyperparameter):
        return list(parameter.choices)
    if isinstance(parameter, hp.OrdinalHyperparameter):
        return list(parameter.sequence)
    return [parameter.lower, parameter.default_value, parameter.upper]


choices = st.lists(
    st.text(st.sampled_from("abc019 _-+.,'()|&"), max_size=4), min_size=2, max_size=4, unique=True
)


@st.composite
def parameters(draw: st.DrawFn, name: str) -> Any:
    lower, width, log = draw(st.integers(1, 50)), draw(st.integers(1, 50)), draw(st.booleans())
    meta = draw(st.sampled_from([None, {"switch": "-x="}]))
    match draw(st.integers(0, 3)):
        case 0:
            return hp.CategoricalHyperparameter(name, draw(choices), meta=meta)
        case 1:
            return hp.OrdinalHyperparameter(name, draw(choices), meta=meta)
        case 2:
            return hp.UniformIntegerHyperparameter(name, lower, lower + width, log=log, meta=meta)
        case _:
            return hp.UniformFloatHyperparameter(name, lower / 8, lower + width / 3, log=log, meta=meta)


@st.composite
def rules(draw: st.DrawFn, known: list[Any], child: Any = None, depth: int = 2) -> Any:
    """Draw a condition of a child, or else a forbidden clause."""
    if depth and draw(st.booleans()):
        parts = draw(st.lists(rules(known, child, depth - 1), min_size=2, max_size=3))
        joins = [on.AndConjunction, on.OrConjunction]
        if child is None:
            joins = [no.ForbiddenAndConjunction, no.ForbiddenOrConjunction]
        return draw(st.sampled_from(joins))(*parts)
    parameter = draw(st.sampled_from(known))
    value = draw(st.sampled_from(values_of(parameter)))
    kinds: list[Any] = [no.ForbiddenEqualsClause, no.ForbiddenInClause]
    if child is not None:
        kinds = [on.EqualsCondition, on.InCondition]
    if isinstance(parameter, hp.NumericalHyperparameter):
        kinds += [no.ForbiddenLessThanClause] if child is None else [on.GreaterThanCondition]
    kind = draw(st.sampled_from(kinds))
    content = [value] if kind in (no.ForbiddenInClause, on.InCondition) else value
    return kind(parameter, content) if child is None else kind(child, parameter, content)


@st.composite
def spaces(draw: st.DrawFn) -> ConfigurationSpace:
    known = [draw(parameters(f"p.{i}")) for i in range(draw(st.integers(1, 6)))]
    found: list[Any] = []
    for i in range(1, len(known)):
        if draw(st.booleans()):
            found = accepted(known, found, draw(rules(known[:i], known[i])))
    for clause in draw(st.lists(rules(known), max_size=3)):
        found = accepted(known, found, clause)
    return assemble(known, found)


def assemble(known: list[Any], found: list[Any]) -> ConfigurationSpace:
    space = ConfigurationSpace()
    space.add(known, found)
    return space


def accepted(known: list[Any], found: list[Any], rule: Any) -> list[Any]:
    try:
        Space(assemble(known, [*found, rule]))
    except (ValueError, SpaceError):
        return found
    return [*found, rule]


def defaults_of(space: ConfigurationSpace) -> dict[str, Any]:
    return {name: parameter.default_value for name, parameter in space.items()}


@few
@given(spaces(), st.integers(0, 2**32 - 1))
def test_what_was_written_is_read_as_the_same_space(space: ConfigurationSpace, seed: int) -> None:
    again = parse_irace(write_irace(space), default=defaults_of(space))
    assert [(each.name, values_of(each), getattr(each, "log", None)) for each in again.values()] == [
        (each.name, values_of(each), getattr(each, "log", None)) for each in space.values()
    ]
    first, second = Space(space), Space(again)
    cube = np.random.default_rng(seed).random((200, len(space)))
    rows = first.from_unit(cube)
    np.testing.assert_array_equal(second.from_unit(cube), rows)
    np.testing.assert_array_equal(second.is_forbidden(rows), first.is_forbidden(rows))


def read_or_explain(text: str) -> None:
    """Read a text; any other exception than the one expected fails the test."""
    try:
        space = parse_irace(text)
    except ScenarioError as error:
        check_places(text, error)
    else:
        Space(space)
        assert parse_irace(write_irace(space)) == space


def check_places(text: str, error: ScenarioError) -> None:
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for fault in error.faults:
        if fault.line is not None and fault.column is not None:
            assert fault.excerpt == lines[fault.line - 1]
            assert 1 <= fault.column <= len(fault.excerpt) + 1


@many
@given(st.text())
def test_any_text_is_read_or_explained(text: str) -> None:
    read_or_explain(text)


@many
@given(st.lists(st.sampled_from(VOCABULARY), max_size=40).map("".join))
def test_any_sequence_of_words_is_read_or_explained(text: str) -> None:
    read_or_explain(text)


@many
@given(st.lists(st.sampled_from(VOCABULARY), max_size=15).map("".join))
def test_any_condition_is_read_or_explained(expression: str) -> None:
    read_or_explain(f'a "" c (x, y)\nb "" i (1, 10)\nr "" r (0, 1)\nx "" c (1, 2) | {expression}')


@many
@given(st.data())
def test_a_damaged_file_is_read_or_explained(data: st.DataObject) -> None:
    text = SAMPLE
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.sampled_from([0, 0, 1, 1, 2, 5, 30])))
        text = text[:start] + data.draw(st.sampled_from(["", *VOCABULARY])) + text[end:]
    read_or_explain(text)
