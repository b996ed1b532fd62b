"""From runs to a belief: what the model learns from, and the two models there are."""

from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np

from tightrope.forest import CensoredForest
from tightrope.gp import CensoredProcess
from tightrope.records import Config
from tightrope.search.model import Belief, Floats, Observations
from tightrope.search.tally import Tally
from tightrope.space import Space


@dataclass(frozen=True, slots=True)
class ForestModel:
    """The paper's censored random forest."""

    log: bool = True
    options: dict[str, Any] = field(default_factory=dict)

    def fit(self, observations: Observations, *, seed: int) -> Belief:
        """Fit anew."""
        forest = CensoredForest(log=self.log, random_state=seed, **{**_FOREST, **self.options})
        forest.fit(
            observations.X, observations.y, observations.censored, categorical=observations.categorical
        )
        belief: Belief = forest.belief
        return belief


@dataclass(frozen=True, slots=True)
class ProcessModel:
    """A Gaussian process with a Tobit likelihood, for smooth numeric spaces."""

    log: bool = True
    options: dict[str, Any] = field(default_factory=dict)

    def fit(self, observations: Observations, *, seed: int) -> Belief:
        """Fit anew."""
        process = CensoredProcess(log=self.log, random_state=seed, **self.options)
        process.fit(observations.X, observations.y, observations.censored)
        belief: Belief = process.belief
        return belief


_FOREST: dict[str, Any] = {"n_estimators": 50, "min_variance": 1e-4, "max_iter": 5}


def observe(tally: Tally, space: Space, *, ceiling: float = inf) -> Observations:
    """Collect what is known: costs, largest bounds, failures as bounds at the ceiling.

    A config that is running is taken to cost at least as much as the best one: whoever is asked for one more
    config meanwhile had better look elsewhere.
    """
    failed = (
        ceiling
        if ceiling < inf
        else max((max([*known.costs, known.bound]) for _, known in tally.known()), default=0.0)
    )
    configs: list[Config] = []
    y: list[float] = []
    censored: list[bool] = []
    for config, known in tally.known():
        bound = failed if known.failed else known.bound
        costs = known.costs or (
            [bound] if bound > 0 else []
        )  # nothing to learn from a failure that comes first
        configs += [config] * len(costs)
        y += costs
        censored += [not known.costs] * len(costs)
    for config in tally.pending():
        if tally.best < inf:
            configs.append(config)
            y.append(max(tally.best, tally.bound(config)))
            censored.append(True)
    rows: Floats = space.encode(configs) if configs else np.empty((0, space.n_columns))
    return Observations(space.for_model(rows), np.array(y), np.array(censored, dtype=bool), space.categorical)
