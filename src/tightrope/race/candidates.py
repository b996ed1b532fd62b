"""Where candidates come from: the whole space, or a list of configs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tightrope.race.evidence import Evidence
from tightrope.records import Config
from tightrope.space import Space
from tightrope.space.design import every_row, latin_hypercube
from tightrope.space.neighbours import neighbours

Floats = NDArray[np.float64]
Score = Callable[[Floats], Floats]

_SMALL = 1000  # configs: spaces up to this size are enumerated


@dataclass(frozen=True, slots=True)
class Effort:
    """How many candidates the search by score considers."""

    n_random: int = 1000
    n_starts: int = 100
    n_steps: int = 10


class CandidateSource(Protocol):
    """A source of rows of configs that may become challengers."""

    def design(self, n: int, rng: np.random.Generator) -> Floats:
        """Return about n rows that fill the space evenly."""
        ...

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Return n random rows, or all in random order if they are few."""
        ...

    def has_new(self, evidence: Evidence) -> bool:
        """Whether there are configs that have not been tried."""
        ...

    def search(
        self, score: Score, *, known: Floats, n: int, rng: np.random.Generator
    ) -> tuple[Floats, Floats]:
        """Return rows with high scores, and the scores; the search may start from `known` rows."""
        ...


@dataclass(frozen=True, slots=True)
class WholeSpace:
    """All configs of a space."""

    space: Space
    effort: Effort

    def design(self, n: int, rng: np.random.Generator) -> Floats:
        """Return a Latin hypercube."""
        return latin_hypercube(self.space, n, rng)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Return random rows; of a small space all rows, shuffled, since most may have been tried."""
        if self.space.size <= _SMALL:
            return rng.permutation(every_row(self.space))
        return self.space.sample(n, rng)

    def has_new(self, evidence: Evidence) -> bool:
        """Whether the space is larger than the number of configs that were tried."""
        return evidence.n_configs < self.space.size

    def search(
        self, score: Score, *, known: Floats, n: int, rng: np.random.Generator
    ) -> tuple[Floats, Floats]:
        """Run local search from the best known and the best random rows; return its ends and all random rows.

        At least 2n random rows are drawn. Local search is expensive, so it has at most `effort.n_starts`
        starts.
        """
        drawn = self.space.sample(max(self.effort.n_random, 2 * n), rng)
        known_scores, drawn_scores = score(known), score(drawn)
        n = min(n, self.effort.n_starts)
        starts = np.vstack([known[_top(known_scores, n // 2)], drawn[_top(drawn_scores, n - n // 2)]])
        ends, end_scores = climb(self.space, score, starts, n_steps=self.effort.n_steps, rng=rng)
        return np.vstack([ends, drawn]), np.concatenate([end_scores, drawn_scores])


class ListedConfigs:
    """The configs of a list, and no others."""

    def __init__(self, space: Space, candidates: Sequence[Config]) -> None:
        self._rows = space.encode(list(candidates))
        self._configs = frozenset(space.decode(row) for row in self._rows)

    def design(self, n: int, rng: np.random.Generator) -> Floats:
        """Return n configs of the list, or all if there are fewer."""
        return self.draw(n, rng)[:n]

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Return the whole list, shuffled, since most may have been tried."""
        return rng.permutation(self._rows)

    def has_new(self, evidence: Evidence) -> bool:
        """Whether a config of the list has not been tried."""
        if evidence.n_configs < len(self._configs):
            return True
        return not all(map(evidence.knows, self._configs))

    def search(
        self, score: Score, *, known: Floats, n: int, rng: np.random.Generator
    ) -> tuple[Floats, Floats]:
        """Return the whole list."""
        return self._rows, score(self._rows)


def _top(scores: Floats, k: int) -> NDArray[np.intp]:
    return np.argsort(-scores, kind="stable")[:k]


def climb(
    space: Space, score: Score, rows: Floats, *, n_steps: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Move each row to its best neighbour until none is better."""
    rows, scores = rows.copy(), score(rows)
    moving = np.arange(len(rows))
    for _ in range(n_steps):
        near, origin = neighbours(space, rows[moving], rng)
        if len(near) == 0:
            break
        found = score(near)
        order = np.lexsort((rng.random(len(near)), -found, origin))
        first = order[np.concatenate([[True], np.diff(origin[order]) > 0])]
        better = first[found[first] > scores[moving[origin[first]]]]
        moving = moving[origin[better]]
        rows[moving], scores[moving] = near[better], found[better]
        if len(moving) == 0:
            break
    return rows, scores
