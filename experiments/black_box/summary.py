"""Expected cost to success of each arm on each problem, and ratios between arms.

=========  ==========================================================================================
symbol     meaning
=========  ==========================================================================================
ERT        expected running total: the total spent over all seeds, divided by the number of successes;
           the mean cost to succeed if failed attempts are repeated
ratio      ratio of two arms' ERT on the same problem and seeds
=========  ==========================================================================================

Intervals come from resampling the seeds, in pairs where two arms are compared.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from lib.tables import Row
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_RESAMPLES = 2000
_COVERED = (0.025, 0.975)


@dataclass(frozen=True, slots=True)
class Attempts:
    """All attempts of an arm on a problem, in the order of their seeds."""

    seeds: NDArray[np.intp]
    spent: Floats
    hit: Floats

    def only(self, seeds: NDArray[np.intp]) -> "Attempts":
        """Keep the attempts with these seeds."""
        kept = np.isin(self.seeds, seeds)
        return Attempts(self.seeds[kept], self.spent[kept], self.hit[kept])

    def ert(self, drawn: NDArray[np.intp] | None = None) -> Floats:
        """Return the ERT of all attempts or, for each row of `drawn`, of the drawn attempts."""
        spent, hit = (part if drawn is None else part[drawn] for part in (self.spent, self.hit))
        with np.errstate(divide="ignore"):
            return np.asarray(spent.sum(axis=-1) / hit.sum(axis=-1))


@dataclass(frozen=True, slots=True)
class Interval:
    """A value, and the 95 % interval of its bootstrap distribution."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3g} [{self.low:.3g}, {self.high:.3g}]"


def collect(rows: Iterable[Row], *, tolerance: float) -> dict[str, dict[str, Attempts]]:
    """Group attempts by problem and arm."""
    found: dict[str, dict[str, dict[int, tuple[float, float]]]] = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        attempt = float(row[f"spent_{tolerance:g}"]), float(row[f"hit_{tolerance:g}"])
        found[row["problem"]][row["arm"]][int(row["seed"])] = attempt
    return {
        problem: {arm: _in_order(attempts) for arm, attempts in arms.items()}
        for problem, arms in found.items()
    }


def _in_order(attempts: Mapping[int, tuple[float, float]]) -> Attempts:
    seeds = sorted(attempts)
    spent, hit = np.array([attempts[seed] for seed in seeds]).T
    return Attempts(np.array(seeds), spent, hit)


def ert(attempts: Attempts) -> Interval:
    """Return the ERT of an arm; the interval is infinite where resampling leaves no success."""
    return _interval(float(attempts.ert()), attempts.ert(_draw(attempts.spent.size)))


def ratio(arm: Attempts, base: Attempts) -> Interval:
    """Return the ERT of an arm as a share of the base's."""
    return pooled_ratio([(arm, base)])


def pooled_ratio(pairs: Iterable[tuple[Attempts, Attempts]]) -> Interval:
    """Return the geometric mean over problems of an arm's ERT over the base's, on the seeds of both."""
    pairs = [(arm.only(base.seeds), base.only(arm.seeds)) for arm, base in pairs]
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(np.exp(np.mean([np.log(arm.ert() / base.ert()) for arm, base in pairs])))
        logs = []
        for arm, base in pairs:
            drawn = _draw(arm.seeds.size)
            logs.append(np.log(arm.ert(drawn) / base.ert(drawn)))
        return _interval(value, np.exp(np.mean(logs, axis=0)))


def _interval(value: float, resampled: Floats) -> Interval:
    known = resampled[~np.isnan(resampled)]
    low, high = np.quantile(known, _COVERED, method="nearest") if known.size else (np.nan, np.nan)
    return Interval(value, float(low), float(high))


def _draw(n: int) -> NDArray[np.intp]:
    return np.random.default_rng(0).integers(n, size=(_RESAMPLES, n))
