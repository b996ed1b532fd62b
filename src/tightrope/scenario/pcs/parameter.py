"""Parser of parameter declarations in PCS files, in both dialects.

| old | new |
| --- | --- |
| `name {a, b}[a]` | `name categorical {a, b} [a]`, also `ordinal` |
| `name [1, 8][4]i`, flags `i`, `l`, `il` | `name integer [1, 8] [4] log`, also `real` |
"""

from typing import Final

from tightrope.scenario.pcs.rule import read_list
from tightrope.scenario.rules.parameters import Parameter, Range, make_choices, make_number
from tightrope.scenario.text.source import Piece

_KINDS: Final = ("categorical", "ordinal", "integer", "real")
_FORMS = "write `name {a, b}[a]`, `name [1, 8][4]`, `name categorical {a, b}[a]` or `name integer [1, 8][4]`"


def read_parameter(name: Piece, rest: Piece) -> Parameter:
    """Read the text after a name: an optional kind, then domain, default and flags."""
    start = next((i for i, character in enumerate(rest.text) if character in "{["), len(rest.text))
    kind, domain = rest.cut(0, start).strip(), rest.cut(start)
    if kind.text and kind.text not in _KINDS:
        raise kind.error(
            f"unknown kind of parameter {kind.text!r}", key=name.text, hint=f"use one of {', '.join(_KINDS)}"
        )
    if not domain.text:
        raise domain.error("expected choices or a range", key=name.text, hint=_FORMS)
    is_range = domain.text.startswith("[")
    if kind.text and is_range != (kind.text in ("integer", "real")):
        wanted = "[lower, upper]" if kind.text in ("integer", "real") else "{choices}"
        raise domain.error(f"expected {wanted} after {kind.text!r}", key=name.text, hint=_FORMS)
    return _read_range(name, kind, domain) if is_range else _read_choices(name, kind, domain)


def _read_choices(name: Piece, kind: Piece, domain: Piece) -> Parameter:
    braces, rest = _take(domain, "{}", key=name.text)
    default, flags = _take(rest, "[]", key=name.text, is_last=True)
    if flags.text:
        raise flags.error(
            f"unexpected {flags.text!r} after the default",
            key=name.text,
            hint="remove it, or put # before it",
        )
    choices = read_list(braces, key=name.text)
    for choice in choices:
        if "&&" in choice.text or "||" in choice.text:  # no condition could refer to it
            raise choice.error("a choice must not contain '&&' or '||'", key=name.text, hint="rename it")
    return make_choices(
        name.text,
        choices,
        default=default.cut(1, -1).strip(),
        is_ordered=kind.text == "ordinal",
    )


def _read_range(name: Piece, kind: Piece, domain: Piece) -> Parameter:
    bounds, rest = _take(domain, "[]", key=name.text)
    default, flags = _take(rest, "[]", key=name.text)
    ends = bounds.cut(1, -1).split(",")
    if len(ends) != 2:
        raise bounds.error(
            f"expected two bounds, found {len(ends)}", key=name.text, hint="write [lower, upper]"
        )
    is_integer, is_log = _read_flags(flags, kind.text, key=name.text)
    return make_number(name.text, Range(ends[0], ends[1], default.cut(1, -1).strip(), is_integer, is_log))


def _read_flags(flags: Piece, kind: str, *, key: str) -> tuple[bool, bool]:
    """Return whether a number is an integer, and whether its scale is logarithmic."""
    if kind:
        if flags.text not in ("", "log"):
            raise flags.error(f"unknown flag {flags.text!r}", key=key, hint="only `log` is allowed here")
        return kind == "integer", flags.text == "log"
    if flags.text not in ("", "i", "l", "il", "li"):
        raise flags.error(
            f"unknown flag {flags.text!r}",
            key=key,
            hint="use i for an integer, l for a log scale, il for both",
        )
    return "i" in flags.text, "l" in flags.text


def _take(piece: Piece, brackets: str, *, key: str, is_last: bool = False) -> tuple[Piece, Piece]:
    """Split off a pair of brackets with its content; return it and the rest."""
    opening, closing = brackets[0], brackets[1]
    if not piece.text.startswith(opening):
        problem = "the default is missing" if opening == "[" else f"expected {opening!r}"
        raise piece.error(problem, key=key, hint="write it in brackets after the choices or bounds, like [1]")
    end = piece.text.rfind(closing) if is_last else piece.text.find(closing)
    if end < 0:
        raise piece.error(f"{opening!r} is not closed", key=key, hint=f"add {closing!r}")
    return piece.cut(0, end + 1), piece.cut(end + 1).strip()
