"""Results of each arm, and which arms are significantly worse than the best.

As in the paper's table, arms are compared by the one-sided Mann-Whitney U test at a level of 5 %.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import mannwhitneyu

from lib.arena.arms import ARMS
from lib.tables import Row

Floats = NDArray[np.float64]
Group = tuple[str, str]  # arena and plan, within which arms are compared

SIGNIFICANT = 0.05
_PLACES = {arm: place for place, arm in enumerate(ARMS)}


@dataclass(frozen=True, slots=True)
class Quartiles:
    """A median between two quartiles."""

    low: float
    median: float
    high: float

    @classmethod
    def of(cls, values: Floats) -> "Quartiles":
        """Return the quartiles of a sample."""
        return cls(*(float(each) for each in np.quantile(values, [0.25, 0.5, 0.75])))

    def __str__(self) -> str:
        return f"{self.median:.3g} [{self.low:.3g}, {self.high:.3g}]"


def collect(rows: Iterable[Row], *, key: str = "test_cost") -> dict[Group, dict[str, Floats]]:
    """Collect one column by group and arm, in the order of the seeds.

    Arms come in the order of ARMS, then others in the order of the rows.
    """
    found: dict[Group, dict[str, dict[int, float]]] = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        found[row["arena"], row["plan"]][row["arm"]][int(row["seed"])] = float(row[key])
    return {
        group: {
            arm: np.array([arms[arm][seed] for seed in sorted(arms[arm])])
            for arm in sorted(arms, key=lambda arm: _PLACES.get(arm, len(ARMS)))
        }
        for group, arms in found.items()
    }


def p_value_of_worse(arm: Floats, other: Floats) -> float:
    """Return the one-sided p value for the arm costing more than the other."""
    if np.ptp(np.concatenate([arm, other])) == 0.0:  # the test needs some spread
        return 1.0
    return float(mannwhitneyu(arm, other, alternative="greater").pvalue)


def best_of(arms: Mapping[str, Floats]) -> str:
    """Return the arm with the smallest median; ties are broken by the mean."""
    return min(arms, key=lambda arm: (np.median(arms[arm]), arms[arm].mean()))


def find_good(arms: Mapping[str, Floats]) -> set[str]:
    """Return the arms that are not significantly worse than the best."""
    best = arms[best_of(arms)]
    return {arm for arm, costs in arms.items() if p_value_of_worse(costs, best) >= SIGNIFICANT}
