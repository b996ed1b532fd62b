"""Parameters of ConfigSpace, made from pieces of a file."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
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
from tightrope.scenario.source import Piece
from tightrope.space.column import DECIMALS, check_whole, read_column, survives_rounding

Parameter = Hyperparameter[Any, Any]

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_EXACT = 2.0**53  # whole numbers up to here are told apart by floating-point numbers


@dataclass(frozen=True, slots=True)
class Range:
    """The bounds and the default of a number as a file gives them."""

    lower: Piece
    upper: Piece
    default: Piece
    is_integer: bool = False
    is_log: bool = False


def make_choices(
    name: str, choices: Sequence[Piece], *, default: Piece, is_ordered: bool = False
) -> Parameter:
    """Make a categorical or ordinal parameter; its values stay the strings of the file."""
    texts: list[str] = []
    for choice in choices:
        if not choice.text:
            raise choice.error("an empty choice", key=name, hint="remove the comma, or name the choice")
        if choice.text in texts:
            raise choice.error(f"the choice {choice.text!r} occurs twice", key=name, hint="name it once")
        texts.append(choice.text)
    if default.text not in texts:
        raise default.error(
            f"the default {default.text!r} is not one of the choices",
            key=name,
            hint=f"choose one of {', '.join(texts)}",
        )
    kind = OrdinalHyperparameter if is_ordered else CategoricalHyperparameter
    return kind(name, texts, default_value=default.text)


def make_number(name: str, declared: Range) -> Parameter:
    """Make an integer or float parameter."""
    read = read_integer if declared.is_integer else read_real
    lower, upper, default = (
        read(piece, key=name) for piece in (declared.lower, declared.upper, declared.default)
    )
    if not lower < upper:
        raise declared.upper.error(
            f"the lower bound {declared.lower.text} is not below the upper one, {declared.upper.text}",
            key=name,
            hint=f"swap them, or write a single choice for a constant: {{{declared.lower.text}}}",
        )
    if declared.is_log and lower <= 0:
        raise declared.lower.error(
            f"a log scale needs a positive lower bound, not {declared.lower.text}",
            key=name,
            hint="raise it, or drop the log scale",
        )
    if not lower <= default <= upper:
        raise declared.default.error(
            f"the default {declared.default.text} is not from {declared.lower.text} to {declared.upper.text}",
            key=name,
            hint="move the default or the bounds",
        )
    kind = UniformIntegerHyperparameter if declared.is_integer else UniformFloatHyperparameter
    try:
        if declared.is_integer:
            check_whole(name, lower, upper)
        return kind(name, lower, upper, default_value=default, log=declared.is_log)
    except SpaceError as error:
        raise declared.lower.error(error.problem, key=name, hint=error.hint) from None
    except ValueError as error:
        raise declared.lower.error(f"ConfigSpace refuses it: {error}", key=name) from error


def read_real(piece: Piece, *, key: str) -> float:
    """Read a number, rounded as ConfigSpace does, unless that would make another one of it."""
    number = _read_number(piece, key=key)
    if not survives_rounding(number):
        raise piece.error(
            f"ConfigSpace keeps {DECIMALS} decimals, which would change {piece.text}",
            key=key,
            hint="measure the parameter in another unit",
        )
    return float(np.round(number, DECIMALS))


def read_integer(piece: Piece, *, key: str) -> int:
    """Read a whole number, also one that is written like 1e6."""
    number = _read_number(piece, key=key)
    if not number.is_integer():
        raise piece.error(f"{piece.text} is not an integer", key=key, hint="write a whole number")
    is_plain = piece.text.lstrip("+-").isdecimal()
    return int(piece.text) if is_plain and abs(number) <= _EXACT else int(number)


def read_value(parameter: Parameter, piece: Piece) -> Any:
    """Read a value of a parameter, and refuse what is none of its values."""
    if not piece.text:
        raise piece.error("a value is missing", key=parameter.name, hint="write one")
    value: Any = piece.text
    if isinstance(parameter, UniformIntegerHyperparameter):
        value = read_integer(piece, key=parameter.name)
    elif isinstance(parameter, UniformFloatHyperparameter):
        value = _read_number(piece, key=parameter.name)
    column = read_column(parameter)
    try:
        column.code(value)
    except SpaceError as error:
        raise piece.error(f"{piece.text} is {error.problem}", key=parameter.name, hint=error.hint) from None
    return value


def is_number(text: str) -> bool:
    """Tell whether a text is a number as files write them."""
    return _NUMBER.fullmatch(text) is not None


def _read_number(piece: Piece, *, key: str) -> float:
    if not is_number(piece.text):
        found = f"{piece.text!r} is not a number" if piece.text else "a number is missing"
        raise piece.error(found, key=key, hint="write it like 10, 0.5 or 1e-3")
    number = float(piece.text)
    if math.isinf(number):
        raise piece.error(f"{piece.text} is too large", key=key, hint="write a smaller number")
    return number
