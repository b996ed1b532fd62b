"""Configs as JSON text that preserves the type of every value, and every bit of a float.

JSON has no tuples, no infinities and none of NumPy's types. Such a value is written as an object with one
key that names its type. Dictionaries are written that way too, so no value is ambiguous.
"""

import json
import re
from collections.abc import Iterable, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, overload

import numpy as np

from tightrope.errors import JournalError
from tightrope.records import Config
from tightrope.store.failure import damaged

_PLAIN = frozenset({str, int, bool, type(None)})
_NUMPY_KINDS = "biuU"
_DTYPE = re.compile(r"[<>|=]([biu][1248]|f[248]|U\d{1,6})")
_ACCEPTED = "bool, int, float, str, None, their NumPy types, and tuples, lists and dicts of these"
_to_json = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode


def encode(config: Config) -> str:
    """Write a config's values as text.

    Examples
    --------
    >>> encode(Config({"x": 0.1, "n": 3, "shape": (2, 2)}))
    '{"x":0.1,"n":3,"shape":{"tuple":[2,2]}}'
    """
    return _to_json({name: _checked(name, value) for name, value in config.items()})


def decode(text: str) -> Config:
    """Read a config's values from text; raise ValueError if the text is not a config.

    Examples
    --------
    >>> decode('{"x":0.1,"n":3,"shape":{"tuple":[2,2]}}')
    Config({'x': 0.1, 'n': 3, 'shape': (2, 2)})
    """
    values = json.loads(text)
    if type(values) is not dict:
        raise ValueError(f"not a config: {text[:60]}")
    return Config({name: _untagged(value) for name, value in values.items()})


class Decoded(Sequence[Config]):
    """Configs that are decoded from their texts on first access, and then kept."""

    def __init__(self, texts: Iterable[str], *, path: str) -> None:
        self._known: list[str | Config] = list(texts)
        self._path = path

    def __len__(self) -> int:
        return len(self._known)

    @overload
    def __getitem__(self, index: int) -> Config: ...
    @overload
    def __getitem__(self, index: slice) -> list[Config]: ...
    def __getitem__(self, index: int | slice) -> Config | list[Config]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        known = self._known[index]
        if isinstance(known, str):
            known = self._known[index] = self._decoded(known)
        return known

    def _decoded(self, text: str) -> Config:
        try:
            return decode(text)
        except (ValueError, TypeError, AttributeError, OverflowError) as error:
            raise damaged(Path(self._path), f"{text[:60]!r} is not a config") from error


def _checked(name: Any, value: Any) -> Any:
    if type(name) is not str:
        raise JournalError(f"the parameter name {name!r} is not a string", hint="use a string")
    if type(value) in _PLAIN:
        return value
    try:
        return _tagged(value)
    except TypeError:
        raise JournalError(
            f"the value {value!r} of parameter {name!r} cannot be written to a journal",
            hint=f"accepted are {_ACCEPTED}: use strings for other choices",
        ) from None


def _tagged(value: Any) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is float:
        return value if isfinite(value) else {"float": repr(value)}
    if kind is list:
        return [_tagged(part) for part in value]
    if kind is tuple:
        return {"tuple": [_tagged(part) for part in value]}
    if kind is dict:
        return {"dict": [[_tagged(key), _tagged(part)] for key, part in value.items()]}
    if isinstance(value, np.generic) and _is_storable(value.dtype):
        return {"numpy": [value.dtype.str, _tagged(value.item())]}
    raise TypeError(f"{kind} cannot be written as text")


def _is_storable(dtype: Any) -> bool:
    """Whether `item` returns a plain value without loss; not so for long doubles, dates and others."""
    return dtype.kind in _NUMPY_KINDS or (dtype.kind == "f" and dtype.itemsize <= np.dtype(float).itemsize)


def _untagged(written: Any) -> Any:
    if type(written) is list:
        return [_untagged(part) for part in written]
    if type(written) is not dict:
        return written
    ((tag, content),) = written.items()
    if tag == "float":
        return float(content)
    if tag == "tuple":
        return tuple(_untagged(part) for part in content)
    if tag == "dict":
        return {_untagged(key): _untagged(part) for key, part in content}
    if tag == "numpy":
        dtype, item = content
        if not _DTYPE.fullmatch(dtype):
            raise ValueError(f"unknown type of number: {dtype!r}")
        return np.dtype(dtype).type(_untagged(item))
    raise ValueError(f"unknown type of value: {tag!r}")
