import numpy as np
import pytest
from ConfigSpace import ConfigurationSpace, Float

from tightrope.errors import SpaceError
from tightrope.space import Space


def test_each_kind_of_value_becomes_its_parameter() -> None:
    space = Space.of(
        {"x": (0.0, 1.0), "n": (1, 64), "kind": ["a", "b"], "k": "fixed", "y": (1e-3, 1.0, "log")}
    )
    kinds = {column.name: column.kind for column in space.columns.each}
    assert kinds == {"x": "float", "n": "integer", "kind": "categorical", "k": "constant", "y": "float"}
    assert {column.name for column in space.columns.each if column.is_log} == {"y"}


def test_one_integer_bound_and_one_float_bound_mean_floats() -> None:
    assert Space.of({"x": (0, 1.5)}).columns.each[0].kind == "float"


def test_integers_may_have_a_log_scale() -> None:
    (column,) = Space.of({"n": (1, 1024, "log")}).columns.each
    assert (column.kind, column.is_log, column.default) == ("integer", True, 32.0)


def test_numpy_numbers_are_numbers() -> None:
    space = Space.of({"n": (np.int64(1), np.int32(3)), "x": (np.float64(0.0), np.float32(1.0))})
    assert [column.kind for column in space.columns.each] == ["integer", "float"]


@pytest.mark.parametrize("constant", ["fixed", 3, 2.5, True, None])
def test_anything_single_is_a_constant(constant: object) -> None:
    space = Space.of({"k": constant})
    assert space.decode(space.default())["k"] is constant


def test_a_dictionary_may_hold_parameters_of_configspace() -> None:
    space = Space.of({"x": Float("x", (0.0, 1.0), default=0.25), "n": (1, 3)})
    assert space.decode(space.default()) == {"n": 2, "x": 0.25}


def test_a_space_passes_through_and_a_configspace_is_compiled() -> None:
    configspace = ConfigurationSpace({"x": (0.0, 1.0)})
    space = Space.of(configspace)
    assert space.configspace is configspace
    assert Space.of(space) is space


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ((1.0, 0.0), "lower bound must be below"),
        ((1, 1), "the number alone for a constant"),
        ((0.0, 1.0, "log"), "positive lower bound"),
        ((0.0, 1.0, "linear"), "a tuple must be a range"),
        ((0.0,), "a tuple must be a range"),
        ((), "a tuple must be a range"),
        ((0.0, 1.0, "log", 3), "a tuple must be a range"),
        (("a", "b"), r"write choices as a list: \['a', 'b'\]"),
        ((False, True), r"write choices as a list: \[False, True\]"),
        ((0.0, float("inf")), "a tuple must be a range"),
        ((float("nan"), 1.0), "a tuple must be a range"),
        ((0, 2**60), "beyond 2"),
        ((1e-14, 1.0, "log"), "13 decimals"),
        ([], "the list of choices is empty"),
        (["a", "b", "a"], "occurs twice"),
        ({"a", "b"}, "not a range, a list of choices or a constant"),
        (np.array([0.0, 1.0]), "accepted: "),
        (float("nan"), "accepted: "),
        (Float("y", (0.0, 1.0)), "named 'y'"),
    ],
)
def test_a_wrong_value_is_refused_by_name(value: object, message: str) -> None:
    with pytest.raises(SpaceError, match=message) as caught:
        Space.of({"n": (1, 64), "x": value})
    assert caught.value.key == "x"
    assert caught.value.hint


@pytest.mark.parametrize("space", [{}, {3: (0.0, 1.0)}, {"": (0.0, 1.0)}, [("x", (0.0, 1.0))], None, "x"])
def test_an_object_that_is_not_a_space_is_refused(space: object) -> None:
    with pytest.raises(SpaceError) as caught:
        Space.of(space)  # type: ignore[arg-type]
    assert caught.value.hint
