"""Cells of a space; that they have the right probabilities is also checked in tests/reference."""

import numpy as np
import pytest
from ConfigSpace import (
    AndConjunction,
    ConfigurationSpace,
    EqualsCondition,
    GreaterThanCondition,
)

from tightrope.errors import SpaceError
from tightrope.space import Space


def test_a_number_has_the_probability_of_its_interval() -> None:
    space = Space.of({"x": (0.0, 4.0), "n": (1, 5)})
    cuts = [np.array([-np.inf, 0.3, 0.5]), np.array([0.25])]  # 1 .. 5 lie at 0, 0.25 ... 1
    cells = dict(zip(space.names, space.partition(cuts[::-1], space.default()), strict=True))
    assert space.names == ("n", "x")
    assert cells["x"].below.tolist() == [0.0, 0.0, 0.3, 0.5, 1.0]
    assert cells["n"].below.tolist() == [0.0, 0.4, 1.0]
    assert (cells["x"].home, cells["n"].home) == (2, 1)


def test_whole_numbers_on_a_log_scale_are_as_probable_as_they_are_drawn() -> None:
    space = Space.of({"n": (1, 64, "log")})
    cuts = space.for_model(np.array([[1.0], [7.0], [30.0]]))[:, 0]
    drawn = space.sample(200_000, np.random.default_rng(0))[:, 0]
    (cells,) = space.partition([cuts], space.default())
    expected = [(drawn <= n).mean() for n in (1, 7, 30)]
    np.testing.assert_allclose(cells.below, [0.0, *expected, 1.0], atol=0.005)


def test_every_choice_is_as_probable_as_the_others() -> None:
    space = Space.of({"kind": ["a", "b", "c", "d"]})
    (cells,) = space.partition([np.empty(0)], np.array([2.0]))
    assert cells.categorical
    assert cells.below.tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert cells.home == 2


def nested() -> Space:
    space = ConfigurationSpace({"use": ["no", "yes"], "x": (0.0, 1.0), "y": (0.0, 1.0)})
    space.add(EqualsCondition(space["x"], space["use"], "yes"))
    space.add(GreaterThanCondition(space["y"], space["x"], 0.25))
    return Space.of(space)


def test_grandparents_decide_as_well() -> None:
    space = nested()
    use, x, y = space.partition([np.empty(0), np.array([0.6]), np.empty(0)], space.default())
    assert use.parents.tolist() == []
    assert (x.parents.tolist(), x.active.tolist()) == ([0], [0, 1])
    assert y.parents.tolist() == [0, 1]
    # x below, at and above 0.25, first with `use` off, then on.
    assert y.active.tolist() == [0, 0, 0, 0, 0, 1]
    assert x.classes.tolist() == [0, 1, 2, 4], "the cell above 0.25 is cut at 0.6"


def test_an_inactive_parameter_is_at_home_at_its_default() -> None:
    space = nested()
    row = space.encode({"use": "no"})
    _, x, _ = space.partition([np.empty(0), np.array([0.6]), np.empty(0)], row)
    assert x.cuts[x.home - 1] < 0.5 <= x.cuts[x.home]


def test_conditions_on_too_many_combinations_are_refused() -> None:
    space = ConfigurationSpace({f"s{i}": [*"abcdefgh"] for i in range(7)} | {"x": (0.0, 1.0)})
    space.add(AndConjunction(*(EqualsCondition(space["x"], space[f"s{i}"], "a") for i in range(7))))
    with pytest.raises(SpaceError, match="'x' is active depends on 2,097,152 combinations"):
        Space.of(space).partition([np.empty(0)] * 8, Space.of(space).default())
