"""ConfigSpace's conditions, compiled: which parameters are active."""

import operator
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from ConfigSpace import ConfigurationSpace
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

from tightrope.errors import SpaceError
from tightrope.space.columns import Columns
from tightrope.space.predicates import AllOf, AnyOf, Compares, IsOneOf, Predicate, Relation, columns_of, holds
from tightrope.space.scale import Floats, Ints, Mask

_RELATIONS: Mapping[type[Condition], Relation] = {
    EqualsCondition: operator.eq,
    NotEqualsCondition: operator.ne,
    LessThanCondition: operator.lt,
    GreaterThanCondition: operator.gt,
}


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """Columns that are active if and only if a predicate holds; the predicate's columns come first."""

    predicate: Predicate
    columns: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Activity:
    """Determines which columns are active, parents before children."""

    steps: tuple[Step, ...]
    is_parent: Mask

    def deactivate(self, rows: Floats) -> None:
        """Set inactive values to NaN, in place; all active values must be given."""
        for step in self.steps:
            inactive = ~holds(step.predicate, rows)
            for column in step.columns:
                rows[inactive, column] = np.nan

    def parents(self, column: int) -> frozenset[int]:
        """Return the columns that the condition of a column names; none if it is always active."""
        own = (columns_of(step.predicate) for step in self.steps if column in step.columns)
        return frozenset[int]().union(*own)

    def is_active(self, rows: Floats) -> Mask:
        """Return which columns are active; values of inactive parents are ignored."""
        resolved = rows.copy()
        active = np.ones(rows.shape, dtype=np.bool_)
        for step in self.steps:
            active_now = holds(step.predicate, resolved)
            for column in step.columns:
                active[:, column] = active_now
                resolved[~active_now, column] = np.nan
        return active


def compile_conditions(configspace: ConfigurationSpace, columns: Columns) -> Activity:
    """Compile the conditions of a space."""
    children: dict[Predicate, list[int]] = {}
    for condition in configspace.conditions:  # ConfigSpace sorts them by the depth of the child
        predicate = _compile(condition, columns)
        children.setdefault(predicate, []).append(columns.position[condition.child.name])
    is_parent, is_waiting = np.zeros((2, len(columns)), dtype=np.bool_)
    is_waiting[[column for group in children.values() for column in group]] = True
    for predicate, group in children.items():
        parents = list(columns_of(predicate))
        assert not is_waiting[parents].any(), "a condition comes before those of its parents"
        is_waiting[group] = False
        is_parent[parents] = True
    steps = (Step(predicate, np.array(group, dtype=np.intp)) for predicate, group in children.items())
    return Activity(tuple(steps), is_parent)


def _compile(condition: Condition | Conjunction, columns: Columns) -> Predicate:
    if isinstance(condition, AndConjunction):
        return AllOf(tuple(_compile(part, columns) for part in condition.components))
    if isinstance(condition, OrConjunction):
        return AnyOf(tuple(_compile(part, columns) for part in condition.components))
    if isinstance(condition, Condition):
        return _compile_simple(condition, columns)
    raise _unknown(condition)


def _compile_simple(condition: Condition, columns: Columns) -> Predicate:
    position = columns.position[condition.parent.name]
    parent = columns.each[position]
    if isinstance(condition, InCondition):
        return IsOneOf(position, tuple(parent.code(value) for value in condition.values))
    relation = _RELATIONS.get(type(condition))
    if relation is None:
        raise _unknown(condition)
    return Compares(position, relation, parent.code(condition.value))


def _unknown(condition: Condition | Conjunction) -> SpaceError:
    return SpaceError(
        f"conditions of type {type(condition).__name__} are not supported",
        key=condition.child.name,
        hint="use the conditions and conjunctions of ConfigSpace",
    )
