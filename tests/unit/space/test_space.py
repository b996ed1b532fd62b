import math
import pickle

import numpy as np
import pytest
from ConfigSpace import (
    BetaFloatHyperparameter,
    ConfigurationSpace,
    Constant,
    EqualsCondition,
    ForbiddenAndConjunction,
    ForbiddenEqualsClause,
    OrdinalHyperparameter,
    UniformIntegerHyperparameter,
)
from ConfigSpace.exceptions import ForbiddenValueError

from tightrope.errors import SpaceError
from tightrope.space import Space


@pytest.fixture
def space() -> Space:
    configspace = ConfigurationSpace({"a": ["x", "y", "z"], "k": 1, "n": (1, 8), "x": (1e-2, 1e2)})
    configspace.add(
        OrdinalHyperparameter("o", ["s", "m", "l"]), UniformIntegerHyperparameter("m", 1, 81, log=True)
    )
    configspace.add(EqualsCondition(configspace["n"], configspace["a"], "x"))
    configspace.add(
        ForbiddenAndConjunction(
            ForbiddenEqualsClause(configspace["a"], "z"), ForbiddenEqualsClause(configspace["o"], "l")
        )
    )
    return Space(configspace)


def test_columns_are_described_by_arrays(space: Space) -> None:
    assert space.names == ("a", "k", "m", "o", "x", "n") == tuple(space.configspace)
    assert space.categorical.tolist() == [True, False, False, False, False, False]
    assert space.n_values.tolist() == [3.0, 1.0, 81.0, 3.0, math.inf, 8.0]
    assert space.n_columns == len(space) == 6


def test_size_is_the_product_of_the_numbers_of_values(space: Space) -> None:
    assert space.size == math.inf
    assert Space.of({"a": ["x", "y"], "n": (1, 5), "k": 0}).size == 10.0


def test_an_enormous_space_has_infinite_size_without_complaint() -> None:
    assert Space.of({f"n{i}": (0, 10**9) for i in range(40)}).size == math.inf


def test_a_space_says_what_it_is_made_of(space: Space) -> None:
    assert repr(space) == "Space(6 parameters: 1 float, 2 integer, 1 categorical, 1 ordinal, 1 constant)"
    assert repr(Space.of({"x": (0.0, 1.0)})) == "Space(1 parameter: 1 float)"


def test_the_default_is_a_legal_row_with_inactive_values_nan() -> None:
    configspace = ConfigurationSpace({"a": ["x", "y"], "n": (1, 8)})
    configspace.add(EqualsCondition(configspace["n"], configspace["a"], "y"))
    np.testing.assert_array_equal(Space(configspace).default(), [0.0, np.nan])


def test_models_see_numbers_from_zero_to_one_and_choices_as_indices(space: Space) -> None:
    rows = np.array([[2, 0, 1, 0, 0.01, np.nan], [0, 0, 9, 1, 100.0, 8], [1, 0, 81, 2, 50.005, np.nan]])
    expected = [[2, 0, 0, 0, 0, np.nan], [0, 0, 0.5, 0.5, 1, 1], [1, 0, 1, 1, 0.5, np.nan]]
    np.testing.assert_allclose(space.for_model(rows), expected, rtol=1e-12)


def test_a_log_scale_is_seen_as_logarithms() -> None:
    space = Space.of({"x": (1e-4, 1.0, "log")})
    np.testing.assert_allclose(space.for_model([[1e-4], [1e-2], [1.0]])[:, 0], [0.0, 0.5, 1.0], atol=1e-12)


def test_views_leave_the_rows_alone(space: Space) -> None:
    rows = space.sample(10, np.random.default_rng(0))
    before = rows.copy()
    for view in (space.for_model, space.to_unit, space.activate, space.is_active, space.is_legal):
        view(rows)
    np.testing.assert_array_equal(rows, before)


def test_unit_positions_are_the_middles_of_equal_parts() -> None:
    space = Space.of({"a": ["x", "y"], "n": (1, 4)})
    np.testing.assert_allclose(space.to_unit([[0, 1], [1, 4]]), [[0.25, 0.125], [0.75, 0.875]])


def test_distributions_do_not_bend_the_unit_cube() -> None:
    space = Space(ConfigurationSpace([BetaFloatHyperparameter("x", 5, 1, lower=0.0, upper=10.0)]))
    np.testing.assert_allclose(space.from_unit([[0.1], [0.5]]), [[1.0], [5.0]])


@pytest.mark.parametrize(
    ("column", "value"),
    [(0, 3), (0, 0.5), (0, -1), (4, 1e3), (4, np.nan), (4, np.inf), (5, 0), (5, 1.5), (1, 1)],
)
def test_values_out_of_range_are_illegal(space: Space, column: int, value: float) -> None:
    row = space.default()
    assert space.is_legal(row[None, :])[0]
    row[column] = value
    assert not space.is_legal(row[None, :])[0]


@pytest.mark.parametrize("rows", [np.zeros(6), np.zeros((2, 5)), np.zeros((1, 1, 6))])
def test_rows_of_another_shape_are_refused(space: Space, rows: np.ndarray) -> None:
    for view in (
        space.is_legal,
        space.is_active,
        space.activate,
        space.for_model,
        space.to_unit,
        space.from_unit,
    ):
        with pytest.raises(SpaceError, match=r"have shape \(n, 6\)"):
            view(rows)


def test_a_space_can_be_pickled(space: Space) -> None:
    again = pickle.loads(pickle.dumps(space))
    rows = space.sample(50, np.random.default_rng(0))
    np.testing.assert_array_equal(again.sample(50, np.random.default_rng(0)), rows)
    assert again.is_legal(rows).all()


def test_what_is_added_to_the_configspace_later_has_no_effect(space: Space) -> None:
    space.configspace.add(Constant("later", 1))
    assert "later" not in space.names


def test_a_space_without_parameters_is_refused() -> None:
    with pytest.raises(SpaceError, match="has no parameters"):
        Space(ConfigurationSpace())


def test_a_space_that_forbids_its_default_is_refused() -> None:
    configspace = ConfigurationSpace({"a": ["x", "y"]})
    with pytest.raises(ForbiddenValueError):  # after which the clause is there all the same
        configspace.add(ForbiddenEqualsClause(configspace["a"], "x"))
    with pytest.raises(SpaceError, match="forbids its default config"):
        Space(configspace)


def test_a_parameter_of_an_unknown_kind_is_refused() -> None:
    from ConfigSpace.hyperparameters import Hyperparameter

    class Odd(Hyperparameter):
        """A user-defined parameter."""

        def __init__(self) -> None:
            constant = Constant("odd", 1)
            vars(self).update(vars(constant))

    with pytest.raises(SpaceError, match="type Odd are not supported") as caught:
        Space(ConfigurationSpace([Odd()]))
    assert caught.value.key == "odd"
