"""Conditions of ConfigSpace, made from claims."""

from collections.abc import Mapping
from typing import Any

from ConfigSpace.conditions import (
    AndConjunction,
    Condition,
    Conjunction,
    EqualsCondition,
    GreaterThanCondition,
    InCondition,
    LessThanCondition,
    NotEqualsCondition,
    OrConjunction,
)

from tightrope.scenario.claims import AllOf, AnyOf, Claim, Comparison
from tightrope.scenario.parameters import Parameter, read_value

_KINDS: Mapping[str, type[Condition]] = {
    "==": EqualsCondition,
    "!=": NotEqualsCondition,
    "<": LessThanCondition,
    ">": GreaterThanCondition,
}


def make_condition(
    child: Parameter, claim: Claim, parameters: Mapping[str, Parameter]
) -> Condition | Conjunction:
    """Make the condition that a parameter is active only if a claim holds; its names must be known."""
    match claim:
        case AllOf(parts) | AnyOf(parts):
            made = [make_condition(child, part, parameters) for part in parts]
            distinct = [condition for i, condition in enumerate(made) if condition not in made[:i]]
            if len(distinct) == 1:
                return distinct[0]
            return AndConjunction(*distinct) if isinstance(claim, AllOf) else OrConjunction(*distinct)
        case Comparison():
            return _compare(child, claim, parameters[claim.name.text])


def _compare(child: Parameter, claim: Comparison, parent: Parameter) -> Condition | Conjunction:
    if parent.name == child.name:
        raise claim.name.error("depends on itself", key=child.name, hint="name another parameter")
    values: list[Any] = [read_value(parent, piece) for piece in claim.values]
    if claim.relation == "in":
        return InCondition(child, parent, list(dict.fromkeys(values)))
    if claim.relation not in ("==", "!=") and not parent.ORDERABLE:
        raise claim.name.error(
            f"the choices of {parent.name!r} have no order, so {claim.relation!r} means nothing",
            key=child.name,
            hint="use ==, != or in, or declare it as ordinal",
        )
    if claim.relation in ("<=", ">="):  # which ConfigSpace does not have
        strictly = _KINDS[claim.relation[0]](child, parent, values[0])
        return OrConjunction(strictly, EqualsCondition(child, parent, values[0]))
    return _KINDS[claim.relation](child, parent, values[0])
