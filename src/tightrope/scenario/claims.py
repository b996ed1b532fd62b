"""What a file claims about parameters, in conditions and forbidden clauses; names are not looked up yet."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tightrope.scenario.source import Piece

Relation = Literal["in", "==", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A parameter stands in a relation to a value, another parameter, or (for `in`) several values."""

    name: Piece
    relation: Relation
    values: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """All parts hold."""

    parts: tuple["Claim", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part holds."""

    parts: tuple["Claim", ...]


Claim = Comparison | AllOf | AnyOf


def all_of(parts: list[Claim]) -> Claim:
    """Join claims by 'and', without nesting."""
    flat: list[Claim] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, AllOf) else (part,))
    return flat[0] if len(flat) == 1 else AllOf(tuple(flat))


def any_of(parts: list[Claim]) -> Claim:
    """Join claims by 'or', without nesting."""
    flat: list[Claim] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, AnyOf) else (part,))
    return flat[0] if len(flat) == 1 else AnyOf(tuple(flat))


def comparisons(claim: Claim) -> Iterator[Comparison]:
    """Yield the comparisons that a claim consists of."""
    if isinstance(claim, Comparison):
        yield claim
    else:
        for part in claim.parts:
            yield from comparisons(part)
