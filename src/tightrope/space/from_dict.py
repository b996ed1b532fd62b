"""Spaces from dictionaries of bounds, choices and constants: the short form."""

from collections.abc import Mapping
from math import isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np
from ConfigSpace import ConfigurationSpace
from ConfigSpace.hyperparameters import (
    CategoricalHyperparameter,
    Constant,
    Hyperparameter,
    UniformFloatHyperparameter,
    UniformIntegerHyperparameter,
)

from tightrope.errors import SpaceError
from tightrope.space.number import DECIMALS, check_whole, survives_rounding

ACCEPTED = (
    "accepted: (lower, upper) or (lower, upper, 'log') for a range, integer bounds for integers; "
    "a list of choices; a string, number, bool or None for a constant; a ConfigSpace parameter"
)


def space_from_dict(space: Mapping[str, Any]) -> ConfigurationSpace:
    """Build the space that a dictionary describes."""
    if not space:
        raise SpaceError("the space has no parameters", hint='write for example {"x": (0.0, 1.0)}')
    for key in space:
        if not isinstance(key, str) or not key:
            raise SpaceError(f"a parameter's name must be a string, got {key!r}", hint="rename it")
    configspace = ConfigurationSpace()
    configspace.add([_parameter(key, value) for key, value in space.items()])
    return configspace


def _parameter(key: str, value: Any) -> Hyperparameter[Any, Any]:
    if isinstance(value, tuple):
        return _range(key, value)
    if isinstance(value, list):
        return _choices(key, value)
    if isinstance(value, Hyperparameter):
        if value.name != key:
            raise SpaceError(f"the parameter is named {value.name!r}", key=key, hint="use the same name")
        return value
    if value is None or isinstance(value, str | bool | np.bool_) or _is_number(value):
        return Constant(key, value)
    raise SpaceError("not a range, a list of choices or a constant", key=key, value=value, hint=ACCEPTED)


def _choices(key: str, value: list[Any]) -> Hyperparameter[Any, Any]:
    if not value:
        raise SpaceError("the list of choices is empty", key=key, value=value, hint="add at least one")
    if any(choice in value[:i] for i, choice in enumerate(value)):
        raise SpaceError("a choice occurs twice", key=key, value=value, hint="list each choice once")
    return CategoricalHyperparameter(key, value)


def _range(key: str, value: tuple[Any, ...]) -> Hyperparameter[Any, Any]:
    lower, upper, is_log = _bounds(key, value)
    if not lower < upper:
        raise SpaceError(
            "the lower bound must be below the upper one",
            key=key,
            value=value,
            hint="swap the bounds, or write the number alone for a constant",
        )
    if is_log and lower <= 0:
        raise SpaceError(
            "a log scale needs a positive lower bound", key=key, value=value, hint="raise it, or drop 'log'"
        )
    if isinstance(lower, Integral) and isinstance(upper, Integral):
        check_whole(key, lower, upper)
        return UniformIntegerHyperparameter(key, int(lower), int(upper), log=is_log)
    _check_decimals(key, value)
    return UniformFloatHyperparameter(key, float(lower), float(upper), log=is_log)


def _check_decimals(key: str, value: tuple[Any, ...]) -> None:
    if not all(survives_rounding(float(bound)) for bound in value[:2]):
        raise SpaceError(
            f"ConfigSpace rounds to {DECIMALS} decimals, which would change a bound this small or large",
            key=key,
            value=value,
            hint="express the parameter in another unit",
        )


def _bounds(key: str, value: tuple[Any, ...]) -> tuple[Any, Any, bool]:
    bounds, scale = value[:2], value[2:]
    if len(bounds) < 2 or scale not in ((), ("log",)) or not all(_is_number(bound) for bound in bounds):
        choices = len(value) > 0 and not _is_number(value[0])
        hint = f"write choices as a list: {list(value)!r}" if choices else ACCEPTED
        raise SpaceError("a tuple must be a range", key=key, value=value, hint=hint)
    return bounds[0], bounds[1], bool(scale)


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_) and isfinite(value)
