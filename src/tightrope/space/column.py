"""One parameter of a space, and the numbers that encode its values."""

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from ConfigSpace.hyperparameters import (
    CategoricalHyperparameter,
    Constant,
    FloatHyperparameter,
    Hyperparameter,
    IntegerHyperparameter,
    OrdinalHyperparameter,
)

from tightrope.errors import SpaceError

KINDS = ("float", "integer", "categorical", "ordinal", "constant")
DECIMALS = 13  # to which ConfigSpace rounds floats
_ROUNDING = 1e-6  # relative change of a float that we tolerate
_LARGEST_WHOLE = 2**53  # float64 represents all smaller whole numbers exactly
_MAX_LEVELS_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Column:
    """One parameter. `levels` are values that are stored by index; None if numbers are stored directly."""

    name: str
    lower: float
    upper: float
    default: float
    levels: tuple[Any, ...] | None = None
    is_log: bool = False
    is_whole: bool = True
    is_categorical: bool = False

    def code(self, value: Any) -> float:
        """Return the number that encodes a value."""
        if self.levels is not None:
            return self._level(value)
        if isinstance(value, Real) and not isinstance(value, bool | np.bool_):
            number = float(value)
            if self.lower <= number <= self.upper and (number.is_integer() or not self.is_whole):
                return number
        raise self._not_a_value(value)

    def value(self, code: float) -> Any:
        """Return the value that a number of this column encodes."""
        if self.levels is not None:
            return self.levels[int(code)]
        return int(code) if self.is_whole else code

    @property
    def kind(self) -> str:
        """Kind of the parameter, one of `KINDS`."""
        if self.levels is None:
            return "integer" if self.is_whole else "float"
        if self.is_categorical:
            return "categorical"
        return "ordinal" if len(self.levels) > 1 else "constant"

    @property
    def accepted(self) -> str:
        """Accepted values, in words."""
        if self.levels is None:
            kind = "an integer" if self.is_whole else "a number"
            return f"{kind} from {self.value(self.lower)!r} to {self.value(self.upper)!r}"
        shown = [repr(level) for level in self.levels[:_MAX_LEVELS_SHOWN]]
        if len(self.levels) > len(shown):
            shown.append(f"... ({len(self.levels)} in all)")
        return f"one of {', '.join(shown)}" if len(self.levels) > 1 else f"the constant {shown[0]}"

    def _not_a_value(self, value: Any) -> SpaceError:
        return SpaceError(
            "not a value of this parameter", key=self.name, value=value, hint=f"accepted: {self.accepted}"
        )

    def _level(self, value: Any) -> float:
        assert self.levels is not None
        try:
            return float(self.levels.index(value))
        except ValueError:
            raise self._not_a_value(value) from None


def read_column(parameter: Hyperparameter[Any, Any]) -> Column:
    """Read a parameter of ConfigSpace."""
    if isinstance(parameter, CategoricalHyperparameter):
        return _levels(parameter, tuple(parameter.choices), is_categorical=True)
    if isinstance(parameter, OrdinalHyperparameter):
        return _levels(parameter, tuple(parameter.sequence))
    if isinstance(parameter, Constant):
        return _levels(parameter, (parameter.value,))
    if isinstance(parameter, IntegerHyperparameter | FloatHyperparameter):
        return _number(parameter)
    raise SpaceError(
        f"parameters of type {type(parameter).__name__} are not supported",
        key=parameter.name,
        hint="use float, integer, categorical, ordinal or constant parameters of ConfigSpace",
    )


def _levels(
    parameter: Hyperparameter[Any, Any], levels: tuple[Any, ...], *, is_categorical: bool = False
) -> Column:
    return Column(
        name=parameter.name,
        lower=0.0,
        upper=len(levels) - 1.0,
        default=float(levels.index(parameter.default_value)),
        levels=levels,
        is_categorical=is_categorical,
    )


def check_whole(name: str, lower: Any, upper: Any) -> None:
    """Raise an error for integers that a row of float64 cannot hold."""
    if max(-lower, upper) > _LARGEST_WHOLE:
        raise SpaceError(
            "integers beyond 2^53 cannot be distinguished as floating-point numbers",
            key=name,
            value=(lower, upper),
            hint="use narrower bounds, or a float parameter",
        )


def survives_rounding(number: float) -> bool:
    """Whether ConfigSpace, which rounds floats, would leave a number practically unchanged."""
    with np.errstate(over="ignore"):  # np.round scales large numbers to infinity
        rounded = float(np.round(number, DECIMALS))
    return math.isclose(rounded, number, rel_tol=_ROUNDING)


def _number(parameter: IntegerHyperparameter | FloatHyperparameter) -> Column:
    is_whole = isinstance(parameter, IntegerHyperparameter)
    if is_whole:
        check_whole(parameter.name, parameter.lower, parameter.upper)
    return Column(
        name=parameter.name,
        lower=float(parameter.lower),
        upper=float(parameter.upper),
        default=float(parameter.default_value),
        is_log=bool(parameter.log),
        is_whole=is_whole,
    )
