"""How many runs were under way at once, and so how long workers were idle.

The settings of a run folder have the number of workers of the last session. If a tuning was resumed with
another number, the earlier one is inferred from the runs: part by part of the time, as the largest number
that were under way at once for more than a moment.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tightrope.report.tuning import Tuning

Floats = NDArray[np.float64]

_N_PARTS = 16
_N_EVIDENT = 3  # parts at the beginning
_MOMENT = 0.02  # of a part: starts and ends are not measured on one clock, so that runs seem to overlap


@dataclass(frozen=True, slots=True)
class Idle:
    """The idle share of the workers' time; `is_estimate` if the number of workers had to be inferred."""

    share: float
    is_estimate: bool


def is_timed(tuning: Tuning) -> bool:
    """Whether it is known when runs began and ended."""
    timed = len(tuning.history) and tuning.columns.wall_s.any() and np.isfinite(tuning.began_s).all()
    return bool(timed)


def ends_s(tuning: Tuning) -> Floats:
    """Return when each run ended, on the tuning's clock."""
    return np.asarray(tuning.began_s + np.maximum(tuning.columns.wall_s, 0.0), dtype=np.float64)


def idle(tuning: Tuning) -> Idle | None:
    """Return the share of the workers' time in which no run was under way; None if times are unknown."""
    if not is_timed(tuning):
        return None
    found = most_at_once(tuning)
    busy_s = float(tuning.columns.wall_s.sum())
    is_estimate = any(n != tuning.slots for n in found)
    whole_s = _end_s(tuning) * (float(np.mean(found)) if is_estimate else tuning.slots)
    return Idle(1.0 - min(1.0, busy_s / whole_s), is_estimate)


def most_at_once(tuning: Tuning) -> list[int]:
    """Return how many runs were under way at once in each part of the time.

    The number of workers is the same in all parts, unless there is evidence of another one.
    """
    edges = np.linspace(0.0, _end_s(tuning), _N_PARTS + 1)
    found = [_most_within(tuning, low, high) for low, high in pairwise(edges.tolist())]
    fewer = [n < tuning.slots for n in found]
    # One part with few runs may be the end of the tuning, or one slow run; a resume changes several.
    began_with_fewer = all(fewer[:_N_EVIDENT]) and not all(fewer)
    if max(found) <= tuning.slots and not began_with_fewer:
        return [tuning.slots] * _N_PARTS
    return [max(1, n) for n in found]


def _end_s(tuning: Tuning) -> float:
    return max(tuning.wall_s, float(ends_s(tuning).max()))


def _most_within(tuning: Tuning, low: float, high: float) -> int:
    """Return the largest number of runs under way at once for more than a moment of this part."""
    begins, ends = np.clip(tuning.began_s, low, high), np.clip(ends_s(tuning), low, high)
    inside = ends > begins
    times = np.concatenate([begins[inside], ends[inside]])
    steps = np.repeat([1, -1], np.count_nonzero(inside))
    order = np.lexsort((steps, times))
    counts, times = np.cumsum(steps[order]), times[order]
    lasting = np.bincount(counts[:-1], weights=np.diff(times)) if times.size else np.zeros(1)
    at_least = np.cumsum(lasting[::-1])[::-1]  # time with this many runs or more
    return int(np.flatnonzero(at_least > _MOMENT * (high - low)).max(initial=0))


def busy_until(moments: Floats, edges: Floats) -> Floats:
    """Return the sum over moments of the time between each and every edge, if it came before."""
    ordered = np.sort(moments)
    count = np.searchsorted(ordered, edges, side="right")
    sums = np.concatenate([[0.0], np.cumsum(ordered)])[count]
    return np.asarray(count * edges - sums, dtype=np.float64)
