"""Ranking: what a model of all runs predicts about changes, to try the likeliest first."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from tightrope.compare.ablation.changes import Changes, Chosen
from tightrope.race.evidence import Evidence
from tightrope.race.model import ModelCandidates
from tightrope.race.objective import score_of
from tightrope.race.plan import Plan
from tightrope.race.tasks import TaskOrder
from tightrope.race.training import TrainingData
from tightrope.records import Config, Run, Status

Floats = NDArray[np.float64]
Predict = Callable[[Floats], Floats]  # rows of configs to the logarithm of their mean cost
Fit = Callable[[Iterable[Run]], Predict]

_FLOOR = 0.1  # of the mean weight: no change is certain not to matter


class FittedRuns:
    """Fits the model of a plan to the runs of a tuning and those that came after.

    Parameters
    ----------
    plan : Plan
        Space, instances and model.
    runs : iterable of Run
        Runs of the tuning; tasks of other scenarios are left out.
    best : Config
        The config whose costs make instances comparable.
    """

    def __init__(self, plan: Plan, runs: Iterable[Run], *, best: Config) -> None:
        self._plan = plan
        self._tasks = TaskOrder(plan.instances, seeds=plan.seeds, seed=plan.seed)
        self._evidence = Evidence(plan.space)
        self._best = best
        self._learn(runs)

    def __call__(self, runs: Iterable[Run]) -> Predict:
        """Add runs, and return what the model predicts; without any finished run, all costs are equal."""
        self._learn(runs)
        plan, data = self._plan, TrainingData.of(self._evidence, self._tasks)
        if plan.model is None or not np.any(np.isfinite(data.cost)):
            return lambda rows: np.zeros(len(rows))
        rng = np.random.default_rng([plan.seed, _PURPOSE])
        fitted = ModelCandidates(data, plan, plan.model, rng=rng, baseline=self._baseline())
        return lambda rows: fitted.belief(rows)[0]

    def _learn(self, runs: Iterable[Run]) -> None:
        for run in runs:
            if run.outcome.status is not Status.LOST:
                task = self._tasks.position(run.trial.task)
                self._evidence.add(self._evidence.number(run.trial.config), task, score_of(run.outcome))

    def _baseline(self) -> Floats | None:
        """Return the best config's mean cost on each instance; None unless it is known on most."""
        known = self._evidence.scores(self._evidence.find(self._best))
        ceiling, floor = self._plan.rules.objective.ceiling, self._plan.rules.resolution
        n = len(self._plan.instances)
        place = np.array([self._tasks.instance(task) for task in known], dtype=np.int64)
        logs = np.log(np.clip([score.cost for score in known.values()], floor, ceiling))
        counts = np.bincount(place, minlength=n)
        if not logs.size or not self._plan.tactics.relative or n == 1:
            return None
        sums = np.bincount(place, weights=logs, minlength=n)
        baseline: Floats = np.exp(
            np.divide(sums, counts, out=np.full(n, float(logs.mean())), where=counts > 0)
        )
        return baseline


_PURPOSE = 20  # of this module's random numbers


def weigh(changes: Changes, kept: Chosen, predict: Predict) -> dict[int, float]:
    """Return how much each kept change seems to matter: its gain on the way, or its loss at the end.

    The way is greedy: from the default, always the change after which the model predicts the smallest cost.
    """
    numbers = sorted(kept)
    without = predict(_rows(changes, [kept - {number} for number in numbers]))
    (at_end,) = predict(_rows(changes, [kept]))
    weights = dict(zip(numbers, np.maximum(without - at_end, 0.0).tolist(), strict=True))
    chosen: Chosen = frozenset()
    (cost,) = predict(_rows(changes, [chosen]))
    while chosen != kept:
        left = sorted(kept - chosen)
        costs = predict(_rows(changes, [chosen | {number} for number in left]))
        place = int(np.argmin(costs))
        weights[left[place]] = max(weights[left[place]], float(cost - costs[place]))
        chosen, cost = chosen | {left[place]}, costs[place]
    floor = _FLOOR * sum(weights.values()) / len(weights) or 1.0
    return {number: max(weight, floor) for number, weight in weights.items()}


def _rows(changes: Changes, sets: Sequence[Chosen]) -> Floats:
    return np.array([changes.row(chosen) for chosen in sets])
