"""Conditions of ConfigSpace, made from claims."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
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

from tightrope.scenario.rules.parameters import Parameter, read_value
from tightrope.scenario.rules.rule import AllOf, AnyOf, Claim, Comparison, Pair
from tightrope.space.column import read_column

_KINDS: Mapping[str, type[Condition]] = {
    "==": EqualsCondition,
    "!=": NotEqualsCondition,
    "<": LessThanCondition,
    ">": GreaterThanCondition,
}


def make_condition(
    child: Parameter, claim: Claim, *, parameters: Mapping[str, Parameter], conditional: AbstractSet[str]
) -> Condition | Conjunction:
    """Make the condition that a parameter is active only if a claim holds.

    Parameters
    ----------
    child : Parameter
        What depends on the claim.
    claim : Claim
        What must hold; all its names must be known.
    parameters : mapping from str to Parameter
        All parameters.
    conditional : set of str
        The names of those that may be inactive.
    """
    match claim:
        case AllOf(parts) | AnyOf(parts):
            made = [
                make_condition(child, part, parameters=parameters, conditional=conditional) for part in parts
            ]
            return _join(AndConjunction if isinstance(claim, AllOf) else OrConjunction, made)
        case Comparison(name):
            return _compare(child, claim, parameters[name.text], may_be_inactive=name.text in conditional)
        case Pair():
            raise claim.right.error(
                "comparing two parameters in a condition is not supported",
                key=child.name,
                hint="compare with a value",
            )


def _join(
    kind: type[AndConjunction] | type[OrConjunction], parts: Sequence[Condition | Conjunction]
) -> Condition | Conjunction:
    """Join conditions, without nesting and repetition."""
    flat: list[Condition | Conjunction] = []
    for part in parts:
        for condition in part.components if isinstance(part, kind) else (part,):
            if condition not in flat:
                flat.append(condition)
    return flat[0] if len(flat) == 1 else kind(*flat)


def _compare(
    child: Parameter, claim: Comparison, parent: Parameter, *, may_be_inactive: bool
) -> Condition | Conjunction:
    if parent.name == child.name:
        raise claim.name.error("depends on itself", key=child.name, hint="name another parameter")
    values: list[Any] = [read_value(parent, piece) for piece in claim.values]
    if claim.relation == "in":
        return InCondition(child, parent, list(dict.fromkeys(values)))
    if claim.relation == "!=" and may_be_inactive:
        return _differs(child, claim, parent)
    if claim.relation not in ("==", "!=") and not parent.ORDERABLE:
        raise claim.name.error(
            f"the choices of {parent.name!r} have no order, so {claim.relation!r} means nothing",
            key=child.name,
            hint="name the choices, or declare it as ordinal",
        )
    if claim.relation in ("<=", ">="):  # which ConfigSpace does not have
        strictly = _KINDS[claim.relation[0]](child, parent, values[0])
        return OrConjunction(strictly, EqualsCondition(child, parent, values[0]))
    return _KINDS[claim.relation](child, parent, values[0])


def _differs(child: Parameter, claim: Comparison, parent: Parameter) -> Condition | Conjunction:
    """Make a condition that does not hold for an inactive parent.

    ConfigSpace's own does or does not, depending on how it is checked, and then it refuses its own default.
    """
    value = read_value(parent, claim.values[0])
    levels = read_column(parent).levels
    if levels is None:
        return OrConjunction(
            LessThanCondition(child, parent, value), GreaterThanCondition(child, parent, value)
        )
    if len(levels) == 1:
        raise claim.name.error(
            f"{parent.name!r} has no other value, so this never holds", key=child.name, hint="remove it"
        )
    return InCondition(child, parent, [level for level in levels if level != value])
