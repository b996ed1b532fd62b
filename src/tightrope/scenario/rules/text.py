"""Writer of conditions and forbidden clauses as logical expressions, for formats with parentheses."""

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ConfigSpace import conditions as on
from ConfigSpace import forbidden as no

from tightrope.errors import SpaceError
from tightrope.scenario.rules.forbidden import is_at_least
from tightrope.scenario.rules.parameters import Parameter
from tightrope.space.types import read_column

_ORDERS: Mapping[str, Any] = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
# Looked up by the exact class: some of these are subclasses of each other.
_RELATIONS: Mapping[type, str] = {
    on.EqualsCondition: "==",
    on.NotEqualsCondition: "!=",
    on.LessThanCondition: "<",
    on.GreaterThanCondition: ">",
    no.ForbiddenEqualsClause: "==",
    no.ForbiddenLessThanClause: "<",
    no.ForbiddenLessThanEqualsClause: "<=",
    no.ForbiddenGreaterThanClause: ">",
    no.ForbiddenGreaterThanEqualsClause: ">=",
    no.ForbiddenEqualsRelation: "==",
    no.ForbiddenLessThanRelation: "<",
    no.ForbiddenLessThanEqualsRelation: "<=",
    no.ForbiddenGreaterThanRelation: ">",
    no.ForbiddenGreaterThanEqualsRelation: ">=",
}
_ALL = (on.AndConjunction, no.ForbiddenAndConjunction)
_ANY = (on.OrConjunction, no.ForbiddenOrConjunction)


@dataclass(frozen=True, slots=True)
class Syntax:
    """How one file format writes rules."""

    file: str  # name of the format in errors, such as "an irace file"
    all_of: str
    any_of: str
    member: str  # a template with {name} and {values}
    name: Callable[[Parameter], str]
    value: Callable[[Parameter, Any], str]


def write_rule(rule: Any, syntax: Syntax) -> str:
    """Write a condition, without its child, or a forbidden clause."""
    if is_at_least(rule):
        return _write_comparison(_subject(rule.components[0]), ">=", rule.components[0].value, syntax)
    if type(rule) in (*_ALL, *_ANY):
        join = syntax.all_of if type(rule) in _ALL else syntax.any_of
        return join.join(_write_part(part, syntax) for part in rule.components)
    if isinstance(rule, no.ForbiddenRelation) and type(rule) in _RELATIONS:
        return _write_relation(rule, syntax)
    if isinstance(rule, on.InCondition | no.ForbiddenInClause):
        return _write_membership(_subject(rule), rule.values, syntax)
    if type(rule) not in _RELATIONS:
        raise SpaceError(f"cannot write {rule} to {syntax.file}", hint="use ConfigSpace's own classes")
    return _write_comparison(_subject(rule), _RELATIONS[type(rule)], rule.value, syntax)


def _write_part(rule: Any, syntax: Syntax) -> str:
    text = write_rule(rule, syntax)
    return f"({text})" if type(rule) in (*_ALL, *_ANY) and not is_at_least(rule) else text


def _subject(rule: Any) -> Parameter:
    subject: Parameter = rule.parent if isinstance(rule, on.Condition) else rule.hyperparameter
    return subject


def _write_comparison(parameter: Parameter, relation: str, value: Any, syntax: Syntax) -> str:
    levels = read_column(parameter).levels
    if levels is None or relation in ("==", "!="):
        return f"{syntax.name(parameter)} {relation} {syntax.value(parameter, value)}"
    # Listed choices do not depend on their order; irace would compare them alphabetically.
    order = _ORDERS[relation]
    chosen = [level for i, level in enumerate(levels) if order(i, levels.index(value))]
    if not chosen:
        raise SpaceError(f"no choice is {relation} {value!r}", key=parameter.name, hint="remove the rule")
    return _write_membership(parameter, chosen, syntax)


def _write_membership(parameter: Parameter, values: Iterable[Any], syntax: Syntax) -> str:
    listed = ", ".join(syntax.value(parameter, value) for value in values)
    return syntax.member.format(name=syntax.name(parameter), values=listed)


def _write_relation(clause: no.ForbiddenRelation, syntax: Syntax) -> str:
    relation = _RELATIONS[type(clause)]
    left, right = read_column(clause.left).levels, read_column(clause.right).levels
    is_number = left is None and right is None
    is_text = all(isinstance(level, str) for level in (*(left or (0,)), *(right or (0,))))
    if not is_number and not (is_text and relation == "=="):
        raise SpaceError(
            f"cannot write {clause} to {syntax.file}", hint="compare two numbers, or forbid values"
        )
    return f"{syntax.name(clause.left)} {relation} {syntax.name(clause.right)}"
