"""One parameter of a space: which numbers stand for its values."""

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
DECIMALS = 13  # of a float are kept by ConfigSpace
_ROUNDING = 1e-6  # relative change of a float that we let pass
_LARGEST_WHOLE = 2**53  # all smaller whole numbers are float64s
_MAX_LEVELS_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Column:
    """One parameter. `levels` are the values whose index is stored; None if numbers are stored themselves."""

    name: str
    lower: float
    upper: float
    default: float
    levels: tuple[Any, ...] | None = None
    is_log: bool = False
    is_whole: bool = True
    is_categorical: bool = False

    def code(self, value: Any) -> float:
        """Return the number that stands for a value."""
        if self.levels is not None:
            return self._level(value)
        if isinstance(value, Real) and not isinstance(value, bool | np.bool_):
            number = float(value)
            if self.lower <= number <= self.upper and (number.is_integer() or not self.is_whole):
                return number
        raise self.refuse(value)

    def value(self, code: float) -> Any:
        """Return the value that a number of this column stands for."""
        if self.levels is not None:
            return self.levels[int(code)]
        return int(code) if self.is_whole else code

    @property
    def kind(self) -> str:
        """What sort of parameter it is, in a word."""
        if self.levels is None:
            return "integer" if self.is_whole else "float"
        if self.is_categorical:
            return "categorical"
        return "ordinal" if len(self.levels) > 1 else "constant"

    @property
    def accepted(self) -> str:
        """What it accepts, in words."""
        if self.levels is None:
            kind = "an integer" if self.is_whole else "a number"
            return f"{kind} from {self.value(self.lower)!r} to {self.value(self.upper)!r}"
        shown = [repr(level) for level in self.levels[:_MAX_LEVELS_SHOWN]]
        if len(self.levels) > len(shown):
            shown.append(f"... ({len(self.levels)} in all)")
        return f"one of {', '.join(shown)}" if len(self.levels) > 1 else f"the constant {shown[0]}"

    def refuse(self, value: Any) -> SpaceError:
        """Return the error for a value that is none of its own."""
        return SpaceError(
            "not a value of this parameter", key=self.name, value=value, hint=f"accepted: {self.accepted}"
        )

    def _level(self, value: Any) -> float:
        assert self.levels is not None
        try:
            return float(self.levels.index(value))
        except ValueError:
            raise self.refuse(value) from None


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
        f"a parameter of the kind {type(parameter).__name__} is unknown",
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
    """Refuse integers that are not numbers of a row."""
    if max(-lower, upper) > _LARGEST_WHOLE:
        raise SpaceError(
            "integers beyond 2^53 cannot be told apart as floating-point numbers",
            key=name,
            value=(lower, upper),
            hint="use narrower bounds, or a float parameter",
        )


def survives_rounding(number: float) -> bool:
    """Tell whether ConfigSpace, which rounds floats, would leave one practically as it is."""
    with np.errstate(over="ignore"):  # it scales large numbers to infinity
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
