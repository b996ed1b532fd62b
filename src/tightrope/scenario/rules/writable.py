"""What neither PCS files nor those of irace can say."""

from ConfigSpace import ConfigurationSpace
from ConfigSpace.conditions import Conjunction, NotEqualsCondition

from tightrope.errors import SpaceError


def refuse_unsayable(space: ConfigurationSpace) -> None:
    """Refuse a parameter that is active because another is not: in files, no comparison holds for that."""
    conditional = set(space.conditional_hyperparameters)
    for condition in space.conditions:
        for part in condition.dlcs if isinstance(condition, Conjunction) else (condition,):
            if isinstance(part, NotEqualsCondition) and part.parent.name in conditional:
                raise SpaceError(
                    f"{part} holds if {part.parent.name!r} is inactive, which files cannot say",
                    key=part.child.name,
                    hint="use an InCondition with the other values",
                )
