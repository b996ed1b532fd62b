"""Random spaces with conditions and forbidden clauses, for tests of what writes and reads them."""

from typing import Any

import numpy as np
from ConfigSpace import ConfigurationSpace
from ConfigSpace import conditions as on
from ConfigSpace import forbidden as no
from ConfigSpace import hyperparameters as hp
from hypothesis import strategies as st

from tightrope.errors import SpaceError
from tightrope.space import Space


def values_of(parameter: Any) -> list[Any]:
    if isinstance(parameter, hp.CategoricalHyperparameter):
        return list(parameter.choices)
    if isinstance(parameter, hp.OrdinalHyperparameter):
        return list(parameter.sequence)
    return [parameter.lower, parameter.default_value, parameter.upper]


@st.composite
def parameters(draw: st.DrawFn, name: str, choices: st.SearchStrategy[list[Any]]) -> Any:
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
def spaces(
    draw: st.DrawFn,
    choices: st.SearchStrategy[list[Any]],
    names: st.SearchStrategy[str] | None = None,
) -> ConfigurationSpace:
    """Draw a space whose parameters have these choices and names, with conditions and forbidden clauses."""
    count = draw(st.integers(1, 6))
    named = [f"p.{i}" for i in range(count)]
    if names is not None:
        named = draw(st.lists(names, min_size=count, max_size=count, unique=True))
    known = [draw(parameters(name, choices)) for name in named]
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


def assert_same(space: ConfigurationSpace, other: ConfigurationSpace, seed: int) -> None:
    """Compare two spaces: their parameters, and what they make of many points."""
    assert [described(each) for each in other.values()] == [described(each) for each in space.values()]
    first, second = Space(space), Space(other)
    cube = np.random.default_rng(seed).random((200, len(space)))
    rows = first.from_unit(cube)
    np.testing.assert_array_equal(second.from_unit(cube), rows)
    np.testing.assert_array_equal(second.is_forbidden(rows), first.is_forbidden(rows))


def described(parameter: Any) -> tuple[Any, ...]:
    return parameter.name, values_of(parameter), getattr(parameter, "log", None)
