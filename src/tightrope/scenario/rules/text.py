"""Conditions and forbidden clauses as logical expressions, in the words of several kinds of files."""

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ConfigSpace import conditions as on
from ConfigSpace import forbidden as no

from tightrope.errors import SpaceError
from tightrope.scenario.rules.forbidden import is_at_least
from tightrope.scenario.rules.parameters import Parameter
from tightrope.space.column import read_column

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
class Wording:
    """How one kind of file writes rules."""

    file: str  # what it is called, such as "an irace file"
    all_of: str
    any_of: str
    member: str  # a pattern with {name} and {values}
    name: Callable[[Parameter], str]
    value: Callable[[Parameter, Any], str]


def write_rule(rule: Any, wording: Wording) -> str:
    """Write a condition, without its child, or a forbidden clause."""
    if is_at_least(rule):
        return _write_comparison(_subject(rule.components[0]), ">=", rule.components[0].value, wording)
    if type(rule) in (*_ALL, *_ANY):
        join = wording.all_of if type(rule) in _ALL else wording.any_of
        return join.join(_write_part(part, wording) for part in rule.components)
    if isinstance(rule, no.ForbiddenRelation) and type(rule) in _RELATIONS:
        return _write_relation(rule, wording)
    if isinstance(rule, on.InCondition | no.ForbiddenInClause):
        return _write_membership(_subject(rule), rule.values, wording)
    if type(rule) not in _RELATIONS:
        raise SpaceError(f"{rule} cannot stand in {wording.file}", hint="use the rules of ConfigSpace")
    return _write_comparison(_subject(rule), _RELATIONS[type(rule)], rule.value, wording)


def _write_part(rule: Any, wording: Wording) -> str:
    text = write_rule(rule, wording)
    return f"({text})" if type(rule) in (*_ALL, *_ANY) and not is_at_least(rule) else text


def _subject(rule: Any) -> Parameter:
    subject: Parameter = rule.parent if isinstance(rule, on.Condition) else rule.hyperparameter
    return subject


def _write_comparison(parameter: Parameter, relation: str, value: Any, wording: Wording) -> str:
    levels = read_column(parameter).levels
    if levels is None or relation in ("==", "!="):
        return f"{wording.name(parameter)} {relation} {wording.value(parameter, value)}"
    # Whoever reads it need not know the order of the choices; irace would compare them by the alphabet.
    order = _ORDERS[relation]
    chosen = [level for i, level in enumerate(levels) if order(i, levels.index(value))]
    if not chosen:
        raise SpaceError(f"no choice is {relation} {value!r}", key=parameter.name, hint="remove the rule")
    return _write_membership(parameter, chosen, wording)


def _write_membership(parameter: Parameter, values: Iterable[Any], wording: Wording) -> str:
    listed = ", ".join(wording.value(parameter, value) for value in values)
    return wording.member.format(name=wording.name(parameter), values=listed)


def _write_relation(clause: no.ForbiddenRelation, wording: Wording) -> str:
    relation = _RELATIONS[type(clause)]
    left, right = read_column(clause.left).levels, read_column(clause.right).levels
    is_number = left is None and right is None
    is_text = all(isinstance(level, str) for level in (*(left or (0,)), *(right or (0,))))
    if not is_number and not (is_text and relation == "=="):
        raise SpaceError(
            f"{clause} cannot stand in {wording.file}", hint="relate two numbers, or forbid values"
        )
    return f"{wording.name(clause.left)} {relation} {wording.name(clause.right)}"
