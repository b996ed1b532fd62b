"""How many times less one config costs than another on the same tasks, and between which limits that lies.

| symbol | meaning | shape |
| --- | --- | --- |
| one, other | sums of charges of each instance | (n,) |
| ratio | sum of other / sum of one: the speed-up | |
| weights | how often a resample holds each instance | (RESAMPLES, n) |
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import inf, nan, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, stdtrit

from tightrope.race.objective import Score

Floats = NDArray[np.float64]

CONFIDENCE = 0.95
RESAMPLES = 4000
_CHUNK = 2_000_000  # weights held at once


class Kind(Enum):
    """What the speed-up is: a number, a limit of it, or nothing at all."""

    EXACT = "exact"
    AT_LEAST = "at least"  # the other's cost is only known to exceed a bound
    AT_MOST = "at most"  # the one's is
    OPEN = "open"  # both are, or there is nothing to compare


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """Two configs on the same tasks: never a ratio where there is only a bound.

    Attributes
    ----------
    speedup : float
        How many times less the one costs than the other, all tasks together; nan if it is open.
    kind : Kind
        Whether that is a number or a limit.
    low, high : float
        Interval of 95 % confidence, by resampling instances; nan with fewer than two. Of a lower limit only
        `low` is known, and `high` is inf; of an upper one only `high`, and `low` is 0.
    n_instances : int
        How many instances the speed-up rests on: those on which at least one of the two is known.
    n_unsolved : int
        On how many neither is known; they tell nothing.
    n_better, n_worse : int
        On how many instances the one costs less than the other for sure, or more.
    """

    speedup: float
    kind: Kind
    low: float
    high: float
    n_instances: int
    n_unsolved: int
    n_better: int
    n_worse: int

    @property
    def is_sure(self) -> bool:
        """Whether the one costs less, or more, with the confidence of the interval."""
        return self.low > 1.0 or self.high < 1.0


def compare_paired(
    one: Sequence[Score],
    other: Sequence[Score],
    *,
    ceiling: float,
    instances: Sequence[Hashable] | None = None,
    resolution: float = 0.0,
) -> PairedComparison:
    """Compare two configs on the same tasks, given in the same order.

    Parameters
    ----------
    one, other : sequence of Score
        What is known of each on each task; a failure counts like a run that reached the ceiling.
    ceiling : float
        Where runs are stopped.
    instances : sequence or None, default=None
        The instance of each task: tasks of one instance are resampled together. None: all differ.
    resolution : float, default=0
        Differences up to this are no differences.

    Examples
    --------
    >>> fast = [Score(1.0, exact=True), Score(2.0, exact=True), Score(2.0, exact=True)]
    >>> slow = [Score(3.0, exact=True), Score(4.0, exact=True), Score(9.0, exact=False)]
    >>> found = compare_paired(fast, slow, ceiling=9.0)
    >>> found.kind.value, found.speedup, found.n_better
    ('at least', 3.2, 3)
    """
    groups = range(len(one)) if instances is None else instances
    mine, mine_known = _by_instance(one, groups, ceiling)
    theirs, theirs_known = _by_instance(other, groups, ceiling)
    told = mine_known | theirs_known
    n_unsolved = int((~told).sum())
    mine, theirs = mine[told], theirs[told]
    mine_known, theirs_known = mine_known[told], theirs_known[told]
    kind = _kind(mine_known, theirs_known)
    speedup, low, high = _estimate(mine, theirs, kind)
    return PairedComparison(
        speedup,
        kind,
        low=low,
        high=high,
        n_instances=len(mine),
        n_unsolved=n_unsolved,
        n_better=int((mine_known & (theirs - mine > resolution)).sum()),
        n_worse=int((theirs_known & (mine - theirs > resolution)).sum()),
    )


def _by_instance(
    scores: Sequence[Score], groups: Sequence[Hashable], ceiling: float
) -> tuple[Floats, NDArray[np.bool_]]:
    """Add up each instance's charges; whether all of them are known."""
    numbers = {group: i for i, group in enumerate(dict.fromkeys(groups))}
    sums, known = np.zeros(len(numbers)), np.ones(len(numbers), dtype=bool)
    for score, group in zip(scores, groups, strict=True):
        sums[numbers[group]] += min(score.cost, ceiling)
        known[numbers[group]] &= score.exact and score.cost < ceiling
    return sums, known


def _kind(mine_known: NDArray[np.bool_], theirs_known: NDArray[np.bool_]) -> Kind:
    if not len(mine_known) or not (mine_known.all() or theirs_known.all()):
        return Kind.OPEN
    if mine_known.all() and theirs_known.all():
        return Kind.EXACT
    return Kind.AT_LEAST if mine_known.all() else Kind.AT_MOST


def _estimate(mine: Floats, theirs: Floats, kind: Kind) -> tuple[float, float, float]:
    if kind is Kind.OPEN:
        return nan, nan, nan
    low, high = _interval(mine, theirs)
    if kind is Kind.AT_LEAST:
        high = inf if low == low else nan
    if kind is Kind.AT_MOST:
        low = 0.0 if high == high else nan
    return float(_ratio(mine.sum(), theirs.sum())), low, high


def _interval(mine: Floats, theirs: Floats) -> tuple[float, float]:
    """Resample instances; the percentiles are widened as Student's t is wider than the normal.

    Plain percentiles of the bootstrap are too narrow for few instances (Hesterberg 2015, "What teachers
    should know about the bootstrap", section 5.3, calls the widened ones expanded percentiles).
    """
    n = len(mine)
    if n < 2:
        return nan, nan
    rng = np.random.default_rng(0)
    ratios = np.concatenate([_resampled(mine, theirs, size, rng) for size in _chunks(n)])
    tail = float(ndtr(sqrt(n / (n - 1)) * stdtrit(n - 1, (1.0 - CONFIDENCE) / 2.0)))
    low, high = np.quantile(ratios, [tail, 1.0 - tail], method="inverted_cdf")
    return float(low), float(high)


def _chunks(n: int) -> list[int]:
    size = max(1, min(RESAMPLES, _CHUNK // n))
    return [min(size, RESAMPLES - start) for start in range(0, RESAMPLES, size)]


def _resampled(mine: Floats, theirs: Floats, size: int, rng: np.random.Generator) -> Floats:
    n = len(mine)
    weights = rng.multinomial(n, np.full(n, 1.0 / n), size=size)
    return _ratio(weights @ mine, weights @ theirs)


def _ratio(mine: Floats, theirs: Floats) -> Floats:
    """Divide; two that cost nothing cost the same, and nothing is infinitely less than something."""
    mine, theirs = np.asarray(mine, dtype=np.float64), np.asarray(theirs, dtype=np.float64)
    equal = np.where(theirs > 0, inf, 1.0)
    return np.divide(theirs, mine, out=equal, where=mine > 0)
