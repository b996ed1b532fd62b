"""Builder of ConfigSpace conditions from rules."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from ConfigSpace import conditions as on
from ConfigSpace.conditions import Condition, Conjunction

from tightrope.scenario.rules.parameters import Parameter, read_value
from tightrope.scenario.rules.rule import AllOf, AnyOf, Comparison, Pair, Rule
from tightrope.space.types import read_column

_KINDS: Mapping[str, type[Condition]] = {
    "==": on.EqualsCondition,
    "!=": on.NotEqualsCondition,
    "<": on.LessThanCondition,
    ">": on.GreaterThanCondition,
}


def make_condition(
    child: Parameter, rule: Rule, *, parameters: Mapping[str, Parameter], conditional: AbstractSet[str]
) -> Condition | Conjunction:
    """Build the condition that a parameter is active only if a rule holds.

    Parameters
    ----------
    child : Parameter
        The parameter that depends on the rule.
    rule : Rule
        The rule that must hold. All its names must be declared.
    parameters : mapping from str to Parameter
        All parameters.
    conditional : set of str
        The names of the parameters that may be inactive.
    """
    match rule:
        case AllOf(parts) | AnyOf(parts):
            made = [
                make_condition(child, part, parameters=parameters, conditional=conditional) for part in parts
            ]
            return _join(on.AndConjunction if isinstance(rule, AllOf) else on.OrConjunction, made)
        case Comparison(name):
            return _compare(child, rule, parameters[name.text], may_be_inactive=name.text in conditional)
        case Pair():
            raise rule.right.error(
                "comparing two parameters in a condition is not supported",
                key=child.name,
                hint="compare with a value",
            )


def _join(
    kind: type[on.AndConjunction] | type[on.OrConjunction], parts: Sequence[Condition | Conjunction]
) -> Condition | Conjunction:
    """Join conditions, without nesting or repetition."""
    flat: list[Condition | Conjunction] = []
    for part in parts:
        for condition in part.components if isinstance(part, kind) else (part,):
            if condition not in flat:
                flat.append(condition)
    return flat[0] if len(flat) == 1 else kind(*flat)


def _compare(
    child: Parameter, rule: Comparison, parent: Parameter, *, may_be_inactive: bool
) -> Condition | Conjunction:
    if parent.name == child.name:
        raise rule.name.error("the parameter depends on itself", key=child.name, hint="use another parameter")
    values: list[Any] = [read_value(parent, piece) for piece in rule.values]
    if rule.relation == "in":
        return on.InCondition(child, parent, list(dict.fromkeys(values)))
    if rule.relation == "!=" and may_be_inactive:
        return _differs(child, rule, parent)
    if rule.relation not in ("==", "!=") and not parent.ORDERABLE:
        raise rule.name.error(
            f"{rule.relation!r} needs ordered choices, and those of {parent.name!r} have no order",
            key=child.name,
            hint="list the choices with `in`, or declare it as ordinal",
        )
    if rule.relation in ("<=", ">="):  # ConfigSpace has no class for these
        strictly = _KINDS[rule.relation[0]](child, parent, values[0])
        return on.OrConjunction(strictly, on.EqualsCondition(child, parent, values[0]))
    return _KINDS[rule.relation](child, parent, values[0])


def _differs(child: Parameter, rule: Comparison, parent: Parameter) -> Condition | Conjunction:
    """Build a condition that does not hold for an inactive parent.

    ConfigSpace's NotEqualsCondition is inconsistent there: it depends on how the condition is checked, and
    ConfigSpace then rejects its own default.
    """
    value = read_value(parent, rule.values[0])
    levels = read_column(parent).levels
    if levels is None:
        return on.OrConjunction(
            on.LessThanCondition(child, parent, value), on.GreaterThanCondition(child, parent, value)
        )
    if len(levels) == 1:
        raise rule.name.error(
            f"never true: {parent.name!r} has no other value", key=child.name, hint="remove the condition"
        )
    return on.InCondition(child, parent, [level for level in levels if level != value])
