"""Predicates of rows, evaluated for many rows at once.

They are frozen records rather than functions, so that equal predicates compare equal and a space can be
pickled. A comparison with an inactive value (NaN) is false, except 'is not equal'.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tightrope.space.scale import Floats, Mask

Relation = Callable[[Any, Any], Any]  # a comparison from the module operator


@dataclass(frozen=True, slots=True)
class Compares:
    """A column's value stands in a relation to a constant."""

    column: int
    relation: Relation
    value: float


@dataclass(frozen=True, slots=True)
class IsOneOf:
    """A column's value is one of several."""

    column: int
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """All parts hold."""

    parts: tuple["Predicate", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part holds."""

    parts: tuple["Predicate", ...]


@dataclass(frozen=True, slots=True, eq=False)
class RelatesNumbers:
    """The numbers of two columns are in a relation.

    `meanings` holds the number of each level, for a column of levels; None for a numeric column.
    """

    left: int
    right: int
    relation: Relation
    meanings: tuple[Floats | None, Floats | None]


@dataclass(frozen=True, slots=True, eq=False)
class RelatesLevels:
    """The levels of two columns are in a relation, which `table` holds for each pair of levels."""

    left: int
    right: int
    table: Mask


Predicate = Compares | IsOneOf | AllOf | AnyOf | RelatesNumbers | RelatesLevels


def holds(predicate: Predicate, rows: Floats) -> Mask:
    """Return for each of the rows, shape (n, d), whether a predicate holds."""
    match predicate:
        case Compares(column, relation, value):
            return np.asarray(relation(rows[:, column], value), dtype=np.bool_)
        case IsOneOf(column, values):
            return np.isin(rows[:, column], values)
        case AllOf(parts):
            return np.asarray(np.all([holds(part, rows) for part in parts], axis=0))
        case AnyOf(parts):
            return np.asarray(np.any([holds(part, rows) for part in parts], axis=0))
        case RelatesNumbers() | RelatesLevels():
            return _relation_holds(predicate, rows)


def columns_of(predicate: Predicate) -> frozenset[int]:
    """Return the columns that a predicate depends on."""
    match predicate:
        case Compares(column) | IsOneOf(column):
            return frozenset((column,))
        case AllOf(parts) | AnyOf(parts):
            return frozenset[int]().union(*(columns_of(part) for part in parts))
        case RelatesNumbers(left, right) | RelatesLevels(left, right):
            return frozenset((left, right))


def _relation_holds(predicate: RelatesNumbers | RelatesLevels, rows: Floats) -> Mask:
    both = ~(np.isnan(rows[:, predicate.left]) | np.isnan(rows[:, predicate.right]))
    left, right = rows[both, predicate.left], rows[both, predicate.right]
    related = np.zeros(len(rows), dtype=np.bool_)
    if isinstance(predicate, RelatesLevels):
        related[both] = predicate.table[left.astype(np.intp), right.astype(np.intp)]
    else:
        meanings = predicate.meanings
        related[both] = predicate.relation(_meaning(left, meanings[0]), _meaning(right, meanings[1]))
    return related


def _meaning(values: Floats, meanings: Floats | None) -> Floats:
    return values if meanings is None else meanings[values.astype(np.intp)]
