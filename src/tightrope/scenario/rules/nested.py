"""A space with deeply nested conditions, which ConfigSpace itself would take hours to arrange."""

from collections.abc import Iterable, Sequence

from ConfigSpace import ConfigurationSpace
from ConfigSpace.conditions import ConditionLike

from tightrope.scenario.rules.parameters import Parameter


class NestedSpace(ConfigurationSpace):
    """A ConfigSpace that lists its conditions, parents first, without arranging them in its own graph.

    `tightrope.space.Space`, and all writers, go by this list. ConfigSpace's own sampling, and its default
    configuration, take every parameter as active; so a default that is forbidden in inactive parameters only
    is refused.

    Parameters
    ----------
    parameters : iterable of Hyperparameter
        All parameters.
    nested : iterable of condition
        The conditions; those of a parent come before those of its children.
    """

    def __init__(self, parameters: Iterable[Parameter], nested: Iterable[ConditionLike]) -> None:
        super().__init__()
        self.nested = list(nested)
        self.add(list(parameters))

    @property
    def conditions(self) -> Sequence[ConditionLike]:
        """All conditions, those of parents first."""
        return self.nested

    @property
    def conditional_hyperparameters(self) -> Sequence[str]:
        """Names of the parameters that have a condition."""
        return [condition.child.name for condition in self.nested]

    @property
    def unconditional_hyperparameters(self) -> Sequence[str]:
        """Names of the parameters that are always active."""
        conditional = set(self.conditional_hyperparameters)
        return [name for name in self if name not in conditional]
