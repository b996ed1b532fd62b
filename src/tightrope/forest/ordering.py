"""Which trees get the high imputed values, when part of the belief's variance is noise.

The paper hands out quantiles in the order of the trees, for all points alike, because what is uncertain about
the model is shared by neighbouring points. The noise of single responses is not shared. Each copy of a point
therefore gets the score

    sqrt(spread) * score of its tree + sqrt(noise) * own draw

and quantiles are handed out in the order of these scores. This is a Gaussian copula between points whose
correlation is spread / (spread + noise): without noise it is the paper's rule, without spread all points are
independent.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtri

from tightrope.forest.bootstrap import Copies, Floats
from tightrope.forest.moments import Moments


@dataclass(frozen=True, slots=True)
class Noise:
    """The scores of the copies, shape (C,): of their tree, and their own; the same in all rounds.

    Copies of a point in one tree have the same scores, so that their values stay next to each other.
    """

    of_tree: Floats
    own: Floats

    def order(self, copies: Copies, belief: Moments) -> Copies:
        """Hand out the quantiles of each point, ascending in tree order so far, by the scores."""
        shared, single = np.sqrt(belief.spread), np.sqrt(belief.noise)
        scores = shared[copies.owner] * self.of_tree + single[copies.owner] * self.own
        positions = np.empty_like(copies.positions)
        positions[np.lexsort((scores, copies.owner))] = copies.positions
        return replace(copies, positions=positions)


def draw_noise(copies: Copies, *, n_trees: int, rng: np.random.Generator) -> Noise:
    """Draw the scores of the copies."""
    n_points = copies.n_copies.size
    trees = (copies.slots // n_points)[copies.cell]
    own = rng.standard_normal(copies.sizes.size)[copies.cell]
    return Noise(of_tree=ndtri((trees + 0.5) / n_trees), own=own)
