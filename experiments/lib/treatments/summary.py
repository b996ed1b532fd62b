"""Medians over seeds, with bootstrap intervals."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from lib.tables import Row
from lib.treatments.problem import Floats

_RESAMPLES = 2000
_COVERED = (0.025, 0.975)


@dataclass(frozen=True, slots=True)
class Median:
    """A median and its 95 % bootstrap interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3g} [{self.low:.3g}, {self.high:.3g}]"


def median(values: Floats) -> Median:
    """Return the median over seeds; its interval comes from resampling the seeds."""
    drawn = np.random.default_rng(0).integers(values.size, size=(_RESAMPLES, values.size))
    low, high = np.quantile(np.median(values[drawn], axis=1), _COVERED)
    return Median(float(np.median(values)), float(low), float(high))


def collect(rows: Iterable[Row], *, by: tuple[str, ...], measure: str) -> dict[tuple[str, ...], Floats]:
    """Return a measure's values for each group of rows in the order of seeds, so that groups form pairs."""
    groups: dict[tuple[str, ...], dict[int, float]] = defaultdict(dict)
    for row in rows:
        groups[tuple(row[name] for name in by)][int(row["seed"])] = float(row[measure])
    return {group: np.array([values[seed] for seed in sorted(values)]) for group, values in groups.items()}


def summarise(rows: Sequence[Row], *, by: tuple[str, ...], measures: Sequence[str], base: str) -> list[Row]:
    """Return a row for each group and measure: median, and median of the paired difference from the base.

    The base of a group has the same key, but for `base` in the last place.
    """
    summary = []
    for measure in measures:
        groups = collect(rows, by=by, measure=measure)
        for group, values in groups.items():
            whole, beyond = median(values), median(values - groups[(*group[:-1], base)])
            summary.append(
                dict(zip(by, group, strict=True))
                | {"measure": measure, "n_seeds": values.size}
                | {"median": whole.value, "low": whole.low, "high": whole.high}
                | {"beyond_base": beyond.value, "beyond_low": beyond.low, "beyond_high": beyond.high}
            )
    return summary
