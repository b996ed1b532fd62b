"""Forbidden clauses of ConfigSpace, made from claims."""

from collections.abc import Mapping
from typing import Any

from ConfigSpace import Configuration
from ConfigSpace import forbidden as no
from ConfigSpace.hyperparameters import NumericalHyperparameter

from tightrope.errors import ScenarioError
from tightrope.scenario.rules.normal_form import Joins
from tightrope.scenario.rules.parameters import Parameter, read_value
from tightrope.scenario.rules.rule import AllOf, AnyOf, Claim, Comparison, Pair
from tightrope.space.column import read_column

_CLAUSES: Mapping[str, Any] = {
    "==": no.ForbiddenEqualsClause,
    "<": no.ForbiddenLessThanClause,
    "<=": no.ForbiddenLessThanEqualsClause,
    ">": no.ForbiddenGreaterThanClause,
}
_RELATIONS: Mapping[str, Any] = {
    "==": no.ForbiddenEqualsRelation,
    "<": no.ForbiddenLessThanRelation,
    "<=": no.ForbiddenLessThanEqualsRelation,
    ">": no.ForbiddenGreaterThanRelation,
    ">=": no.ForbiddenGreaterThanEqualsRelation,
}


def make_clauses(claim: Claim, parameters: Mapping[str, Parameter]) -> list[no.ForbiddenLike]:
    """Make the clauses that forbid what a claim says, one for each alternative; its names must be known."""
    terms = CLAUSE_JOINS.alternatives(_make(claim, parameters))
    return [term[0] if len(term) == 1 else no.ForbiddenAndConjunction(*term) for term in terms]


def forbids(clause: no.ForbiddenLike, config: Configuration) -> bool:
    """Tell whether a clause forbids a config, exactly or to ConfigSpace, which rounds what it relates."""
    return clause.is_forbidden_vector(config.get_array()) or _forbids_exactly(clause, config)


def _forbids_exactly(clause: no.ForbiddenLike, config: Configuration) -> bool:
    match clause:
        case no.ForbiddenAndConjunction():
            return all(_forbids_exactly(part, config) for part in clause.components)
        case no.ForbiddenOrConjunction():
            return any(_forbids_exactly(part, config) for part in clause.components)
        case no.ForbiddenRelation():
            return clause.is_forbidden_value(dict(config))
        case _:
            return clause.is_forbidden_vector(config.get_array())


def _make(claim: Claim, parameters: Mapping[str, Parameter]) -> no.ForbiddenLike:
    match claim:
        case AllOf(parts):
            return no.ForbiddenAndConjunction(*(_make(part, parameters) for part in parts))
        case AnyOf(parts):
            return no.ForbiddenOrConjunction(*(_make(part, parameters) for part in parts))
        case Comparison():
            return _compare(claim, parameters)
        case Pair():
            return _relate(claim, parameters)


def _compare(claim: Comparison, parameters: Mapping[str, Parameter]) -> no.ForbiddenLike:
    left = parameters[claim.name.text]
    try:
        values = [read_value(left, piece) for piece in claim.values]
    except ScenarioError:
        if claim.relation != "in" and claim.values[0].text in parameters:
            return _relate(Pair(claim.name, claim.relation, claim.values[0]), parameters)
        raise
    if claim.relation == "in":
        return no.ForbiddenInClause(left, list(dict.fromkeys(values)))
    if claim.relation == "!=":
        return _differs(claim, left, values[0])
    if claim.relation != "==" and not left.ORDERABLE:
        raise claim.name.error(
            f"its choices have no order, so {claim.relation!r} means nothing",
            key=left.name,
            hint="use = or in, or declare it as ordinal",
        )
    if claim.relation == ">=":
        return _at_least(left, values[0])
    return _CLAUSES[claim.relation](left, values[0])  # type: ignore[no-any-return]


def is_at_least(clause: Any) -> bool:
    """Tell whether a clause is what `>=` becomes."""
    if not isinstance(clause, no.ForbiddenOrConjunction):
        return False
    first = clause.components[0]
    return isinstance(first, no.ForbiddenGreaterThanClause) and clause == _at_least(
        first.hyperparameter, first.value
    )


CLAUSE_JOINS = Joins(no.ForbiddenAndConjunction, no.ForbiddenOrConjunction, is_simple=is_at_least)


def _at_least(left: Parameter, value: Any) -> no.ForbiddenLike:
    """Join two clauses: the one for `>=` in ConfigSpace 1.2.2 prints whenever it is checked."""
    return no.ForbiddenOrConjunction(
        no.ForbiddenGreaterThanClause(left, value), no.ForbiddenEqualsClause(left, value)
    )


def _differs(claim: Comparison, left: Parameter, value: Any) -> no.ForbiddenLike:
    """Forbid all other values, for which ConfigSpace has no clause."""
    levels = read_column(left).levels
    if levels is None:
        return no.ForbiddenOrConjunction(
            no.ForbiddenLessThanClause(left, value), no.ForbiddenGreaterThanClause(left, value)
        )
    if len(levels) == 1:
        raise claim.name.error("it has no other value, so this never holds", key=left.name, hint="remove it")
    return no.ForbiddenInClause(left, [level for level in levels if level != value])


def _relate(pair: Pair, parameters: Mapping[str, Parameter]) -> no.ForbiddenLike:
    left, right = parameters[pair.left.text], parameters[pair.right.text]
    if left.name == right.name:
        raise pair.right.error("compared with itself", key=left.name, hint="name another parameter")
    if pair.relation == "!=":
        raise pair.right.error(
            "that two parameters differ cannot be forbidden: not supported",
            key=left.name,
            hint="forbid < and > instead",
        )
    numbers = [isinstance(side, NumericalHyperparameter) for side in (left, right)]
    if not all(numbers) and (any(numbers) or pair.relation != "=="):
        raise pair.right.error(
            f"the values of {left.name!r} and {right.name!r} cannot be compared by {pair.relation!r}",
            key=left.name,
            hint="compare two numbers",
        )
    return _RELATIONS[pair.relation](left, right)  # type: ignore[no-any-return]
