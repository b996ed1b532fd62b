"""The description of a type of parameter: all that a space needs to know about it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from ConfigSpace.hyperparameters import Hyperparameter

from tightrope.space.column import Column
from tightrope.space.scale import Floats


class Prior(Protocol):
    """A distribution that is not uniform over a column's scale."""

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw n native values."""
        ...


def _uniform(parameter: Any) -> None:
    """Return no prior."""


@dataclass(frozen=True, slots=True)
class ParameterType:
    """A type of parameter; `space/types.py` lists them all.

    Attributes
    ----------
    kind : str
        Its name.
    of : type
        The class of such parameters: a class of ConfigSpace, or one derived from it.
    column : callable
        Returns the column of a parameter.
    prior : callable
        Returns the distribution of a parameter; None if it is uniform over the column's scale.
    """

    kind: str
    of: type[Hyperparameter[Any, Any]]
    column: Callable[[Any], Column]
    prior: Callable[[Any], Prior | None] = _uniform
