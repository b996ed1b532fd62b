"""The tail of the incumbents' costs: what a run costs that was unsolved when it was stopped."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import log

from tightrope.race.objective import Objective, Score

_DEPTH = 8.0  # costs above the working ceiling divided by this show the tail
_PRIOR = 2.0  # ends of runs, over as many units of log cost: an index of 1, which is a heavy tail
_NEAR_ONE = 1e-6


@dataclass(frozen=True, slots=True)
class Tail:
    """A power law: the chance that a run unsolved at b is unsolved at x is (b / x) ** index."""

    index: float = 1.0

    @classmethod
    def of(cls, scores: Iterable[Score], *, ceiling: float, working: float) -> "Tail":
        """Estimate the index from runs that were stopped at different bounds.

        Far out, log costs are exponentially distributed: the index is the number of runs that ended, divided
        by the log cost that all runs went through.
        """
        low = working / _DEPTH
        ended = passed = _PRIOR
        for score in scores:
            if score.cost > low:
                passed += log(min(score.cost, ceiling) / low)
                ended += score.exact and score.cost < ceiling
        return cls(ended / passed)

    def expected(self, bound: float, objective: Objective) -> float:
        """Return the expected objective cost of a run that is unsolved at a bound below the ceiling.

        It is the integral of the chance up to the ceiling, and the penalty of runs that reach it.
        """
        ratio, rest = objective.ceiling / bound, self.index - 1.0
        above: float = log(ratio) if abs(rest) < _NEAR_ONE else (1.0 - ratio**-rest) / rest
        penalty: float = (objective.par - 1.0) * objective.ceiling * ratio**-self.index
        return bound * (1.0 + above) + penalty
