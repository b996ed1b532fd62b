"""A lower limit for tunings: a search that knows the exact mean cost on the training instances for free."""

import numpy as np
from lib.arena.arena import Arena

from tightrope.records import Config
from tightrope.space import neighbours

_N_SAMPLED = 2000
_N_KEPT = 10
_PATIENCE = 3  # rounds without improvement before it stops; each round draws other neighbours


def search_exactly(arena: Arena, *, seed: int = 0) -> Config:
    """Return the best candidate or, without candidates, the best config of a beam search.

    The beam search starts with the default and the best of many random configs. Each round keeps the best
    neighbours of the kept configs, even if they are worse: costs are rough.
    """
    if arena.candidates is not None:
        return min((arena.default, *arena.candidates), key=arena.train_cost)
    rng = np.random.default_rng(seed)
    sampled = {arena.space.decode(row) for row in arena.space.sample(_N_SAMPLED, rng)}
    kept = [arena.default, *_best(arena, sampled)[1:]]
    best, n_failed = min(kept, key=arena.train_cost), 0
    while n_failed < _PATIENCE:
        found, _ = neighbours(arena.space, arena.space.encode(kept), rng)
        kept = _best(arena, {arena.space.decode(row) for row in found})
        if arena.train_cost(kept[0]) < arena.train_cost(best):
            best, n_failed = kept[0], 0
        else:
            n_failed += 1
    return best


def _best(arena: Arena, configs: set[Config]) -> list[Config]:
    return sorted(configs, key=arena.train_cost)[:_N_KEPT]
