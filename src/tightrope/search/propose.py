"""The next challenger: the config that maximises an acquisition function.

Candidates are random configs and those that local search reaches from the best of them and from the best
configs known. The acquisition of a forest is piecewise constant, so ties are frequent; they are broken at
random.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tightrope.space import Space
from tightrope.space.neighbours import neighbours

Floats = NDArray[np.float64]
Score = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to look."""

    n_random: int = 1000
    n_starts: int = 10
    n_steps: int = 8


def ranked_candidates(
    space: Space, score: Score, *, starts: Floats, rng: np.random.Generator, effort: Effort
) -> Iterator[Floats]:
    """Yield rows, the best first."""
    random = space.sample(effort.n_random, rng)
    rows = np.vstack([random, starts])
    scores = score(rows)
    for _ in range(effort.n_steps):
        climbed = _climb(space, score, rows=rows, scores=scores, rng=rng, n_starts=effort.n_starts)
        if climbed is None:
            break
        rows, scores = np.vstack([rows, climbed[0]]), np.concatenate([scores, climbed[1]])
    for i in _best_first(scores, rng):
        yield rows[i]


def _climb(
    space: Space, score: Score, *, rows: Floats, scores: Floats, rng: np.random.Generator, n_starts: int
) -> tuple[Floats, Floats] | None:
    """Score the neighbours of the best rows; None if none is better than its origin."""
    top = _best_first(scores, rng)[:n_starts]
    near, origin = neighbours(space, rows[top], rng)
    if len(near) == 0:
        return None
    found = score(near)
    return (near, found) if np.any(found > scores[top][origin]) else None


def _best_first(scores: Floats, rng: np.random.Generator) -> NDArray[np.intp]:
    return np.lexsort((rng.random(scores.size), -scores))
