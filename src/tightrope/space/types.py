"""The types of parameters. A new one is a module with a `ParameterType`, and its name in `TYPES`."""

from collections.abc import Mapping
from typing import Any, Final

from ConfigSpace.hyperparameters import Hyperparameter

from tightrope.errors import SpaceError
from tightrope.space.choice import CATEGORICAL, CONSTANT, ORDINAL
from tightrope.space.column import Column
from tightrope.space.number import FLOAT, INTEGER
from tightrope.space.parameter_type import ParameterType

TYPES: Final = (FLOAT, INTEGER, CATEGORICAL, ORDINAL, CONSTANT)
KINDS: Final = tuple(each.kind for each in TYPES)
_BY_CLASS: Final[Mapping[type, ParameterType]] = {each.of: each for each in TYPES}


def type_of(parameter: Hyperparameter[Any, Any]) -> ParameterType:
    """Return the type of a parameter: that of its class, or else of the nearest base class."""
    found = next((_BY_CLASS[each] for each in type(parameter).__mro__ if each in _BY_CLASS), None)
    if found is not None:
        return found
    raise SpaceError(
        f"parameters of type {type(parameter).__name__} are not supported",
        key=parameter.name,
        hint=f"use {', '.join(KINDS[:-1])} or {KINDS[-1]} parameters of ConfigSpace",
    )


def read_column(parameter: Hyperparameter[Any, Any]) -> Column:
    """Return the column of a parameter."""
    return type_of(parameter).column(parameter)
