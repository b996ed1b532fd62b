"""Parser of conditions and forbidden combinations in PCS files: `a in {1, 2} && b == x || c < 3`."""

import re
from typing import cast

from tightrope.scenario.rules.rule import Comparison, Relation, Rule, all_of, any_of
from tightrope.scenario.text.source import Piece

NAME = re.compile(r"(?!\()[^\s{}\[\]|,=<>!&#]+")
_BRACE = re.compile(r"[{}]")
_RELATION = re.compile(r"in(?![^\s{])|==|!=|<=|>=|=|<|>")


def read_rule(piece: Piece) -> Rule:
    """Read comparisons joined by `&&` and `||`; `&&` binds tighter."""
    return any_of(
        [all_of([_read_comparison(part) for part in each.split("&&")]) for each in piece.split("||")]
    )


def read_list(piece: Piece, *, key: str) -> list[Piece]:
    """Read `{a, b, c}`."""
    if not (piece.text.startswith("{") and piece.text.endswith("}") and len(piece.text) > 1):
        raise piece.error("expected values in braces", key=key, hint="write them like {a, b, c}")
    values = _refuse_braces(piece.cut(1, -1), key=key).split(",")
    for value in values:
        _refuse_empty(value, key=key)
    return values


def _read_comparison(piece: Piece) -> Comparison:
    found = NAME.match(piece.text)
    if not found and piece.text.startswith("("):
        raise piece.error(
            "parentheses are not supported",
            hint="use '&&', which binds tighter than '||', or several lines, which must all hold",
        )
    if not found:
        raise piece.error("expected the name of a parameter", hint="write for example a == 1")
    name, rest = piece.cut(0, found.end()), piece.cut(found.end()).strip()
    operator = _RELATION.match(rest.text)
    if not operator:
        raise rest.error(
            f"expected a comparison after {name.text!r}",
            key=name.text,
            hint="use in {...}, ==, !=, < or >; arithmetic is not supported",
        )
    relation = "==" if operator[0] == "=" else operator[0]
    value = rest.cut(operator.end()).strip()
    if relation == "in":
        return Comparison(name, "in", tuple(read_list(value, key=name.text)))
    _refuse_empty(value, key=name.text)
    return Comparison(name, cast(Relation, relation), (_refuse_braces(value, key=name.text),))


def _refuse_empty(piece: Piece, *, key: str) -> None:
    if not piece.text:
        raise piece.error("a value is missing", key=key, hint="add one, or remove the comma")


def _refuse_braces(piece: Piece, *, key: str) -> Piece:
    if brace := _BRACE.search(piece.text):
        raise piece.cut(brace.start()).error(
            f"unexpected {brace[0]!r}", key=key, hint="write one combination per line, with braces around it"
        )
    return piece
