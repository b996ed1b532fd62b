"""Forbidden clauses of ConfigSpace, made from claims."""

from collections.abc import Mapping
from typing import Any

from ConfigSpace import forbidden as no
from ConfigSpace.hyperparameters import CategoricalHyperparameter, NumericalHyperparameter

from tightrope.errors import ScenarioError
from tightrope.scenario.claims import AllOf, AnyOf, Claim, Comparison
from tightrope.scenario.parameters import Parameter, read_value

_CLAUSES: Mapping[str, Any] = {
    "==": no.ForbiddenEqualsClause,
    "<": no.ForbiddenLessThanClause,
    "<=": no.ForbiddenLessThanEqualsClause,
    ">": no.ForbiddenGreaterThanClause,
    ">=": no.ForbiddenGreaterThanEqualsClause,
}
_RELATIONS: Mapping[str, Any] = {
    "==": no.ForbiddenEqualsRelation,
    "<": no.ForbiddenLessThanRelation,
    "<=": no.ForbiddenLessThanEqualsRelation,
    ">": no.ForbiddenGreaterThanRelation,
    ">=": no.ForbiddenGreaterThanEqualsRelation,
}


def make_clause(claim: Claim, parameters: Mapping[str, Parameter]) -> no.ForbiddenLike:
    """Make the clause that forbids what a claim says; its names must be known."""
    match claim:
        case AllOf(parts):
            return no.ForbiddenAndConjunction(*(make_clause(part, parameters) for part in parts))
        case AnyOf(parts):
            return no.ForbiddenOrConjunction(*(make_clause(part, parameters) for part in parts))
        case Comparison():
            return _compare(claim, parameters)


def _compare(claim: Comparison, parameters: Mapping[str, Parameter]) -> no.ForbiddenLike:
    left = parameters[claim.name.text]
    try:
        values = [read_value(left, piece) for piece in claim.values]
    except ScenarioError:
        if claim.relation != "in" and claim.values[0].text in parameters:
            return _relate(claim, left, parameters[claim.values[0].text])
        raise
    if claim.relation == "in":
        return no.ForbiddenInClause(left, list(dict.fromkeys(values)))
    if claim.relation == "!=":
        return _differs(left, values[0])
    if claim.relation != "==" and not left.ORDERABLE:
        raise claim.name.error(
            f"its choices have no order, so {claim.relation!r} means nothing",
            key=left.name,
            hint="use = or in, or declare it as ordinal",
        )
    return _CLAUSES[claim.relation](left, values[0])  # type: ignore[no-any-return]


def _differs(left: Parameter, value: Any) -> no.ForbiddenLike:
    """Forbid all other values, for which ConfigSpace has no clause."""
    if isinstance(left, CategoricalHyperparameter):
        return no.ForbiddenInClause(left, [choice for choice in left.choices if choice != value])
    return no.ForbiddenOrConjunction(
        no.ForbiddenLessThanClause(left, value), no.ForbiddenGreaterThanClause(left, value)
    )


def _relate(claim: Comparison, left: Parameter, right: Parameter) -> no.ForbiddenLike:
    where = claim.values[0]
    if left.name == right.name:
        raise where.error("compared with itself", key=left.name, hint="name another parameter")
    numbers = [isinstance(side, NumericalHyperparameter) for side in (left, right)]
    if not all(numbers) and (any(numbers) or claim.relation not in ("==", "!=")):
        raise where.error(
            f"the values of {left.name!r} and {right.name!r} cannot be compared by {claim.relation!r}",
            key=left.name,
            hint="compare two numbers",
        )
    if claim.relation == "!=":
        raise where.error(
            "'!=' between two parameters is not supported", key=left.name, hint="forbid < and > instead"
        )
    return _RELATIONS[claim.relation](left, right)  # type: ignore[no-any-return]
