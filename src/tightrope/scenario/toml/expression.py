"""Parser of expressions in TOML scenarios: `restarts == 'luby' and (depth > 3 or mode in ['a', 'b'])`."""

import re
from collections.abc import Collection

from tightrope.scenario.rules.rule import Rule
from tightrope.scenario.text.expression import Dialect, Token, read_expression
from tightrope.scenario.text.source import Piece
from tightrope.scenario.toml.entry import suggest

_TOKEN = re.compile(
    r"""(?P<blank>\s+)
    |(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
    |(?P<quoted_name>`[^`]*`)
    |(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![^\s'"`()\[\]{},=<>!&|]))
    |(?P<sign>==|!=|<=|>=|<|>|&&|&|\|\||\||[-+](?=[\s.0-9])|[][(){},=!"'`])
    |(?P<word>[^\s'"`()\[\]{},=<>!&|]+)""",
    re.VERBOSE | re.DOTALL,
)
_SIGNS = ("and", "or", "not", "in")
_TRUTHS = ("true", "false")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_PLAIN_NAME = re.compile(r"[^\W\d][\w.:@/*~$%^?;-]*")


def read_rule(piece: Piece, names: Collection[str]) -> Rule:
    """Read an expression about parameters with the given names."""
    dialect = Dialect(
        any_of=("or", "||", "|"),
        all_of=("and", "&&", "&"),
        negation=("not", "!"),
        member="in",
        opening=("[",),
        closing="]",
        read_name=lambda name: _known(name, names),
        supported="use ==, !=, <, <=, >, >=, in [...], not, and, or with parameters and values",
        bare_means="true",
    )
    return read_expression(_tokens(piece), dialect)


def write_name(name: str) -> str:
    """Write the name of a parameter in an expression."""
    is_plain = _PLAIN_NAME.fullmatch(name) and name not in (*_SIGNS, *_TRUTHS)
    return name if is_plain else f"`{name}`"


def write_text(text: str) -> str:
    """Write a string in an expression."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _tokens(piece: Piece) -> list[Token]:
    found = (_token(piece, match) for match in _TOKEN.finditer(piece.text) if match.lastgroup != "blank")
    end = piece.cut(len(piece.text))
    return [*found, Token("end", end, end)]


def _token(piece: Piece, match: re.Match[str]) -> Token:
    part = piece.cut(match.start(), match.end())
    match match.lastgroup:
        case "string":
            text = _ESCAPE.sub(r"\1", part.text[1:-1])
            return Token("value", part, Piece(text, part.source, part.line, part.column))
        case "number":
            return Token("number", part, part)
        case "quoted_name":
            return Token("name", part.cut(1, -1), part)
        case "word" if part.text in _TRUTHS:
            return Token("value", part, part)
        case "word" if part.text not in _SIGNS:
            return Token("name", part, part)
        case _:
            return Token("sign", part, part)


def _known(name: Piece, names: Collection[str]) -> Piece:
    if name.text not in names:
        hint = (
            f"put '{name.text}' in quotes if it is a value; if it is a parameter, {suggest(name.text, names)}"
        )
        raise name.error(f"unknown parameter {name.text!r}", key=name.text, hint=hint)
    return name
