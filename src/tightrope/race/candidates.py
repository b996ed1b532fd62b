"""Where challengers may come from: the whole space, or a list of configs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tightrope.records import Config
from tightrope.space import Space
from tightrope.space.design import every_row, latin_hypercube
from tightrope.space.neighbours import neighbours

Floats = NDArray[np.float64]
Score = Callable[[Floats], Floats]

_SMALL = 1000  # configs: a space of no more is gone through to the end


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to look for the best config by a score."""

    n_random: int = 1000
    n_starts: int = 100
    n_steps: int = 10


class Supply(Protocol):
    """Rows of configs that may become challengers."""

    def design(self, n: int, rng: np.random.Generator) -> Floats:
        """Return about n rows that fill the space evenly."""
        ...

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Return n random rows, or all in random order if they are few."""
        ...

    def search(
        self, score: Score, *, known: Floats, n: int, rng: np.random.Generator
    ) -> tuple[Floats, Floats]:
        """Return rows with high scores, and these; `known` are rows from which one may start."""
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
        """Return random rows; of a small space all, shuffled: who draws may know most already."""
        if self.space.size <= _SMALL:
            return rng.permutation(every_row(self.space))
        return self.space.sample(n, rng)

    def search(
        self, score: Score, *, known: Floats, n: int, rng: np.random.Generator
    ) -> tuple[Floats, Floats]:
        """Climb from the best of the known and of random rows; all random rows take part as well.

        There are at least twice as many as wanted. Climbing is dear, so no more than a hundred do it.
        """
        drawn = self.space.sample(max(self.effort.n_random, 2 * n), rng)
        known_scores, drawn_scores = score(known), score(drawn)
        n = min(n, self.effort.n_starts)
        starts = np.vstack([known[_top(known_scores, n // 2)], drawn[_top(drawn_scores, n - n // 2)]])
        ends, end_scores = climb(self.space, score, starts, n_steps=self.effort.n_steps, rng=rng)
        return np.vstack([ends, drawn]), np.concatenate([end_scores, drawn_scores])


class Listed:
    """The configs of a list, and no other."""

    def __init__(self, space: Space, candidates: Sequence[Config]) -> None:
        self._rows = space.encode(list(candidates))

    def design(self, n: int, rng: np.random.Generator) -> Floats:
        """Return n of them, or all if they are fewer."""
        return self.draw(n, rng)[:n]

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Return all of them, shuffled: who draws may know most already."""
        return rng.permutation(self._rows)

    def search(
        self, score: Score, *, known: Floats, n: int, rng: np.random.Generator
    ) -> tuple[Floats, Floats]:
        """Return all of them."""
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
