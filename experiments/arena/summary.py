"""What the attempts of each arm came to, and which arms are worse than the best.

As in the paper's table, arms are compared by the Mann-Whitney U test: one is significantly worse if the
chance of costs so much higher than the other's is below 5 %, were both the same.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import mannwhitneyu
from table import Row

from arena.arms import ARMS

Floats = NDArray[np.float64]
Contest = tuple[str, str]  # arena, plan

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
        """Return those of a sample."""
        return cls(*(float(each) for each in np.quantile(values, [0.25, 0.5, 0.75])))

    def __str__(self) -> str:
        return f"{self.median:.3g} [{self.low:.3g}, {self.high:.3g}]"


def collect(rows: Iterable[Row], *, key: str = "test_cost") -> dict[Contest, dict[str, Floats]]:
    """Group one number of all attempts by contest and arm, each arm's in the order of the seeds.

    Arms come in the order of ARMS; others follow as they are found.
    """
    found: dict[Contest, dict[str, dict[int, float]]] = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        found[row["arena"], row["plan"]][row["arm"]][int(row["seed"])] = float(row[key])
    return {
        contest: {
            arm: np.array([arms[arm][seed] for seed in sorted(arms[arm])])
            for arm in sorted(arms, key=lambda arm: _PLACES.get(arm, len(ARMS)))
        }
        for contest, arms in found.items()
    }


def chance_of_being_no_worse(arm: Floats, other: Floats) -> float:
    """Return the p value of the claim that the arm costs more than the other."""
    if np.ptp(np.concatenate([arm, other])) == 0.0:  # the test's statistic has no spread then
        return 1.0
    return float(mannwhitneyu(arm, other, alternative="greater").pvalue)


def best_of(arms: Mapping[str, Floats]) -> str:
    """Return the arm with the smallest median; of equals, that with the smallest mean."""
    return min(arms, key=lambda arm: (np.median(arms[arm]), arms[arm].mean()))


def find_good(arms: Mapping[str, Floats]) -> set[str]:
    """Return the arms that are not significantly worse than the best."""
    best = arms[best_of(arms)]
    return {arm for arm, costs in arms.items() if chance_of_being_no_worse(costs, best) >= SIGNIFICANT}
