"""Disjunctive normal form of nested 'and' and 'or', for formats without parentheses."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

from tightrope.errors import SpaceError

_MAX_ALTERNATIVES = 1000


@dataclass(frozen=True, slots=True)
class Joins:
    """The ConfigSpace classes that join rules of one kind; their `components` are the parts."""

    all_of: type[Any]
    any_of: type[Any]
    is_atomic: Callable[[Any], bool] = lambda rule: False  # whether to keep a joined rule in one piece

    def alternatives(self, rule: Any) -> list[tuple[Any, ...]]:
        """Return the alternatives, one of which must hold. All parts of an alternative must hold."""
        if self.is_atomic(rule) or not isinstance(rule, (self.all_of, self.any_of)):
            return [(rule,)]
        nested = [self.alternatives(part) for part in rule.components]
        if isinstance(rule, self.any_of):
            found = [term for terms in nested for term in terms]
        else:
            found = []
            for combination in product(*nested):
                _refuse_many(len(found))
                found.append(tuple(part for term in combination for part in term))
        _refuse_many(len(found))
        return found


def _refuse_many(count: int) -> None:
    if count > _MAX_ALTERNATIVES:
        raise SpaceError(
            f"more than {_MAX_ALTERNATIVES} alternatives when written without parentheses",
            hint="simplify the rule",
        )
