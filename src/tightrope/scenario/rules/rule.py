"""What a file claims about parameters, in conditions and forbidden clauses; names are not looked up yet."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tightrope.scenario.text.source import Piece

# None of them holds for an inactive parameter, not even `!=`.
Relation = Literal["in", "==", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A parameter stands in a relation to a value, or (for `in`) to several."""

    name: Piece
    relation: Relation
    values: tuple[Piece, ...]

    @property
    def names(self) -> tuple[Piece, ...]:
        """The parameters that are compared."""
        return (self.name,)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two parameters stand in a relation to each other."""

    left: Piece
    relation: Relation
    right: Piece

    @property
    def names(self) -> tuple[Piece, ...]:
        """The parameters that are compared."""
        return (self.left, self.right)


@dataclass(frozen=True, slots=True)
class AllOf:
    """All parts hold."""

    parts: tuple["Claim", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part holds."""

    parts: tuple["Claim", ...]


Claim = Comparison | Pair | AllOf | AnyOf


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


def comparisons(claim: Claim) -> Iterator[Comparison | Pair]:
    """Yield the comparisons that a claim consists of."""
    if isinstance(claim, AllOf | AnyOf):
        for part in claim.parts:
            yield from comparisons(part)
    else:
        yield claim
