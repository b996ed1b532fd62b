"""Scores of all configs on all tasks."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tightrope.race.objective import Score, better_known
from tightrope.records import Config
from tightrope.space import Space

Floats = NDArray[np.float64]

_NOTHING: Mapping[int, Score] = {}


class Evidence:
    """Scores by config and task; configs are numbered in the order of their first appearance."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._configs: list[Config] = []
        self._number: dict[Config, int] = {}
        self._rows: list[Floats] = []
        self._scores: list[dict[int, Score]] = []
        self._n_scores = 0

    def __len__(self) -> int:
        """Return the number of pairs of config and task that have a score."""
        return self._n_scores

    @property
    def n_configs(self) -> int:
        """Number of configs."""
        return len(self._configs)

    def knows(self, config: Config) -> bool:
        """Whether the config has a number."""
        return config in self._number

    def find(self, config: Config) -> int:
        """Return the config's number, or the number that a new config would get."""
        return self._number.get(config, len(self._configs))

    def number(self, config: Config) -> int:
        """Return the config's number; a new config gets the next one."""
        found = self._number.get(config)
        if found is None:
            found = self._number[config] = len(self._configs)
            self._configs.append(config)
            self._scores.append({})
        return found

    def config(self, number: int) -> Config:
        """Return the config of this number."""
        return self._configs[number]

    def rows(self, numbers: Sequence[int] | None = None) -> Floats:
        """Return the rows of some configs, or of all."""
        self._encode()
        wanted = self._rows if numbers is None else [self._rows[number] for number in numbers]
        return np.array(wanted).reshape(-1, self._space.n_columns)

    def _encode(self) -> None:
        """Make rows of configs that have none: together, and only when they are needed.

        One at a time it would take most of the time of replaying a journal.
        """
        new = self._configs[len(self._rows) :]
        if new:
            self._rows += list(self._space.encode(new))

    def scores(self, number: int) -> Mapping[int, Score]:
        """Return the scores of a config, by task; empty for an unknown config."""
        return self._scores[number] if number < len(self._scores) else _NOTHING

    def add(self, number: int, task: int, score: Score) -> None:
        """Add a score of a config on a task."""
        known = self._scores[number]
        self._n_scores += task not in known
        known[task] = better_known(known.get(task), score)

    def items(self) -> Iterator[tuple[int, int, Score]]:
        """Yield number, task and score of every pair."""
        for number, known in enumerate(self._scores):
            for task, score in known.items():
                yield number, task, score
