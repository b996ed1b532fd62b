"""How deeply conditions are nested, which ConfigSpace pays for dearly.

It visits every chain of conditions, where each hangs on one before it, directly or not. There are 2^n of them
when n conditions hang on each other in a row, and its time grows as their square: 13 such conditions take ten
seconds, 20 would take two days.
"""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

_MAX_CHAINS = 4096  # which takes about two seconds


def find_too_deep(parents: Mapping[str, AbstractSet[str]], order: Iterable[str]) -> str | None:
    """Return the first child with which there are too many chains of conditions, if any.

    Parameters
    ----------
    parents : mapping from str to set of str
        What each child depends on.
    order : iterable of str
        The children, none before its parents.
    """
    above: dict[str, set[str]] = {}
    chains: dict[str, int] = {}
    for child in order:
        direct = parents[child] & above.keys()
        above[child] = set(direct).union(*(above[parent] for parent in direct))
        chains[child] = 1 + sum(chains[parent] for parent in above[child])
        if sum(chains.values()) > _MAX_CHAINS:
            return child
    return None
