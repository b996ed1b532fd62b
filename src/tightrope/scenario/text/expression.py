"""Parser of logical expressions, shared by several file formats.

An expression has comparisons of a parameter with a value or another parameter, membership in a list,
negation, 'and', 'or' and parentheses. No comparison with an inactive parameter holds, not even `!=`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NoReturn, cast

from tightrope.scenario.rules.rule import AllOf, AnyOf, Comparison, Pair, Relation, Rule, all_of, any_of
from tightrope.scenario.text.source import Piece

_MAX_DEPTH = 50  # of parentheses and negations
_MIRRORED: Mapping[str, Relation] = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NEGATED: Mapping[Relation, Relation] = {
    "==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """A token of an expression. `value` is its meaning if it is a value: a string without quotes."""

    kind: Literal["value", "number", "name", "sign", "end"]
    piece: Piece
    value: Piece

    @property
    def is_value(self) -> bool:
        """Whether this is a value, not a parameter."""
        return self.kind in ("value", "number")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one file format writes expressions."""

    any_of: tuple[str, ...]
    all_of: tuple[str, ...]
    negation: tuple[str, ...]
    member: str
    opening: tuple[str, ...]  # the tokens that begin a list
    closing: str
    read_name: Callable[[Piece], Piece]  # may raise an error
    supported: str
    bare_means: str | None = None  # a name alone is compared with this value


def read_expression(tokens: Sequence[Token], dialect: Dialect) -> Rule:
    """Parse tokens, the last of which has the kind "end"."""
    reader = _Reader(tokens, dialect)
    rule = reader.read_any(0)
    if reader.next.kind != "end":
        reader.refuse()
    return rule


class _Reader:
    """A recursive-descent parser; each `read_` method stops after the last token it used."""

    def __init__(self, tokens: Sequence[Token], dialect: Dialect) -> None:
        self._tokens = tokens
        self._dialect = dialect
        self._position = 0

    @property
    def next(self) -> Token:
        return self._tokens[self._position]

    def take(self) -> Token:
        token = self.next
        self._position += token.kind != "end"
        return token

    def takes(self, *signs: str) -> bool:
        """Take the next token if it is one of these signs."""
        found = self.next.kind == "sign" and self.next.piece.text in signs
        self._position += found
        return found

    def refuse(self) -> NoReturn:
        found = self.next.piece
        problem = f"{found.text!r} is not supported here" if found.text else "the expression is incomplete"
        raise found.error(problem, hint=self._dialect.supported)

    def read_any(self, depth: int) -> Rule:
        parts = [self.read_all(depth)]
        while self.takes(*self._dialect.any_of):
            parts.append(self.read_all(depth))
        return any_of(parts)

    def read_all(self, depth: int) -> Rule:
        parts = [self.read_one(depth)]
        while self.takes(*self._dialect.all_of):
            parts.append(self.read_one(depth))
        return all_of(parts)

    def read_one(self, depth: int) -> Rule:
        if depth > _MAX_DEPTH:
            raise self.next.piece.error("nested too deeply", hint="use fewer parentheses")
        if self.takes(*self._dialect.negation):
            return _negated(self.read_one(depth + 1))
        if self.takes("("):
            rule = self.read_any(depth + 1)
            if not self.takes(")"):
                self.refuse()
            return rule
        return self.read_comparison()

    def read_comparison(self) -> Rule:
        left = self.read_operand()
        sign = self.next
        if not self.takes(self._dialect.member, *_MIRRORED):
            return self.read_bare(left)
        relation = sign.piece.text
        if relation == self._dialect.member:
            return Comparison(self.name(left), "in", self.read_values())
        right = self.read_operand()
        if left.is_value:
            return Comparison(self.name(right), _MIRRORED[relation], (left.value,))
        same = cast(Relation, relation)
        if right.is_value:
            return Comparison(self.name(left), same, (right.value,))
        return Pair(self.name(left), same, self.name(right))

    def read_bare(self, name: Token) -> Rule:
        """Treat a name alone as a comparison with a fixed value, if the format allows it."""
        if self._dialect.bare_means is None or name.is_value:
            self.refuse()
        piece = name.piece
        value = Piece(self._dialect.bare_means, piece.source, piece.line, piece.column)
        return Comparison(self.name(name), "==", (value,))

    def read_values(self) -> tuple[Piece, ...]:
        """Read a list, or a single value."""
        if self.next.piece.text != self._dialect.opening[0]:
            return (self.read_value(),)
        for word in self._dialect.opening:
            if self.next.piece.text != word:
                self.refuse()
            self.take()
        values = [self.read_value()]
        while self.takes(","):
            values.append(self.read_value())
        if not self.takes(self._dialect.closing):
            self.refuse()
        return tuple(values)

    def read_value(self) -> Piece:
        token = self.read_operand()
        if not token.is_value:
            raise token.piece.error(f"{token.piece.text!r} is not a value", hint="put strings in quotes")
        return token.value

    def read_operand(self) -> Token:
        """Read a name or a value, which may be a negative number."""
        start = self.next.piece
        if self.takes("-", "+"):
            token = self.take()
            if token.kind != "number":
                raise start.error("arithmetic is not supported", hint=self._dialect.supported)
            signed = Piece(start.text + token.value.text, start.source, start.line, start.column)
            return Token("number", signed, signed)
        if self.next.kind not in ("name", "number", "value"):
            self.refuse()
        token = self.take()
        if token.kind == "name" and self.next.piece.text == "(":
            raise token.piece.error(
                f"the function {token.piece.text!r} is not supported", hint=self._dialect.supported
            )
        return token

    def name(self, token: Token) -> Piece:
        if token.is_value:
            raise token.piece.error(
                "expected a parameter, found a value", hint="compare a parameter with a value"
            )
        return self._dialect.read_name(token.piece)


def _negated(rule: Rule) -> Rule:
    """Negate a rule, by negating its comparisons."""
    match rule:
        case AllOf(parts):
            return any_of([_negated(part) for part in parts])
        case AnyOf(parts):
            return all_of([_negated(part) for part in parts])
        case Pair(left, relation, right):
            return Pair(left, _NEGATED[relation], right)
        case Comparison(name, "in", values):
            return all_of([Comparison(name, "!=", (value,)) for value in values])
        case Comparison(name, relation, values):
            return Comparison(name, _NEGATED[relation], values)
