"""Parser of conditions and forbidden combinations in irace files: a subset of R's logical expressions.

Supported are comparisons of a parameter with a value, `%in% c(...)`, `!`, `&`, `|` and parentheses. As in R,
no comparison with an inactive parameter holds, not even `!=`.
"""

import re

from tightrope.scenario.rules.rule import Rule
from tightrope.scenario.text import expression
from tightrope.scenario.text.expression import Dialect, Token
from tightrope.scenario.text.source import Piece

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


def is_name(text: str) -> bool:
    """Return whether a text is a name in R."""
    return _NAME.fullmatch(text) is not None and text not in _RESERVED


def read_expression(piece: Piece) -> Rule:
    """Read a logical expression; raise an error if a space cannot express it."""
    return expression.read_expression(_tokens(piece), _R)


def _tokens(piece: Piece) -> list[Token]:
    found = (_token(piece, match) for match in _TOKEN.finditer(piece.text) if match.lastgroup != "blank")
    end = piece.cut(len(piece.text))
    return [*found, Token("end", end, end)]


def _token(piece: Piece, match: re.Match[str]) -> Token:
    part = piece.cut(match.start(), match.end())
    if match.lastgroup == "string":
        return Token("value", part, part.cut(1, -1))
    if match.lastgroup == "number":
        return Token("number", part, part.cut(0, -1) if part.text.endswith("L") else part)
    if match.lastgroup == "name":
        return Token("value" if part.text in ("TRUE", "FALSE") else "name", part, part)
    return Token("sign", part, part)


def _read_name(piece: Piece) -> Piece:
    if not is_name(piece.text):
        raise piece.error(f"{piece.text!r} is not a valid name in R", hint="rename the parameter")
    return piece


_R = Dialect(
    any_of=("|", "||"),
    all_of=("&", "&&"),
    negation=("!",),
    member="%in%",
    opening=("c", "("),
    closing=")",
    read_name=_read_name,
    supported="use ==, !=, <, <=, >, >=, %in% c(...), !, & and | with parameters and values",
)
