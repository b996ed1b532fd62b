"""Limit on nested conditions, which are very slow in ConfigSpace.

ConfigSpace visits every chain of conditions in which each depends on an earlier one, directly or not. When n
conditions depend on each other in a row there are 2^n chains, and the time grows with their square: 13 such
conditions take ten seconds, 20 would take two days.
"""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

_MAX_CHAINS = 4096  # takes about two seconds


def is_too_deep(parents: Mapping[str, AbstractSet[str]], order: Iterable[str]) -> bool:
    """Return whether the number of chains is too large.

    Parameters
    ----------
    parents : mapping from str to set of str
        The parents of each child.
    order : iterable of str
        The children, parents first.
    """
    above: dict[str, set[str]] = {}
    chains: dict[str, int] = {}
    for child in order:
        direct = parents[child] & above.keys()
        above[child] = set(direct).union(*(above[parent] for parent in direct))
        chains[child] = 1 + sum(chains[parent] for parent in above[child])
        if sum(chains.values()) > _MAX_CHAINS:
            return True
    return False
