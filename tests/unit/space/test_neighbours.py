import numpy as np
import pytest
from ConfigSpace import (
    ConfigurationSpace,
    EqualsCondition,
    ForbiddenAndConjunction,
    ForbiddenEqualsClause,
    OrdinalHyperparameter,
)

from tightrope.errors import SpaceError
from tightrope.space import Space, neighbours


def around(space: Space, config: dict, **settings) -> list[dict]:
    found, _ = neighbours(space, space.encode([config]), np.random.default_rng(0), **settings)
    return [dict(space.decode(row)) for row in found]


def test_a_categorical_parameter_takes_every_other_choice() -> None:
    space = Space.of({"a": ["x", "y", "z", "w"]})
    assert sorted(config["a"] for config in around(space, {"a": "y"})) == ["w", "x", "z"]


@pytest.mark.parametrize(("own", "expected"), [("s", ["m"]), ("m", ["s", "l"]), ("l", ["m"])])
def test_an_ordinal_parameter_takes_the_adjacent_choices(own: str, expected: list[str]) -> None:
    space = Space(ConfigurationSpace([OrdinalHyperparameter("a", ["s", "m", "l"])]))
    assert [config["a"] for config in around(space, {"a": own})] == expected


def test_an_integer_with_few_values_takes_all_others() -> None:
    space = Space.of({"n": (3, 7)})
    assert sorted(config["n"] for config in around(space, {"n": 4})) == [3, 5, 6, 7]


def test_an_integer_with_many_values_takes_distinct_ones_near_its_own() -> None:
    space = Space.of({"n": (0, 1000)})
    values = [config["n"] for config in around(space, {"n": 400}, n_draws=8, spread=0.01)]
    assert len(set(values)) == 8
    assert 400 not in values
    assert all(abs(value - 400) < 60 for value in values)


def test_an_integer_takes_as_many_values_as_asked_for_however_narrow_the_draws() -> None:
    space = Space.of({"n": (1, 6)})
    assert sorted(config["n"] for config in around(space, {"n": 1}, spread=1e-3)) == [2, 3, 4, 5]
    assert len(around(space, {"n": 3}, n_draws=4)) == 4


def test_constants_and_single_choices_have_no_neighbours() -> None:
    assert around(Space.of({"a": ["only"], "k": 3}), {"a": "only", "k": 3}) == []


def test_draws_follow_the_truncated_normal_on_the_parameters_scale() -> None:
    """At the lower bound the half normal remains: mean 0.2 sqrt(2 / pi) = 0.1596, standard error 0.0019."""
    space = Space.of({"x": (1e-3, 1e3, "log"), "n": (1, 10**6)})
    rows = np.tile(space.encode({"x": 1e-3, "n": 1}), (1000, 1))
    found, origin = neighbours(space, rows, np.random.default_rng(0))
    assert np.bincount(origin).tolist() == [8] * 1000
    unit = space.to_unit(found)
    moved = [unit[found[:, j] != rows[origin, j], j] for j in range(2)]
    np.testing.assert_allclose([values.mean() for values in moved], 0.1596, atol=0.008)
    np.testing.assert_allclose([np.median(values) for values in moved], 0.2 * 0.6745, atol=0.01)


def test_exchanging_a_parent_settles_its_children() -> None:
    configspace = ConfigurationSpace({"a": ["x", "y", "z"], "b": (1, 9), "c": ["p", "q"]})
    configspace.add(EqualsCondition(configspace["b"], configspace["a"], "x"))
    configspace.add(EqualsCondition(configspace["c"], configspace["a"], "y"))
    found = around(Space(configspace), {"a": "x", "b": 9}, n_draws=1)
    assert {"a": "y", "c": "p"} in found
    assert {"a": "z"} in found
    assert len(found) == 3


def test_inactive_parameters_are_not_exchanged() -> None:
    configspace = ConfigurationSpace({"a": ["x", "y"], "b": ["p", "q"]})
    configspace.add(EqualsCondition(configspace["b"], configspace["a"], "x"))
    assert around(Space(configspace), {"a": "y"}) == [{"a": "x", "b": "p"}]


def test_forbidden_neighbours_are_left_out() -> None:
    configspace = ConfigurationSpace({"a": ["x", "y"], "b": ["p", "q"]})
    a, b = configspace["a"], configspace["b"]
    configspace.add(ForbiddenAndConjunction(ForbiddenEqualsClause(a, "y"), ForbiddenEqualsClause(b, "p")))
    assert around(Space(configspace), {"a": "x", "b": "p"}) == [{"a": "x", "b": "q"}]


def test_each_neighbour_knows_its_origin() -> None:
    space = Space.of({"a": ["x", "y", "z"], "n": (1, 99), "x": (0.0, 1.0)})
    rows = space.sample(20, np.random.default_rng(1))
    found, origin = neighbours(space, rows, np.random.default_rng(0))
    assert (np.diff(origin) >= 0).all()
    assert set(origin) == set(range(20))
    assert ((found != rows[origin]).sum(axis=1) == 1).all()


def test_no_rows_have_no_neighbours() -> None:
    space = Space.of({"a": ["x", "y", "z"], "n": (1, 99)})
    found, origin = neighbours(space, np.empty((0, 2)), np.random.default_rng(0))
    assert found.shape == (0, 2)
    assert origin.shape == (0,)


@pytest.mark.parametrize("settings", [{"n_draws": 0}, {"spread": 0.0}, {"spread": float("nan")}])
def test_settings_out_of_range_are_refused(settings: dict) -> None:
    with pytest.raises(ValueError, match="must be positive"):
        around(Space.of({"n": (1, 9)}), {"n": 1}, **settings)


def test_a_single_row_is_refused_with_a_hint() -> None:
    space = Space.of({"n": (1, 9)})
    with pytest.raises(SpaceError, match=r"row\[None, :\]"):
        neighbours(space, space.default(), np.random.default_rng(0))
