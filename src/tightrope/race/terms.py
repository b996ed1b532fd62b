"""Terms of the comparisons: what a run counts for, and how far sums over few tasks can be trusted.

=========  ==========================================================================================
symbol     meaning
=========  ==========================================================================================
noise      standard deviation of log(challenger's cost / incumbent's cost) between tasks
n_eff      effective number of tasks, (sum c)^2 / sum c^2 over the incumbent's costs c: how many tasks
           of equal cost would tell as much. Where few tasks make up the mean, it is small
variance   of the log ratio of two sums, noise^2 / n_eff, less the part of all tasks that were run
=========  ==========================================================================================
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import erfc, exp, inf, log, pi, sqrt
from typing import NamedTuple

from tightrope.race.objective import Objective, Score
from tightrope.race.tail import Tail
from tightrope.race.working import has_reached

_NOISE, _PRIOR_NOISE, _PRIOR_WEIGHT = 1.2, 0.6, 6.0
# Sums vary by 1.2 times what log ratios suggest (docs/lab/belief.md); before there are runs, 0.6 is typical.
_DOUBT = 1.0  # mean over variance of the log ratios that are expected of challengers


class Prior(NamedTuple):
    """Belief about the log ratio of a config's cost to the incumbent's before it has run.

    The defaults are for a dropped challenger of which nothing is known.
    """

    mean: float = 0.5
    variance: float = 1.0


_PRIOR = Prior()


@dataclass(frozen=True, slots=True)
class Terms:
    """What the race goes by until it has learned more.

    The terms of the paper are the defaults: no working ceiling below the user's and no noise.
    """

    objective: Objective
    ceiling: float  # the working ceiling
    tail: Tail | None = None
    noise: float = 0.0
    n_tasks: float = inf

    def charge(self, score: Score) -> float:
        """Return what a run counts for in a comparison.

        A run that is unsolved at the working ceiling counts as its expected cost; one that was cut earlier,
        and can be continued, as its bound.
        """
        return self.expect(score) if has_reached(score, self.ceiling) else self.objective.charge(score)

    def expect(self, score: Score) -> float:
        """Return the expected objective cost of a run, given its cost or its bound."""
        is_open = not score.exact and 0.0 < score.cost < self.objective.ceiling
        if self.tail is None or not is_open:
            return self.objective.charge(score)
        return self.tail.expected(score.cost, self.objective)

    def is_settled(self, score: Score) -> bool:
        """Whether there is nothing to learn from running the task again now."""
        return self.objective.is_settled(score) or has_reached(score, self.ceiling)

    def variance(self, costs: Sequence[float]) -> float:
        """Return the variance of the log ratio of sums over tasks on which the incumbent has these costs."""
        total = sum(costs)
        if self.noise == 0.0 or total <= 0.0:
            return 0.0
        seen = 1.0 - len(costs) / self.n_tasks
        return self.noise**2 * seen * sum(cost * cost for cost in costs) / total**2

    def is_convincing(self, challenger: float, incumbent: float, variance: float, *, doubt: float) -> bool:
        """Whether a smaller sum makes the challenger the better one, given that most are worse.

        With the log ratios of challengers normal around a mean above 0, the posterior mean is below 0 if the
        measured one is below -(mean / variance) x the variance of the measurement.
        """
        if challenger >= incumbent:
            return False
        return challenger <= 0.0 or log(challenger / incumbent) <= -doubt * _DOUBT * variance


def estimate_noise(to_beat: Mapping[int, float], others: Iterable[Mapping[int, float]]) -> float:
    """Return the noise, pooled over challengers; costs are by task."""
    squares, freedom = _PRIOR_WEIGHT * _PRIOR_NOISE**2, _PRIOR_WEIGHT
    for costs in others:
        logs = [
            log(cost / to_beat[task])
            for task, cost in costs.items()
            if cost > 0.0 and to_beat.get(task, 0.0) > 0.0
        ]
        if len(logs) > 1:
            mean = sum(logs) / len(logs)
            squares += sum((value - mean) ** 2 for value in logs)
            freedom += len(logs) - 1
    return _NOISE * sqrt(squares / freedom)


def expected_gain(challenger: float, incumbent: float, variance: float, *, prior: Prior = _PRIOR) -> float:
    """Return by how much a second chance would improve log cost on average, if it told everything.

    `variance` is that of the measured log ratio; it is inf if nothing was measured.
    """
    variance = max(variance, 1e-12)
    weight = 1.0 / (1.0 / prior.variance + 1.0 / variance)
    measured = log(max(challenger, 1e-300) / incumbent)
    mean, deviation = weight * (prior.mean / prior.variance + measured / variance), sqrt(weight)
    z = mean / deviation
    return deviation * exp(-0.5 * z * z) / sqrt(2.0 * pi) - 0.5 * mean * erfc(z / sqrt(2.0))
