"""Reads numbers, words and JSON objects that a target printed; whatever it prints is data, never an error."""

import json
import math
import re
from typing import Any

# float() also accepts underscores, digits of other scripts, "inf" and "nan": no solver means them as a cost.
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_BLANK = " \t\n\r\f\v"


def number(value: object) -> float | None:
    """Convert to a finite float; None if that is impossible.

    Examples
    --------
    >>> number(" 1.5e3 "), number("1_000"), number("nan"), number(True)
    (1500.0, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if isinstance(value, str) and not _NUMBER.fullmatch(value.strip(_BLANK)):
        return None
    try:
        read = float(value)
    except OverflowError:  # an integer beyond the range of floats
        return None
    return read if math.isfinite(read) else None


def word(value: object) -> str | None:
    """Return a printed JSON value as text; None for null and for what cannot be written down."""
    if value is None:
        return None
    try:
        return writable(str(value))
    except (RecursionError, ValueError):  # nested too deeply, or an integer of too many digits
        return None


def writable(text: str) -> str:
    r"""Replace what no file can hold as UTF-8: halves of surrogate pairs, which JSON may contain.

    Examples
    --------
    >>> writable("a\ud800b")
    'a?b'
    """
    return text.encode(errors="replace").decode()


def read_object(text: str) -> dict[str, Any] | None:
    """Parse a JSON object; None if the text is anything else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def fields_of(line: str) -> list[str]:
    """Split a line at ASCII blanks."""
    return re.findall(f"[^{_BLANK}]+", line)


def shorten(text: str, *, width: int = 200) -> str:
    """Quote a text, cut to `width` characters."""
    return repr(text if len(text) <= width else text[:width] + "...")
