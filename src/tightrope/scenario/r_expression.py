"""Claims as irace files write them: logical expressions of R, as far as a space can hold them.

Comparisons of a parameter with a value, `%in% c(...)`, `!`, `&`, `|` and parentheses. As in R, no comparison
with an inactive parameter holds, not even `!=`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NoReturn, cast

from tightrope.scenario.claims import AllOf, AnyOf, Claim, Comparison, Pair, Relation, all_of, any_of
from tightrope.scenario.source import Piece

_MAX_DEPTH = 50  # of parentheses and negations
_TOKEN = re.compile(
    r"""(?P<blank>\s+)
    |(?P<string>"[^"\\]*"|'[^'\\]*')
    |(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?L?(?![\w.]))
    |(?P<name>(?!\d)[\w.]+)
    |(?P<sign>%in%|==|!=|<=|>=|<|>|&&|&|\|\||\||.)""",
    re.VERBOSE | re.DOTALL,
)
_NAME = re.compile(r"[^\W\d_][\w.]*")
_RESERVED = {
    *("if", "else", "repeat", "while", "function", "for", "next", "break", "in"),
    *("TRUE", "FALSE", "NULL", "NA", "NaN", "Inf"),
}
_MIRRORED: Mapping[str, Relation] = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NEGATED: Mapping[Relation, Relation] = {
    "==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<",
}  # fmt: skip
_SUPPORTED = "supported are ==, !=, <, <=, >, >=, %in% c(...), !, & and | with parameters and values"


@dataclass(frozen=True, slots=True)
class _Token:
    kind: Literal["string", "number", "name", "sign", "end"]
    piece: Piece

    @property
    def is_value(self) -> bool:
        return self.kind in ("string", "number") or self.piece.text in ("TRUE", "FALSE")

    @property
    def value(self) -> Piece:
        """The text that a value stands for."""
        if self.kind == "string":
            return self.piece.cut(1, -1)
        return self.piece.cut(0, -1) if self.piece.text.endswith("L") else self.piece


def is_name(text: str) -> bool:
    """Tell whether R takes a text for a name."""
    return _NAME.fullmatch(text) is not None and text not in _RESERVED


def read_expression(piece: Piece) -> Claim:
    """Read a logical expression, and refuse what a space cannot hold."""
    reader = _Reader(_tokens(piece))
    claim = reader.read_any(0)
    if reader.next.kind != "end":
        reader.refuse()
    return claim


class _Reader:
    """Reads tokens one after the other; each method reads what its name says and stops behind it."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._position = 0

    @property
    def next(self) -> _Token:
        return self._tokens[self._position]

    def take(self) -> _Token:
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
        problem = f"{found.text!r} is not supported here" if found.text else "the expression is not complete"
        raise found.error(problem, hint=_SUPPORTED)

    def read_any(self, depth: int) -> Claim:
        parts = [self.read_all(depth)]
        while self.takes("|", "||"):
            parts.append(self.read_all(depth))
        return any_of(parts)

    def read_all(self, depth: int) -> Claim:
        parts = [self.read_one(depth)]
        while self.takes("&", "&&"):
            parts.append(self.read_one(depth))
        return all_of(parts)

    def read_one(self, depth: int) -> Claim:
        if depth > _MAX_DEPTH:
            raise self.next.piece.error("nested too deeply", hint="write it with fewer parentheses")
        if self.takes("!"):
            return _negated(self.read_one(depth + 1))
        if self.takes("("):
            claim = self.read_any(depth + 1)
            if not self.takes(")"):
                self.refuse()
            return claim
        return self.read_comparison()

    def read_comparison(self) -> Claim:
        left = self.read_operand()
        sign = self.next
        if not self.takes("%in%", *_MIRRORED):
            self.refuse()
        relation = sign.piece.text
        if relation == "%in%":
            return Comparison(_name(left), "in", self.read_values())
        right = self.read_operand()
        if left.is_value:
            return Comparison(_name(right), _MIRRORED[relation], (left.value,))
        same = cast(Relation, relation)
        if right.is_value:
            return Comparison(_name(left), same, (right.value,))
        return Pair(_name(left), same, _name(right))

    def read_values(self) -> tuple[Piece, ...]:
        """Read `c(...)`, or a single value."""
        if self.next.piece.text != "c":
            return (self.read_value(),)
        self.take()
        if not self.takes("("):
            self.refuse()
        values = [self.read_value()]
        while self.takes(","):
            values.append(self.read_value())
        if not self.takes(")"):
            self.refuse()
        return tuple(values)

    def read_value(self) -> Piece:
        token = self.read_operand()
        if not token.is_value:
            raise token.piece.error(f"{token.piece.text!r} is not a value", hint='quote strings: c("a", "b")')
        return token.value

    def read_operand(self) -> _Token:
        """Read a name or a value, perhaps a negative number."""
        start = self.next.piece
        if self.takes("-", "+"):
            token = self.take()
            if token.kind != "number":
                raise start.error("arithmetic is not supported", hint=_SUPPORTED)
            signed = Piece(start.text + token.value.text, start.source, start.line, start.column)
            return _Token("number", signed)
        if self.next.kind not in ("name", "number", "string"):
            self.refuse()
        token = self.take()
        if token.kind == "name" and self.next.piece.text == "(":
            raise token.piece.error(f"the function {token.piece.text!r} is not supported", hint=_SUPPORTED)
        return token


def _tokens(piece: Piece) -> list[_Token]:
    tokens = []
    for found in _TOKEN.finditer(piece.text):
        if found.lastgroup != "blank":
            kind = cast(Literal["string", "number", "name", "sign"], found.lastgroup)
            tokens.append(_Token(kind, piece.cut(found.start(), found.end())))
    return [*tokens, _Token("end", piece.cut(len(piece.text)))]


def _name(token: _Token) -> Piece:
    if token.is_value:
        raise token.piece.error(
            "expected a parameter, found a value", hint="compare a parameter with a value"
        )
    if not is_name(token.piece.text):
        raise token.piece.error(f"{token.piece.text!r} is not a name in R", hint="rename the parameter")
    return token.piece


def _negated(claim: Claim) -> Claim:
    """Move a 'not' inwards to the comparisons."""
    match claim:
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
