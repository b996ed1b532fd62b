"""Writer of TOML values."""

import json
import re
from collections.abc import Mapping, Sequence
from math import isinf, isnan
from typing import Any

import numpy as np

from tightrope.errors import SpaceError

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_MAX_ON_A_LINE = 88  # characters; longer lists get several lines


def write_key(key: str) -> str:
    """Write a key."""
    return key if _BARE.fullmatch(key) else write_value(key)


def write_value(value: Any) -> str:
    """Write a string, a number, a boolean, a list or a table in one line."""
    plain = value.item() if isinstance(value, np.generic) else value
    match plain:
        case bool():
            return str(plain).lower()
        case str() if any("\ud800" <= character <= "\udfff" for character in plain):
            raise SpaceError(f"cannot write {plain!r} to TOML: it is not UTF-8", hint="rename it")
        case str():
            # JSON and TOML strings differ in one character only.
            return json.dumps(plain, ensure_ascii=False).replace("\x7f", "\\u007f")
        case float() if isinf(plain) or isnan(plain):
            return f"{plain}"
        case int() | float():
            return repr(plain)
        case Mapping():
            return write_table(plain)
        case Sequence():
            return f"[{', '.join(write_value(item) for item in plain)}]"
        case _:
            raise SpaceError(f"cannot write {plain!r} to TOML", hint="use strings, numbers, true and false")


def write_table(table: Mapping[str, Any]) -> str:
    """Write an inline table."""
    pairs = ", ".join(f"{write_key(key)} = {write_value(value)}" for key, value in table.items())
    return f"{{ {pairs} }}" if pairs else "{}"


def write_pair(key: str, value: Any) -> str:
    """Write a key and its value; a long list gets several lines."""
    text = f"{write_key(key)} = {write_value(value)}"
    if len(text) <= _MAX_ON_A_LINE or isinstance(value, str) or not isinstance(value, Sequence):
        return text
    items = "".join(f"  {write_value(item)},\n" for item in value)
    return f"{write_key(key)} = [\n{items}]"
