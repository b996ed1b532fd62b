"""Builder of ConfigSpace parameters and their values from pieces of a file."""

import math
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
from ConfigSpace.hyperparameters import (
    CategoricalHyperparameter,
    Hyperparameter,
    OrdinalHyperparameter,
    UniformFloatHyperparameter,
    UniformIntegerHyperparameter,
)

from tightrope.errors import SpaceError
from tightrope.scenario.text.source import Piece
from tightrope.space.number import DECIMALS, survives_rounding
from tightrope.space.types import read_column

Parameter = Hyperparameter[Any, Any]
Meta = Mapping[Hashable, Any] | None  # ConfigSpace stores it with a parameter and does not use it

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_EXACT = 2**53  # integers up to here are exact as floating-point numbers


@dataclass(frozen=True, slots=True)
class Range:
    """Bounds and default of a number as written in a file. None as default: the middle of the range."""

    lower: Piece
    upper: Piece
    default: Piece | None = None
    is_integer: bool = False
    is_log: bool = False


def make_choices(
    name: str,
    choices: Sequence[Piece],
    *,
    default: Piece | None = None,
    is_ordered: bool = False,
    values: Sequence[Any] | None = None,
    meta: Meta = None,
) -> Parameter:
    """Build a categorical or ordinal parameter. Its values are `values`, or else the strings of the file."""
    texts: dict[str, int] = {}
    for i, choice in enumerate(choices):
        if texts.setdefault(choice.text, i) != i:
            raise choice.error(f"duplicate choice {choice.text!r}", key=name, hint="remove one of the two")
    if default is not None and default.text not in texts:
        raise default.error(
            f"the default {default.text!r} is not one of the choices",
            key=name,
            hint=f"choose one of {', '.join(texts)}",
        )
    kind = OrdinalHyperparameter if is_ordered else CategoricalHyperparameter
    levels = list(texts if values is None else values)
    known: set[Any] = set()
    for level, choice in zip(levels, choices, strict=True):
        if level in known:  # 1, 1.0 and true are equal in Python
            raise choice.error(
                f"the choice {choice.text} equals another choice", key=name, hint="remove one of the two"
            )
        known.add(level)
    first = levels[0 if default is None else texts[default.text]]
    return kind(name, levels, default_value=first, meta=meta)


def make_number(name: str, declared: Range, *, meta: Meta = None) -> Parameter:
    """Build an integer or float parameter."""
    read = read_integer if declared.is_integer else read_real
    lower, upper = read(declared.lower, key=name), read(declared.upper, key=name)
    default = None if declared.default is None else read(declared.default, key=name)
    _check_bounds(name, declared, lower, upper)
    if declared.default is not None and default is not None and not lower <= default <= upper:
        raise declared.default.error(
            f"the default {declared.default.text} is outside {declared.lower.text} to {declared.upper.text}",
            key=name,
            hint="change the default or the bounds",
        )
    kind = UniformIntegerHyperparameter if declared.is_integer else UniformFloatHyperparameter
    return kind(name, lower, upper, default_value=default, log=declared.is_log, meta=meta)


def _check_bounds(name: str, declared: Range, lower: float, upper: float) -> None:
    if not lower < upper:
        raise declared.upper.error(
            f"the lower bound {declared.lower.text} is not below the upper bound {declared.upper.text}",
            key=name,
            hint="swap them, or declare a single choice for a constant",
        )
    if declared.is_log and lower <= 0:
        raise declared.lower.error(
            f"a log scale needs a positive lower bound, not {declared.lower.text}",
            key=name,
            hint="raise it, or remove the log scale",
        )
    if declared.is_log and not math.log(lower) < math.log(upper):
        raise declared.upper.error(
            "the bounds are too close for a log scale", key=name, hint="remove the log scale"
        )


def read_real(piece: Piece, *, key: str) -> float:
    """Read a number, rounded as ConfigSpace does; raise an error if that changes the number."""
    number = _read_number(piece, key=key)
    if not survives_rounding(number):
        raise piece.error(
            f"ConfigSpace rounds to {DECIMALS} decimals, which changes {piece.text}",
            key=key,
            hint="use another unit for the parameter",
        )
    return float(np.round(number, DECIMALS))


def read_integer(piece: Piece, *, key: str) -> int:
    """Read an integer; 1e6 counts as one."""
    number = _read_number(piece, key=key)
    if not number.is_integer():
        raise piece.error(f"{piece.text} is not an integer", key=key, hint="write an integer")
    if abs(number) >= _EXACT and abs(Decimal(piece.text)) > _EXACT:
        raise piece.error(
            "integers beyond 2^53 are not exact as floating-point numbers",
            key=key,
            hint="use narrower bounds, or a real parameter",
        )
    return int(number)


def read_value(parameter: Parameter, piece: Piece) -> Any:
    """Read a value of a parameter; raise an error if the parameter cannot have it."""
    column = read_column(parameter)
    value: Any
    if column.levels is not None:
        value = _read_level(column.levels, piece.text)
    else:
        value = (read_integer if column.is_whole else _read_number)(piece, key=parameter.name)
    try:
        column.code(value)
    except SpaceError as error:
        raise piece.error(f"{piece.text} is {error.problem}", key=parameter.name, hint=error.hint) from None
    return value


def _read_level(levels: Sequence[Any], text: str) -> Any:
    if text not in levels and _QUOTED.fullmatch(text):
        text = text[1:-1]  # SMAC's advanced forbidden clauses quote choices
    return next((level for level in levels if level_text(level) == text), text)


def level_text(level: Any) -> str:
    """Return a choice as text, the way files write it."""
    plain = level.item() if isinstance(level, np.generic) else level
    return str(plain).lower() if isinstance(plain, bool) else str(plain)


def is_number(text: str) -> bool:
    """Return whether a text is a number in the syntax of the files."""
    return _NUMBER.fullmatch(text) is not None


def _read_number(piece: Piece, *, key: str) -> float:
    if not is_number(piece.text):
        found = f"{piece.text!r} is not a number" if piece.text else "a number is missing"
        raise piece.error(found, key=key, hint="write it like 10, 0.5 or 1e-3; arithmetic is not supported")
    number = float(piece.text)
    if math.isinf(number):
        raise piece.error(f"{piece.text} is too large", key=key, hint="write a smaller number")
    return number
