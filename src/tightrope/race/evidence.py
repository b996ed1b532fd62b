"""What is known of every config on every task, and the table that a model learns from it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tightrope.race.objective import Score, better_known
from tightrope.records import Config
from tightrope.space import Space

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Evidence:
    """Grows by scores; configs are numbered in the order in which they turn up."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._configs: list[Config] = []
        self._number: dict[Config, int] = {}
        self._rows: list[Floats] = []
        self._scores: list[dict[int, Score]] = []
        self._place: dict[tuple[int, int], int] = {}
        self._keys: list[tuple[int, int]] = []

    def __len__(self) -> int:
        """How many pairs of a config and a task have a score."""
        return len(self._keys)

    @property
    def n_configs(self) -> int:
        """How many configs have turned up."""
        return len(self._configs)

    def knows(self, config: Config) -> bool:
        """Whether the config has turned up."""
        return config in self._number

    def find(self, config: Config) -> int:
        """Return the config's number; of a new one, the number that it would get."""
        return self._number.get(config, len(self._configs))

    def number(self, config: Config) -> int:
        """Return the config's number; a new one gets the next."""
        found = self._number.get(config)
        if found is None:
            found = self._number[config] = len(self._configs)
            self._configs.append(config)
            self._rows.append(self._space.encode(config))
            self._scores.append({})
        return found

    def config(self, number: int) -> Config:
        """Return the config of this number."""
        return self._configs[number]

    def rows(self, numbers: Sequence[int] | None = None) -> Floats:
        """Return the rows of some configs, or of all."""
        if numbers is None:
            return np.array(self._rows).reshape(-1, self._space.n_columns)
        return np.array([self._rows[number] for number in numbers]).reshape(-1, self._space.n_columns)

    def scores(self, number: int) -> dict[int, Score]:
        """Return what is known of a config, by task; nothing of one that has not turned up."""
        return self._scores[number] if number < len(self._scores) else {}

    def add(self, number: int, task: int, score: Score) -> None:
        """Learn something about a config on a task."""
        known = self._scores[number]
        known[task] = better_known(known.get(task), score)
        if (number, task) not in self._place:
            self._place[number, task] = len(self._keys)
            self._keys.append((number, task))

    def table(self) -> tuple[NDArray[np.int64], Floats, Bools]:
        """Return pairs of config and task, shape (n, 2), costs or bounds, and which are bounds, shape (n,)."""
        keys = np.array(self._keys, dtype=np.int64).reshape(-1, 2)
        known = [self._scores[number][task] for number, task in self._keys]
        costs = np.array([score.cost for score in known])
        return keys, costs, np.array([not score.exact for score in known], dtype=bool)
