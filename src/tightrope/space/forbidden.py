"""ConfigSpace's forbidden clauses, compiled."""

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from ConfigSpace import ConfigurationSpace
from ConfigSpace import forbidden as no

from tightrope.errors import SpaceError
from tightrope.space.column import Column
from tightrope.space.columns import Columns
from tightrope.space.predicates import (
    AllOf,
    AnyOf,
    Compares,
    IsOneOf,
    Predicate,
    RelatesLevels,
    RelatesNumbers,
    Relation,
    holds,
)
from tightrope.space.scale import Floats, Mask

# Looked up by the exact class, because some of these are subclasses of others.
_RELATIONS: Mapping[type, Relation] = {
    no.ForbiddenEqualsClause: operator.eq,
    no.ForbiddenLessThanClause: operator.lt,
    no.ForbiddenLessThanEqualsClause: operator.le,
    no.ForbiddenGreaterThanClause: operator.gt,
    no.ForbiddenGreaterThanEqualsClause: operator.ge,
    no.ForbiddenEqualsRelation: operator.eq,
    no.ForbiddenLessThanRelation: operator.lt,
    no.ForbiddenLessThanEqualsRelation: operator.le,
    no.ForbiddenGreaterThanRelation: operator.gt,
    no.ForbiddenGreaterThanEqualsRelation: operator.ge,
}
_CONJUNCTIONS: Mapping[type, type[AllOf] | type[AnyOf]] = {
    no.ForbiddenAndConjunction: AllOf,
    no.ForbiddenOrConjunction: AnyOf,
}


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """A forbidden combination; `text` is ConfigSpace's wording."""

    text: str
    predicate: Predicate


def compile_forbidden(configspace: ConfigurationSpace, columns: Columns) -> tuple[Clause, ...]:
    """Compile the forbidden clauses of a space."""
    return tuple(Clause(str(clause), _compile(clause, columns)) for clause in configspace.forbidden_clauses)


def is_forbidden(clauses: tuple[Clause, ...], rows: Floats) -> Mask:
    """Return which rows a clause forbids. Values must be in range; NaN violates no clause."""
    forbidden = np.zeros(len(rows), dtype=np.bool_)
    for clause in clauses:
        forbidden |= holds(clause.predicate, rows)
    return forbidden


def _compile(clause: no.ForbiddenLike, columns: Columns) -> Predicate:
    kind = type(clause)
    if isinstance(clause, no.ForbiddenConjunction) and kind in _CONJUNCTIONS:
        return _CONJUNCTIONS[kind](tuple(_compile(part, columns) for part in clause.components))
    if isinstance(clause, no.ForbiddenRelation) and kind in _RELATIONS:
        return _compile_relation(clause, columns)
    if isinstance(clause, no.ForbiddenInClause):
        position = columns.position[clause.hyperparameter.name]
        return IsOneOf(position, tuple(columns.each[position].code(value) for value in clause.values))
    if isinstance(clause, no.ForbiddenClause) and kind in _RELATIONS:
        position = columns.position[clause.hyperparameter.name]
        value: Any = vars(clause)["value"]  # not declared by the base class
        return Compares(position, _RELATIONS[kind], columns.each[position].code(value))
    raise SpaceError(
        f"forbidden clauses of type {kind.__name__} are not supported", hint="use the clauses of ConfigSpace"
    )


def _compile_relation(clause: no.ForbiddenRelation, columns: Columns) -> Predicate:
    """Compile a relation of two parameters; levels are compared by their values, not by their indices."""
    positions = columns.position[clause.left.name], columns.position[clause.right.name]
    left, right = (columns.each[position] for position in positions)
    relation = _RELATIONS[type(clause)]
    try:
        if left.levels is not None and right.levels is not None:
            return RelatesLevels(*positions, table=_table(left.levels, right.levels, relation))
        meanings = _numbers(left, relation), _numbers(right, relation)
    except TypeError:
        raise SpaceError(
            f"{clause}: the values of {left.name!r} and {right.name!r} cannot be compared",
            hint="relate parameters whose values are all numbers, or all strings",
        ) from None
    return RelatesNumbers(*positions, relation=relation, meanings=meanings)


def _table(left: tuple[Any, ...], right: tuple[Any, ...], relation: Relation) -> Mask:
    return np.array([[bool(relation(a, b)) for b in right] for a in left], dtype=np.bool_)


def _numbers(column: Column, relation: Relation) -> Floats | None:
    """Return the levels as numbers; a level that is not a number becomes NaN, which equals nothing."""
    if column.levels is None:
        return None
    numbers = np.full(len(column.levels), np.nan)
    for code, level in enumerate(column.levels):
        if isinstance(level, int | float | np.number | np.bool_):
            numbers[code] = float(level)
        elif relation is not operator.eq:
            raise TypeError(level)
    return numbers
