"""Which spaces and parameters file formats can express; what a format does not know, it refuses."""

import numpy as np
from ConfigSpace import ConfigurationSpace
from ConfigSpace import hyperparameters as hp
from ConfigSpace.conditions import Conjunction, NotEqualsCondition

from tightrope.errors import SpaceError
from tightrope.scenario.rules.parameters import Parameter
from tightrope.space.types import type_of


def require_writable(space: ConfigurationSpace) -> None:
    """Raise an error if a condition holds for an inactive parent: in files, no comparison does."""
    conditional = set(space.conditional_hyperparameters)
    for condition in space.conditions:
        for part in condition.dlcs if isinstance(condition, Conjunction) else (condition,):
            if isinstance(part, NotEqualsCondition) and part.parent.name in conditional:
                raise SpaceError(
                    f"{part} holds if {part.parent.name!r} is inactive, which files cannot express",
                    key=part.child.name,
                    hint="use an InCondition with the other values",
                )


def uniform_kind(parameter: Parameter) -> str | None:
    """Return the kind of a parameter; None if its distribution is not uniform, which no format supports."""
    if isinstance(parameter, hp.CategoricalHyperparameter):
        is_uniform = bool(np.ptp(parameter.probabilities) == 0.0)
    else:
        is_uniform = type_of(parameter).prior(parameter) is None
    return type_of(parameter).kind if is_uniform else None


def refuse(parameter: Parameter, *, file: str) -> SpaceError:
    """Return the error for a parameter that a format, such as "PCS files", does not support."""
    if uniform_kind(parameter) is None:
        return SpaceError(
            f"{file} support uniform distributions only",
            key=parameter.name,
            hint="remove the weights or the distribution",
        )
    return SpaceError(
        f"{file} do not support {type_of(parameter).kind} parameters",
        key=parameter.name,
        hint="use another format or another type",
    )
