"""Parser of parameter declarations in irace files: `name "switch" type (domain) | condition`."""

import re
from typing import Final

from tightrope.scenario.rules.parameters import Meta, Parameter, Range, is_number, make_choices, make_number
from tightrope.scenario.text.source import Piece

NAME = re.compile(r"[\w.]+")
_SWITCH = re.compile(r'"[^"]*"')
_TYPE = re.compile(r"[^\s(]+")
_TYPES: Final = ("c", "o", "i", "r", "i,log", "r,log")
_DOMAIN = re.compile(r'\((?:[^()"]|"[^"]*"|\([^()]*\))*\)')
_VALUE = re.compile(r'\s*("[^"]*"|[^,"]*)\s*(?:,|$)')
_FORM = 'write for example: name "--name " i (1, 8)'


def read_parameter(name: Piece, rest: Piece, default: Piece | None) -> tuple[Parameter, Piece]:
    """Read the text after a name; return the parameter and the rest of the line."""
    switch, rest = _take(_SWITCH, rest, name, wanted="a switch in double quotes")
    kind, rest = _take(_TYPE, rest, name, wanted="a type")
    if kind.text not in _TYPES:
        raise kind.error(f"unknown type {kind.text!r}", key=name.text, hint=f"use one of {' '.join(_TYPES)}")
    domain, rest = _take(_DOMAIN, rest, name, wanted="a domain in parentheses")
    values = _split(domain.cut(1, -1), name)
    meta: Meta = {"switch": switch.text[1:-1]}
    if kind.text in ("c", "o"):
        choices = [_unquoted(value, name) for value in values]
        is_ordered = kind.text == "o"
        return make_choices(name.text, choices, default=default, is_ordered=is_ordered, meta=meta), rest
    for value in values:
        _refuse_expression(value, name)
    if len(values) != 2:
        raise domain.error(
            f"expected two bounds, found {len(values)}", key=name.text, hint="write (lower, upper)"
        )
    declared = Range(values[0], values[1], default, kind.text.startswith("i"), kind.text.endswith(",log"))
    return make_number(name.text, declared, meta=meta), rest


def _take(pattern: re.Pattern[str], piece: Piece, name: Piece, *, wanted: str) -> tuple[Piece, Piece]:
    found = pattern.match(piece.text)
    if not found:
        raise piece.error(f"expected {wanted}", key=name.text, hint=_FORM)
    return piece.cut(0, found.end()), piece.cut(found.end()).strip()


def _split(piece: Piece, name: Piece) -> list[Piece]:
    """Split at commas outside quotes."""
    values, position = [], 0
    while position <= len(piece.text):
        found = _VALUE.match(piece.text, position)
        if not found:
            raise (
                piece.cut(position)
                .strip()
                .error(
                    "unexpected quote in a value",
                    key=name.text,
                    hint="quote whole values, separated by commas",
                )
            )
        values.append(piece.cut(*found.span(1)).strip())
        if not found[0].endswith(","):
            break
        position = found.end()
    return values


def _unquoted(value: Piece, name: Piece) -> Piece:
    if not value.text:
        raise value.error("a value is missing", key=name.text, hint='add one; write "" for the empty string')
    return value.cut(1, -1) if value.text.startswith('"') else value


def _refuse_expression(value: Piece, name: Piece) -> None:
    if value.text and not is_number(value.text):
        raise value.error(
            f"a domain that depends on other parameters is not supported: {value.text}",
            key=name.text,
            hint="write numbers, and forbid invalid combinations",
        )
