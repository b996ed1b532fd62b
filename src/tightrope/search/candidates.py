"""Candidates ranked by an acquisition function.

Candidates are random configs, and configs that local search reaches from the best random and the best known
ones in steps that become shorter. The acquisition of a forest is piecewise constant, so ties are frequent;
they are broken at random.
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
    """How many candidates are considered."""

    n_random: int = 1000
    n_draws: int = 100  # at most, to find a random config that is new
    n_starts: int = 10
    n_steps: int = 6
    spread: float = 0.2  # of the first step, on a scale where a range has length 1
    shrinkage: float = 0.5  # factor of the spread from step to step


def ranked_candidates(
    space: Space, score: Score, *, starts: Floats, rng: np.random.Generator, effort: Effort
) -> Iterator[Floats]:
    """Yield rows, the best first."""
    random = space.sample(effort.n_random, rng)
    rows = np.vstack([random, starts])
    scores = score(rows)
    for step in range(effort.n_steps):
        top = _best_first(scores, rng)[: effort.n_starts]
        near, _ = neighbours(space, rows[top], rng, spread=effort.spread * effort.shrinkage**step)
        if len(near) > 0:
            rows, scores = np.vstack([rows, near]), np.concatenate([scores, score(near)])
    for i in _best_first(scores, rng):
        yield rows[i]


def _best_first(scores: Floats, rng: np.random.Generator) -> NDArray[np.intp]:
    return np.lexsort((rng.random(scores.size), -scores))
