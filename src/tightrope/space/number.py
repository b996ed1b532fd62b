"""Float and integer parameters."""

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from ConfigSpace.hyperparameters import (
    FloatHyperparameter,
    IntegerHyperparameter,
    NumericalHyperparameter,
    UniformFloatHyperparameter,
    UniformIntegerHyperparameter,
)

from tightrope.errors import SpaceError
from tightrope.space.column import Column
from tightrope.space.parameter_type import ParameterType, Prior
from tightrope.space.scale import Floats

DECIMALS = 13  # to which ConfigSpace rounds floats
_ROUNDING = 1e-6  # relative change of a float that we tolerate
_LARGEST_WHOLE = 2**53  # float64 represents all smaller whole numbers exactly


@dataclass(frozen=True, slots=True, eq=False)
class ConfigSpacePrior:
    """A distribution that ConfigSpace samples: normal or beta."""

    parameter: NumericalHyperparameter[Any, Any]

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw n numbers."""
        state = np.random.RandomState(int(rng.integers(2**32)))
        return np.asarray(self.parameter.sample_value(n, seed=state), dtype=np.float64)


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


def _integer(parameter: IntegerHyperparameter) -> Column:
    check_whole(parameter.name, parameter.lower, parameter.upper)
    return _column(parameter, kind="integer", is_whole=True)


def _float(parameter: FloatHyperparameter) -> Column:
    return _column(parameter, kind="float", is_whole=False)


def _column(parameter: Any, *, kind: str, is_whole: bool) -> Column:
    return Column(
        name=parameter.name,
        kind=kind,
        lower=float(parameter.lower),
        upper=float(parameter.upper),
        default=float(parameter.default_value),
        is_log=bool(parameter.log),
        is_whole=is_whole,
    )


def _prior(parameter: NumericalHyperparameter[Any, Any]) -> Prior | None:
    is_uniform = isinstance(parameter, UniformFloatHyperparameter | UniformIntegerHyperparameter)
    return None if is_uniform else ConfigSpacePrior(parameter)


FLOAT: Final = ParameterType("float", FloatHyperparameter, _float, _prior)
INTEGER: Final = ParameterType("integer", IntegerHyperparameter, _integer, _prior)
