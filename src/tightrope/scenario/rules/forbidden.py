"""Builder of ConfigSpace forbidden clauses from rules."""

from collections.abc import Mapping
from typing import Any

from ConfigSpace import Configuration
from ConfigSpace import forbidden as no

from tightrope.errors import ScenarioError
from tightrope.scenario.rules.normal_form import Joins
from tightrope.scenario.rules.parameters import Parameter, read_value
from tightrope.scenario.rules.rule import AllOf, AnyOf, Comparison, Pair, Rule
from tightrope.space.types import read_column

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


def make_clauses(rule: Rule, parameters: Mapping[str, Parameter]) -> list[no.ForbiddenLike]:
    """Build the clauses that forbid a rule, one for each alternative. All its names must be declared."""
    terms = CLAUSE_JOINS.alternatives(_make(rule, parameters))
    return [term[0] if len(term) == 1 else no.ForbiddenAndConjunction(*term) for term in terms]


def forbids(clause: no.ForbiddenLike, config: Configuration) -> bool:
    """Return whether a clause forbids a config, exactly or after the rounding that ConfigSpace applies."""
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


def _make(rule: Rule, parameters: Mapping[str, Parameter]) -> no.ForbiddenLike:
    match rule:
        case AllOf(parts):
            return no.ForbiddenAndConjunction(*(_make(part, parameters) for part in parts))
        case AnyOf(parts):
            return no.ForbiddenOrConjunction(*(_make(part, parameters) for part in parts))
        case Comparison():
            return _compare(rule, parameters)
        case Pair():
            return _relate(rule, parameters)


def _compare(rule: Comparison, parameters: Mapping[str, Parameter]) -> no.ForbiddenLike:
    left = parameters[rule.name.text]
    try:
        values = [read_value(left, piece) for piece in rule.values]
    except ScenarioError:
        if rule.relation != "in" and rule.values[0].text in parameters:
            return _relate(Pair(rule.name, rule.relation, rule.values[0]), parameters)
        raise
    if rule.relation == "in":
        return no.ForbiddenInClause(left, list(dict.fromkeys(values)))
    if rule.relation == "!=":
        return _differs(rule, left, values[0])
    if rule.relation != "==" and not left.ORDERABLE:
        raise rule.name.error(
            f"{rule.relation!r} needs ordered choices, and these have no order",
            key=left.name,
            hint="use = or in, or declare the parameter as ordinal",
        )
    if rule.relation == ">=":
        return _at_least(left, values[0])
    return _CLAUSES[rule.relation](left, values[0])  # type: ignore[no-any-return]


def is_at_least(clause: Any) -> bool:
    """Return whether a clause is the pair that stands for `>=`."""
    if not isinstance(clause, no.ForbiddenOrConjunction):
        return False
    first = clause.components[0]
    return isinstance(first, no.ForbiddenGreaterThanClause) and clause == _at_least(
        first.hyperparameter, first.value
    )


CLAUSE_JOINS = Joins(no.ForbiddenAndConjunction, no.ForbiddenOrConjunction, is_atomic=is_at_least)


def _at_least(left: Parameter, value: Any) -> no.ForbiddenLike:
    """Join two clauses, because ConfigSpace 1.2.2 prints a line each time it checks its own `>=` clause."""
    return no.ForbiddenOrConjunction(
        no.ForbiddenGreaterThanClause(left, value), no.ForbiddenEqualsClause(left, value)
    )


def _differs(rule: Comparison, left: Parameter, value: Any) -> no.ForbiddenLike:
    """Forbid all other values one by one, since ConfigSpace has no clause for `!=`."""
    levels = read_column(left).levels
    if levels is None:
        return no.ForbiddenOrConjunction(
            no.ForbiddenLessThanClause(left, value), no.ForbiddenGreaterThanClause(left, value)
        )
    if len(levels) == 1:
        raise rule.name.error(
            "never true: the parameter has no other value", key=left.name, hint="remove the rule"
        )
    return no.ForbiddenInClause(left, [level for level in levels if level != value])


def _relate(pair: Pair, parameters: Mapping[str, Parameter]) -> no.ForbiddenLike:
    left, right = parameters[pair.left.text], parameters[pair.right.text]
    if left.name == right.name:
        raise pair.right.error(
            "the parameter is compared with itself", key=left.name, hint="use another parameter"
        )
    if pair.relation == "!=":
        raise pair.right.error(
            "'!=' between two parameters is not supported",
            key=left.name,
            hint="forbid < and > instead",
        )
    numbers = [read_column(side).levels is None for side in (left, right)]
    if not all(numbers) and (any(numbers) or pair.relation != "=="):
        raise pair.right.error(
            f"cannot compare the values of {left.name!r} and {right.name!r} with {pair.relation!r}",
            key=left.name,
            hint="compare two numbers",
        )
    return _RELATIONS[pair.relation](left, right)  # type: ignore[no-any-return]
