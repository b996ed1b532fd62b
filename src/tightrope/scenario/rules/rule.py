"""Conditions and forbidden combinations as parsed from a file, before names and values are looked up."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tightrope.scenario.text.source import Piece

# No relation holds for an inactive parameter, not even `!=`.
Relation = Literal["in", "==", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of a parameter with a value or, for `in`, with several values."""

    name: Piece
    relation: Relation
    values: tuple[Piece, ...]

    @property
    def names(self) -> tuple[Piece, ...]:
        """The parameters that are compared."""
        return (self.name,)


@dataclass(frozen=True, slots=True)
class Pair:
    """A comparison of two parameters."""

    left: Piece
    relation: Relation
    right: Piece

    @property
    def names(self) -> tuple[Piece, ...]:
        """The parameters that are compared."""
        return (self.left, self.right)


@dataclass(frozen=True, slots=True)
class AllOf:
    """A rule that holds if all parts hold."""

    parts: tuple["Rule", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """A rule that holds if at least one part holds."""

    parts: tuple["Rule", ...]


Rule = Comparison | Pair | AllOf | AnyOf


def all_of(parts: list[Rule]) -> Rule:
    """Join rules with 'and', without nesting."""
    flat: list[Rule] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, AllOf) else (part,))
    return flat[0] if len(flat) == 1 else AllOf(tuple(flat))


def any_of(parts: list[Rule]) -> Rule:
    """Join rules with 'or', without nesting."""
    flat: list[Rule] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, AnyOf) else (part,))
    return flat[0] if len(flat) == 1 else AnyOf(tuple(flat))


def comparisons(rule: Rule) -> Iterator[Comparison | Pair]:
    """Yield all comparisons in a rule."""
    if isinstance(rule, AllOf | AnyOf):
        for part in rule.parts:
            yield from comparisons(part)
    else:
        yield rule
