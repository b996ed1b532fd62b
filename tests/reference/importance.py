"""Functional analysis of variance by enumeration: a function on the unit cube, constant on a grid's cells."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Function = Callable[[Floats], Floats]
"""From points of the cube, shape (n, d), to values, shape (n,)."""

_BISECTIONS = 60


@dataclass(frozen=True)
class Decomposition:
    mean: float
    total: float
    main: Floats  # (d,)
    local: Floats  # (d,)
    pairs: dict[tuple[int, int], float]


def decompose(function: Function, ends: Sequence[Floats], *, home: Floats) -> Decomposition:
    """Decompose the variance of a function whose cells along axis j end at `ends[j]`; the last end is 1.

    `home` is the point through which the local variances are taken.
    """
    widths = [np.diff(end, prepend=0.0) for end in ends]
    middles = [end - width / 2 for end, width in zip(ends, widths, strict=True)]
    points = np.array(list(product(*middles)))
    values = function(points).reshape([len(each) for each in middles])
    mean = _mean(values, widths)
    total = _mean(np.square(values - mean), widths)
    d = len(ends)
    mains = [_mean_given(values, widths, (j,)) - mean for j in range(d)]
    pairs = {}
    for a in range(d):
        for b in range(a + 1, d):
            joint = _mean_given(values, widths, (a, b)) - mean - mains[a][:, None] - mains[b][None, :]
            pairs[a, b] = _mean(np.square(joint), [widths[a], widths[b]])
    main = [_mean(np.square(effect), [widths[j]]) for j, effect in enumerate(mains)]
    local = [_variance_along(function, middles[j], widths[j], home=home, j=j) for j in range(d)]
    return Decomposition(mean, total, np.array(main), np.array(local), pairs)


def ends_of(is_below: Sequence[Callable[[Floats], Any]]) -> Floats:
    """Return the ends of the cells that these conditions divide [0, 1] into; each holds up to some point."""
    found = [point for holds in is_below if 0.0 < (point := _last(holds)) < 1.0]
    ends = np.unique([*found, 1.0])
    return ends[np.diff(ends, prepend=0.0) > 1e-12]


def _last(holds: Callable[[Floats], Any]) -> float:
    """Return the point of [0, 1] up to which a condition holds, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if bool(holds(np.array([middle]))[0]) else (low, middle)
    return low if low > 2e-16 else 0.0


def _mean(values: Floats, widths: Sequence[Floats]) -> float:
    for width in reversed(widths):
        values = values @ width
    return float(values)


def _mean_given(values: Floats, widths: Sequence[Floats], kept: tuple[int, ...]) -> Floats:
    for j in reversed(range(len(widths))):
        if j not in kept:
            values = np.tensordot(values, widths[j], axes=(j, 0))
    return values


def _variance_along(function: Function, middles: Floats, widths: Floats, *, home: Floats, j: int) -> float:
    points = np.tile(home, (len(middles), 1))
    points[:, j] = middles
    values = function(points)
    return float(np.square(values - values @ widths) @ widths)


def condition_values(space: Any) -> Iterator[tuple[str, Any]]:
    """Yield the name of each parent and each value that a condition of a ConfigSpace space mentions."""
    waiting = list(space.conditions)
    while waiting:
        condition = waiting.pop()
        if hasattr(condition, "components"):
            waiting += condition.components
            continue
        for value in getattr(condition, "values", [condition.value]):
            yield condition.parent.name, value
