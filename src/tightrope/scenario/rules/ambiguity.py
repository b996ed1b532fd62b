"""Workaround for conditions that ConfigSpace confuses with each other.

ConfigSpace evaluates equal conditions of several parameters once. Its comparison ignores whether the same
parts are joined by 'and' or by 'or', and ConfigSpace then rejects its own default.
"""

from collections.abc import Iterable
from typing import Any

from ConfigSpace.conditions import Condition, ConditionLike, Conjunction


def disambiguate(conditions: Iterable[ConditionLike]) -> list[ConditionLike]:
    """Return equivalent conditions, no two of which ConfigSpace confuses."""
    distinct: list[ConditionLike] = []
    for condition in conditions:
        while isinstance(condition, Conjunction) and any(
            _is_confused(condition, other) for other in distinct
        ):
            # Repeating the first part keeps the meaning: 'a or (a or b)' is 'a or b', and likewise for 'and'.
            condition = type(condition)(condition.components[0], condition)
        distinct.append(condition)
    return distinct


def _is_confused(one: ConditionLike, other: ConditionLike) -> bool:
    is_equal = one.equivalent_condition_on_parent(other) or other.equivalent_condition_on_parent(one)
    return is_equal and _shape(one) != _shape(other)


def _shape(condition: Any) -> Any:
    """Describe a condition without its child."""
    if isinstance(condition, Condition):
        return type(condition), condition.parent.name, repr(condition.value)
    return type(condition), frozenset(_shape(part) for part in condition.components)
