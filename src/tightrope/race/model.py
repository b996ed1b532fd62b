"""Candidates in the order of their expected improvement, by a model fitted to all runs."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tightrope.race.candidates import CandidateSource
from tightrope.race.earlier import add_earlier
from tightrope.race.plan import Plan
from tightrope.race.training import TrainingData
from tightrope.records import Config
from tightrope.search.acquisition import expected_improvement_log
from tightrope.search.model import MarginalBelief, MarginalModel, Observations

Floats = NDArray[np.float64]


class ModelCandidates:
    """A fitted model, and the candidates that it ranks.

    With baseline costs of the instances, the model learns costs as multiples of them.
    """

    def __init__(
        self,
        data: TrainingData,
        plan: Plan,
        model: MarginalModel,
        *,
        rng: np.random.Generator,
        baseline: Floats | None = None,
    ) -> None:
        self._plan, self._rng, self._baseline = plan, rng, baseline
        seed = int(rng.integers(2**31))
        observations = _observations(data, plan, baseline)
        if plan.earlier is not None:
            n_columns = plan.space.n_columns
            observations = add_earlier(observations, plan.earlier, model, n_columns=n_columns, seed=seed)
        self._fitted: MarginalBelief = model.fit(observations, seed=seed)

    def belief(self, rows: Floats) -> tuple[Floats, Floats]:
        """Return mean and standard deviation of the logarithm of each config's mean cost over instances."""
        configs = self._plan.space.for_model(rows)
        return self._fitted.marginal(configs, self._plan.view.columns, baseline=self._baseline)

    def best_first(
        self, source: CandidateSource, *, incumbent: Floats, known: Floats, n_starts: int
    ) -> Iterator[Config]:
        """Yield configs in the order of their expected improvement on the incumbent (a row).

        Local search starts from the best of the `known` rows, which were tried before, and of random rows.
        """
        mean, _ = self.belief(incumbent[np.newaxis])
        best = float(np.exp(mean[0]))

        def score(rows: Floats) -> Floats:
            return expected_improvement_log(*self.belief(rows), best=best)

        rows, scores = source.search(score, known=known, n=n_starts, rng=self._rng)
        for i in np.lexsort((self._rng.random(len(rows)), -scores)):
            yield self._plan.space.decode(rows[i])


def _observations(data: TrainingData, plan: Plan, baseline: Floats | None) -> Observations:
    """Join configs and instances; costs at the ceiling, and failures, are bounds at it.

    Costs below half the resolution cannot be measured, and count as that.
    """
    ceiling, resolution = plan.rules.objective.ceiling, plan.rules.resolution
    return Observations(
        np.hstack([plan.space.for_model(data.rows), plan.view.columns[data.instance]]),
        np.clip(data.cost, resolution / 2.0, ceiling),
        data.censored | (data.cost >= ceiling),
        np.concatenate([plan.space.categorical, plan.view.categorical]),
        None if baseline is None else baseline[data.instance],
    )
