"""The two models: the censored forest and the Gaussian process with a Tobit likelihood.

Both are imported when they are first fitted: replaying a journal needs neither, and they import scikit-learn.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tightrope.search.model import Belief, Floats, Observations

if TYPE_CHECKING:
    from tightrope.forest import CensoredForest
    from tightrope.gp import Hyperparameters

_FOREST: dict[str, Any] = {"min_variance": 1e-4, "max_iter": 5}
_FEWEST_TREES, _MOST_TREES = 20, 50
_ROWS_IN_ALL_TREES = 30_000  # more observations get fewer trees, so that asking stays quick
_GROWTH = 0.1  # hyperparameters of a process are searched for again when its data grew by this share


@dataclass(frozen=True, slots=True)
class ForestBelief:
    """What a fitted forest believes."""

    forest: "CensoredForest"

    def __call__(self, X: Floats) -> tuple[Floats, Floats]:
        """Return mean and standard deviation on the model's scale."""
        mean, s = self.forest.belief(X)
        return mean, s

    def marginal(
        self, configs: Floats, instances: Floats, *, baseline: Floats | None
    ) -> tuple[Floats, Floats]:
        """Return mean and standard deviation of each config's mean cost over the instances."""
        if instances.shape[1] == 0:
            return self(configs)
        mean, s = self.forest.belief_marginal(configs, instances, baseline=baseline)
        return mean, s


@dataclass(frozen=True, slots=True)
class ForestModel:
    """The paper's censored random forest; `options` are arguments of `CensoredForest`."""

    log: bool = True
    options: dict[str, Any] = field(default_factory=dict)

    def fit(self, observations: Observations, *, seed: int) -> ForestBelief:
        """Fit a new forest."""
        from tightrope.forest import ALGORITHM_1, CensoredForest

        settings = {
            "n_estimators": count_trees(len(observations.y)),
            **ALGORITHM_1,
            **_FOREST,
            **self.options,
        }
        forest = CensoredForest(log=self.log, random_state=seed, **settings)
        forest.fit(
            observations.X,
            observations.y,
            observations.censored,
            categorical=observations.categorical,
            baseline=observations.baseline,
        )
        return ForestBelief(forest)


class ProcessModel:
    """A Gaussian process with a Tobit likelihood, for smooth numeric spaces.

    Its hyperparameters are fitted to the first m observations, where m grows by a tenth at a time. They
    depend on the observations only; what is cached between two fits merely saves time.
    """

    def __init__(self, *, log: bool = True, noisy: bool = False) -> None:
        self.log = log
        self._noise = None if noisy else 0.0
        self._searched: tuple[bytes, Hyperparameters] | None = None

    def fit(self, observations: Observations, *, seed: int) -> Belief:
        """Condition on all observations, with hyperparameters fitted to most of them."""
        from tightrope.gp import CensoredProcess

        process = CensoredProcess(log=self.log, noise=self._noise, max_iter=0)
        found = self._hyperparameters(observations.head(last_milestone(len(observations.y))))
        process.fit(observations.X, observations.y, observations.censored, start=found)
        belief: Belief = process.belief
        return belief

    def _hyperparameters(self, observations: Observations) -> "Hyperparameters":
        fingerprint = b"".join(
            part.tobytes() for part in (observations.X, observations.y, observations.censored)
        )
        if self._searched is None or self._searched[0] != fingerprint:
            self._searched = fingerprint, self._search(observations)
        return self._searched[1]

    def _search(self, observations: Observations) -> "Hyperparameters":
        from tightrope.gp import CensoredProcess

        process = CensoredProcess(log=self.log, noise=self._noise, random_state=0)
        process.fit(observations.X, observations.y, observations.censored)
        return process.hyperparameters_


def count_trees(n: int) -> int:
    """Return how many trees n observations get."""
    return min(max(_ROWS_IN_ALL_TREES // n, _FEWEST_TREES), _MOST_TREES)


def last_milestone(n: int) -> int:
    """Return the largest of 1, 2, ..., 19, 20, 22, 24, 26, ... that is at most n; it grows by a tenth."""
    milestone = 1
    while (following := max(milestone + 1, int(milestone * (1.0 + _GROWTH)))) <= n:
        milestone = following
    return milestone
