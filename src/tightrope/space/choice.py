"""Categorical and ordinal parameters, and constants."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from ConfigSpace.hyperparameters import (
    CategoricalHyperparameter,
    Constant,
    Hyperparameter,
    OrdinalHyperparameter,
)

from tightrope.space.column import Column
from tightrope.space.parameter_type import ParameterType, Prior
from tightrope.space.scale import Floats


@dataclass(frozen=True, slots=True, eq=False)
class WeightedLevels:
    """Levels with given probabilities."""

    probabilities: Floats

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw n levels."""
        return rng.choice(len(self.probabilities), size=n, p=self.probabilities).astype(np.float64)


def _categorical(parameter: CategoricalHyperparameter) -> Column:
    return level_column(parameter, tuple(parameter.choices), kind="categorical", is_categorical=True)


def _ordinal(parameter: OrdinalHyperparameter) -> Column:
    levels = tuple(parameter.sequence)
    if len(levels) == 1:
        return level_column(parameter, levels, kind="constant")
    return level_column(parameter, levels, kind="ordinal", is_ordinal=True)


def _constant(parameter: Constant) -> Column:
    return level_column(parameter, (parameter.value,), kind="constant")


def level_column(
    parameter: Hyperparameter[Any, Any],
    levels: tuple[Any, ...],
    *,
    kind: str,
    is_categorical: bool = False,
    is_ordinal: bool = False,
) -> Column:
    """Return a column that stores values by their index."""
    return Column(
        name=parameter.name,
        kind=kind,
        lower=0.0,
        upper=len(levels) - 1.0,
        default=float(levels.index(parameter.default_value)),
        levels=levels,
        is_categorical=is_categorical,
        is_ordinal=is_ordinal,
    )


def _weights(parameter: CategoricalHyperparameter) -> Prior | None:
    return None if parameter.weights is None else WeightedLevels(parameter.probabilities)


CATEGORICAL: Final = ParameterType("categorical", CategoricalHyperparameter, _categorical, _weights)
ORDINAL: Final = ParameterType("ordinal", OrdinalHyperparameter, _ordinal)
CONSTANT: Final = ParameterType("constant", Constant, _constant)
