"""Which configs deserve a duel: the model's favourites and random ones, in turn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.forest import CensoredForest
from tightrope.race.evidence import Evidence
from tightrope.race.supply import Supply
from tightrope.race.tasks import TaskOrder
from tightrope.records import Config
from tightrope.search.acquisition import expected_improvement_log
from tightrope.space import Space

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Instances:
    """What the model knows about the instances: columns beside those of the configs."""

    columns: Floats  # (instances, m); m = 0 if there is one instance
    categorical: NDArray[np.bool_]  # (m,)

    @classmethod
    def of(cls, n: int, features: Floats | None) -> "Instances":
        """Take features, or the number of an instance as its name where there are none."""
        if features is not None:
            varied = features[:, np.ptp(features, axis=0) > 0] if n > 1 else features[:, :0]
            return cls(np.ascontiguousarray(varied), np.zeros(varied.shape[1], dtype=bool))
        m = int(n > 1)
        return cls(np.arange(n * m, dtype=float).reshape(n, m), np.ones(m, dtype=bool))


@dataclass(frozen=True, slots=True)
class Taste:
    """How challengers are found."""

    ceiling: float
    resolution: float = 0.01
    random_share: float = 0.5
    n_starts: int = 10
    n_design: int = 10
    treatment: str = "sample"
    is_random: bool = False  # no model at all
    forest: dict[str, Any] = field(default_factory=dict)


_FOREST: dict[str, Any] = {"n_estimators": 20, "min_variance": 1e-4, "max_iter": 5, "min_samples_split": 5}


class Favourites:
    """The configs that promise most, by a model fitted to all that is known."""

    def __init__(
        self,
        evidence: Evidence,
        tasks: TaskOrder,
        *,
        space: Space,
        supply: Supply,
        instances: Instances,
        taste: Taste,
        rng: np.random.Generator,
    ) -> None:
        self._space, self._instances, self._taste, self._rng = space, instances, taste, rng
        self._evidence, self._supply = evidence, supply
        self._forest = self._fit(tasks)

    def _fit(self, tasks: TaskOrder) -> CensoredForest:
        taste, space = self._taste, self._space
        keys, costs, censored = self._evidence.table()
        y = np.clip(costs, taste.resolution / 2.0, taste.ceiling)
        instance = np.array([tasks.instance(int(task)) for task in keys[:, 1]])
        rows = space.for_model(self._evidence.rows())[keys[:, 0]]
        X = np.hstack([rows, self._instances.columns[instance]])
        forest = CensoredForest(
            log=True,
            ceiling=taste.ceiling,
            treatment=taste.treatment,
            random_state=int(self._rng.integers(2**31)),
            **{**_FOREST, **taste.forest},
        )
        categorical = np.concatenate([space.categorical, self._instances.categorical])
        return forest.fit(X, y, censored | (costs >= taste.ceiling), categorical=categorical)

    def belief(self, rows: Floats) -> tuple[Floats, Floats]:
        """Return mean and deviation of the logarithm of each config's mean cost over the instances."""
        view = self._space.for_model(rows)
        if self._instances.columns.shape[1] == 0:
            mean, s = self._forest.belief(view)
            return mean, s
        return self._forest.belief_marginal(view, self._instances.columns)

    def best_first(self, incumbent: int, n: int) -> Iterator[Config]:
        """Yield configs in the order of their expected improvement upon the incumbent."""
        mean, _ = self.belief(self._evidence.rows([incumbent]))
        best = float(np.exp(mean[0]))

        def score(rows: Floats) -> Floats:
            return expected_improvement_log(*self.belief(rows), best=best)

        n = max(n, self._taste.n_starts)
        rows, scores = self._supply.search(score, known=self._evidence.rows(), n=n, rng=self._rng)
        for i in np.lexsort((self._rng.random(len(rows)), -scores)):
            yield self._space.decode(rows[i])


def interleave(favourites: Iterator[Config], drawn: Sequence[Config], *, n: int, share: float) -> list[Config]:
    """Return n configs, of which a share are drawn ones, evenly spread; equal ones once."""
    chosen: dict[Config, None] = {}
    rest, due = iter(drawn), 0.0
    for _ in range(n):
        due += share
        source = rest if due >= 1.0 else favourites
        due -= due >= 1.0
        config = next((config for config in source if config not in chosen), None)
        if config is not None:
            chosen[config] = None
    return list(chosen)
