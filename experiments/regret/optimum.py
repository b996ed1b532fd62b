"""The best possible training cost of an arena: exact for a list, the end of a long search otherwise."""

import hashlib
import os
from pathlib import Path

import numpy as np
from lib.arena.arena import Arena
from lib.cost_table import Floats

from tightrope.race.candidates import climb

_SEED = 0
_N_PROBES = 5  # configs whose costs identify an arena
_N_DRAWN = 3000
_N_STARTS = 10
_N_STEPS = 100


def truth_key(arena: Arena) -> str:
    """Return a name for the arena's training costs: arenas with equal costs have the same."""
    rows = arena.space.sample(_N_PROBES, np.random.default_rng(_SEED))
    probes = arena.candidates or [arena.space.decode(row) for row in rows]
    costs = [arena.train_cost(config) for config in (arena.default, *probes)]
    return hashlib.blake2b(np.array([*costs, arena.ceiling]).tobytes(), digest_size=6).hexdigest()


def find_optimum(arena: Arena, *, folder: Path) -> float:
    """Return the smallest training cost that is known; the folder keeps the result of a search."""
    if arena.candidates is not None:
        return min(arena.train_cost(config) for config in (arena.default, *arena.candidates))
    path = folder / f"optimum-{_N_DRAWN}-{_N_STARTS}-{truth_key(arena)}.txt"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}")
        unfinished.write_text(repr(_search(arena)))
        unfinished.replace(path)
    return float(path.read_text())


def _search(arena: Arena) -> float:
    """Climb from the default and the best of many random configs."""

    def score(rows: Floats) -> Floats:
        return np.array([-arena.train_cost(arena.space.decode(row)) for row in rows])

    rng = np.random.default_rng(_SEED)
    drawn = arena.space.sample(_N_DRAWN, rng)
    best = drawn[np.argsort(-score(drawn), kind="stable")[:_N_STARTS]]
    starts = np.vstack([best, arena.space.encode([arena.default])])
    return float(-climb(arena.space, score, starts, n_steps=_N_STEPS, rng=rng)[1].max())
