"""Conditions that ConfigSpace would take for each other.

It checks equal conditions of several parameters once, but does not see whether the same parts are joined by
'and' or by 'or', and then refuses its own default.
"""

from collections.abc import Iterable
from typing import Any

from ConfigSpace.conditions import Condition, ConditionLike, Conjunction


def tell_apart(conditions: Iterable[ConditionLike]) -> list[ConditionLike]:
    """Return conditions with the same meaning, no two of which ConfigSpace takes for each other wrongly."""
    told: list[ConditionLike] = []
    for condition in conditions:
        while isinstance(condition, Conjunction) and any(_is_mistaken(condition, other) for other in told):
            # Its first part once more means nothing new: 'a or (a or b)' is 'a or b', and likewise for 'and'.
            condition = type(condition)(condition.components[0], condition)
        told.append(condition)
    return told


def _is_mistaken(one: ConditionLike, other: ConditionLike) -> bool:
    is_equal = one.equivalent_condition_on_parent(other) or other.equivalent_condition_on_parent(one)
    return is_equal and _shape(one) != _shape(other)


def _shape(condition: Any) -> Any:
    """Describe a condition without its child."""
    if isinstance(condition, Condition):
        return type(condition), condition.parent.name, repr(condition.value)
    return type(condition), frozenset(_shape(part) for part in condition.components)
