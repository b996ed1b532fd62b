"""Check for spaces that none of the file formats can express."""

from ConfigSpace import ConfigurationSpace
from ConfigSpace.conditions import Conjunction, NotEqualsCondition

from tightrope.errors import SpaceError


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
