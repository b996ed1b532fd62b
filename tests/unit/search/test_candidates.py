"""The next challenger."""

import numpy as np
import pytest
from ConfigSpace import (
    CategoricalHyperparameter,
    ConfigurationSpace,
    EqualsCondition,
    ForbiddenAndConjunction,
    ForbiddenEqualsClause,
    UniformFloatHyperparameter,
    UniformIntegerHyperparameter,
)
from numpy.typing import NDArray

from tightrope.search.candidates import Effort, ranked_candidates
from tightrope.space import Space

Floats = NDArray[np.float64]
SQUARE = Space.of({"x": (0.0, 1.0), "y": (0.0, 1.0)})
SMALL = Effort(n_random=50, n_starts=5, n_steps=6)


def conditional_space() -> Space:
    space = ConfigurationSpace()
    kind = CategoricalHyperparameter("kind", ["a", "b", "c"])
    depth = UniformIntegerHyperparameter("depth", 1, 100, log=True)
    rate = UniformFloatHyperparameter("rate", 0.0, 1.0)
    flag = CategoricalHyperparameter("flag", [False, True])
    space.add(kind, depth, rate, flag)
    space.add(EqualsCondition(depth, kind, "a"), EqualsCondition(rate, kind, "b"))
    space.add(ForbiddenAndConjunction(ForbiddenEqualsClause(kind, "c"), ForbiddenEqualsClause(flag, True)))
    return Space.of(space)


def closeness(rows: Floats) -> Floats:
    return -np.abs(rows - [0.123, 0.789]).sum(axis=1)


def candidates(
    space: Space, score, *, seed: int = 0, effort: Effort = SMALL, starts: Floats | None = None
) -> Floats:
    starts = np.empty((0, space.n_columns)) if starts is None else starts
    return np.array(
        list(ranked_candidates(space, score, starts=starts, rng=np.random.default_rng(seed), effort=effort))
    )


def test_the_best_comes_first() -> None:
    scores = closeness(candidates(SQUARE, closeness))
    assert np.all(np.diff(scores) <= 0)


def test_local_search_gets_nearer_than_random_configs() -> None:
    random_only = Effort(n_random=50, n_starts=5, n_steps=0)
    gaps = [
        [-closeness(candidates(SQUARE, closeness, seed=seed, effort=effort)[:1])[0] for seed in range(10)]
        for effort in (SMALL, random_only)
    ]
    assert np.median(gaps[0]) < 0.2 * np.median(gaps[1])


def test_search_also_begins_at_the_best_known_configs() -> None:
    def needle(rows: Floats) -> Floats:
        """Score nothing but a small neighbourhood that random configs hardly hit."""
        gap = np.abs(rows - [0.5, 0.5]).max(axis=1)
        return np.where(gap < 1e-3, 1.0 - gap, 0.0)

    found = candidates(SQUARE, needle, starts=np.array([[0.5, 0.5]]))
    assert found[0].tolist() == [0.5, 0.5]


@pytest.mark.parametrize("seed", range(5))
def test_every_candidate_is_legal(seed: int) -> None:
    space = conditional_space()
    found = candidates(space, lambda rows: np.nansum(rows, axis=1), seed=seed)
    assert space.is_legal(found).all()


def test_ties_are_broken_at_random() -> None:
    space = Space.of({"kind": ["a", "b", "c", "d"]})
    first = {candidates(space, lambda rows: np.zeros(len(rows)), seed=seed)[0, 0] for seed in range(40)}
    assert len(first) == 4
