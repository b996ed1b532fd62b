"""The configs that promise most, by a forest fitted to all that is known."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.forest import CensoredForest
from tightrope.race.candidates import Supply
from tightrope.race.evidence import Evidence
from tightrope.race.tasks import TaskOrder
from tightrope.records import Config
from tightrope.search.acquisition import expected_improvement_log
from tightrope.space import Space

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_FOREST: dict[str, Any] = {"min_variance": 1e-4, "max_iter": 5, "min_samples_split": 5}


@dataclass(frozen=True, slots=True)
class Instances:
    """What the model sees of the instances: columns beside those of the configs."""

    columns: Floats  # (instances, m); m = 0 if there is one instance
    categorical: Bools  # (m,)

    @classmethod
    def of(cls, n: int, features: Floats | None, *, components: int = 7) -> "Instances":
        """Take features, or the number of an instance as its name where there are none.

        Of more features than `components` the model sees so many principal components, or all if it is 0.
        """
        if features is None:
            m = int(n > 1)
            return cls(np.arange(n * m, dtype=float).reshape(n, m), np.ones(m, dtype=bool))
        varied = np.array([len(np.unique(column)) > 1 for column in features.T], dtype=bool)
        columns = np.ascontiguousarray(features[:, varied])
        if 0 < components < columns.shape[1]:
            columns = principal_components(columns, components)
        return cls(columns, np.zeros(columns.shape[1], dtype=bool))


def principal_components(columns: Floats, k: int) -> Floats:
    """Return the first k principal components of columns of unit variance; what is missing is average."""
    # Divided first, because squares of large features would overflow.
    scaled = columns / np.nanmax(np.abs(columns), axis=0)
    centred = scaled - np.nanmean(scaled, axis=0)
    unit = np.nan_to_num(centred / np.nanstd(scaled, axis=0))
    left, sizes, right = np.linalg.svd(unit, full_matrices=False)
    largest = np.argmax(np.abs(right[:k]), axis=1)
    signs = np.sign(right[np.arange(len(largest)), largest])  # else they would be arbitrary
    return np.ascontiguousarray(left[:, :k] * (sizes[:k] * signs))


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """What a model learns from: rows of configs, instances, and costs, of which some are bounds."""

    rows: Floats  # (n, d)
    instance: Ints  # (n,)
    cost: Floats  # (n,); inf for a failure
    censored: Bools  # (n,)

    @classmethod
    def of(cls, evidence: Evidence, tasks: TaskOrder) -> "Lessons":
        """Collect all that is known."""
        items = list(evidence.items())
        number = np.array([number for number, _, _ in items], dtype=np.int64)
        return cls(
            evidence.rows()[number],
            np.array([tasks.instance(task) for _, task, _ in items], dtype=np.int64),
            np.array([score.cost for _, _, score in items]),
            np.array([not score.exact for _, _, score in items], dtype=bool),
        )

    def after(self, earlier: "Lessons | None") -> "Lessons":
        """Return others followed by these."""
        if earlier is None:
            return self
        return Lessons(
            np.concatenate([earlier.rows, self.rows]),
            np.concatenate([earlier.instance, self.instance]),
            np.concatenate([earlier.cost, self.cost]),
            np.concatenate([earlier.censored, self.censored]),
        )


@dataclass(frozen=True, slots=True)
class Taste:
    """How the model judges.

    Costs below `resolution` cannot be told apart; those at the ceiling and failures are bounds at it.
    """

    ceiling: float
    par: float = 1.0
    resolution: float = 0.01
    treatment: str = "sample"
    trees: int = 10


class Favourites:
    """A model of all lessons, and what it would try next.

    Given what each instance usually costs, it learns costs as multiples of that.
    """

    def __init__(
        self,
        lessons: Lessons,
        *,
        space: Space,
        view: Instances,
        taste: Taste,
        rng: np.random.Generator,
        usual: Floats | None = None,
    ) -> None:
        self._space, self._view, self._taste, self._rng = space, view, taste, rng
        self._usual = usual
        self._forest = self._fit(lessons)

    def belief(self, rows: Floats) -> tuple[Floats, Floats]:
        """Return mean and deviation of the logarithm of each config's mean cost over the instances."""
        configs = self._space.for_model(rows)
        if self._view.columns.shape[1] == 0:
            mean, s = self._forest.belief(configs)
            return mean, s
        return self._forest.belief_marginal(configs, self._view.columns, baseline=self._usual)

    def best_first(
        self, supply: Supply, *, incumbent: Floats, known: Floats, n_starts: int
    ) -> Iterator[Config]:
        """Yield configs in the order of their expected improvement upon the incumbent, by its row.

        Local search starts from some of the `known` rows, of all configs that were tried, and elsewhere.
        """
        mean, _ = self.belief(incumbent[np.newaxis])
        best = float(np.exp(mean[0]))

        def score(rows: Floats) -> Floats:
            return expected_improvement_log(*self.belief(rows), best=best)

        rows, scores = supply.search(score, known=known, n=n_starts, rng=self._rng)
        for i in np.lexsort((self._rng.random(len(rows)), -scores)):
            yield self._space.decode(rows[i])

    def _fit(self, lessons: Lessons) -> CensoredForest:
        taste, space = self._taste, self._space
        X = np.hstack([space.for_model(lessons.rows), self._view.columns[lessons.instance]])
        y = np.clip(lessons.cost, taste.resolution / 2.0, taste.ceiling)
        forest = CensoredForest(
            taste.trees,
            log=True,
            ceiling=taste.ceiling,
            par=taste.par,
            treatment=taste.treatment,
            random_state=int(self._rng.integers(2**31)),
            **_FOREST,
        )
        censored = lessons.censored | (lessons.cost >= taste.ceiling)
        categorical = np.concatenate([space.categorical, self._view.categorical])
        baseline = None if self._usual is None else self._usual[lessons.instance]
        return forest.fit(X, y, censored, categorical=categorical, baseline=baseline)
