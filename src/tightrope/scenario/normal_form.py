"""Nested 'and' and 'or' as alternatives, for formats that know no parentheses."""

from itertools import product
from typing import Any

from tightrope.errors import SpaceError

_MAX_ALTERNATIVES = 1000


def alternatives(rule: Any, *, all_of: type[Any], any_of: type[Any]) -> list[tuple[Any, ...]]:
    """Return the alternatives of which one must hold, each with the parts that must all hold.

    Parameters
    ----------
    rule : Condition, Conjunction or forbidden clause
        A rule of ConfigSpace, simple or joined.
    all_of, any_of : type
        Its classes for 'and' and 'or', whose `components` are joined.
    """
    if isinstance(rule, any_of):
        nested = [alternatives(part, all_of=all_of, any_of=any_of) for part in rule.components]
        found = [term for terms in nested for term in terms]
    elif isinstance(rule, all_of):
        nested = [alternatives(part, all_of=all_of, any_of=any_of) for part in rule.components]
        found = []
        for combination in product(*nested):
            _refuse_many(len(found), rule)
            found.append(tuple(part for term in combination for part in term))
    else:
        return [(rule,)]
    _refuse_many(len(found), rule)
    return found


def _refuse_many(count: int, rule: Any) -> None:
    if count > _MAX_ALTERNATIVES:
        raise SpaceError(
            f"more than {_MAX_ALTERNATIVES} alternatives without parentheses: {str(rule)[:80]} ...",
            hint="write the rule with fewer alternatives",
        )
