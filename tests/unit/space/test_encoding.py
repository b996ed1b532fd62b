import numpy as np
import pytest
from ConfigSpace import (
    ConfigurationSpace,
    Constant,
    EqualsCondition,
    Float,
    ForbiddenAndConjunction,
    ForbiddenEqualsClause,
    Integer,
    OrdinalHyperparameter,
)
from ConfigSpace.hyperparameters import CategoricalHyperparameter

from tightrope.errors import SpaceError
from tightrope.records import Config
from tightrope.space import Space


@pytest.fixture
def space() -> Space:
    """Columns: flag, kind, size, z, and n if kind is 'b'."""
    configspace = ConfigurationSpace()
    kind = CategoricalHyperparameter("kind", ["a", "b"])
    flag = CategoricalHyperparameter("flag", [True, False])
    n = Integer("n", (1, 64))
    configspace.add(kind, flag, n, OrdinalHyperparameter("size", ["s", "m", "l"]), Constant("z", 1.5))
    configspace.add(EqualsCondition(n, kind, "b"))
    configspace.add(
        ForbiddenAndConjunction(ForbiddenEqualsClause(flag, False), ForbiddenEqualsClause(kind, "b"))
    )
    return Space(configspace)


def test_a_row_holds_numbers_indices_zero_for_constants_and_nan(space: Space) -> None:
    assert space.names == ("flag", "kind", "size", "z", "n")
    row = space.encode({"flag": True, "kind": "b", "size": "l", "z": 1.5, "n": 7})
    np.testing.assert_array_equal(row, [0.0, 1.0, 2.0, 0.0, 7.0])
    row = space.encode({"flag": False, "kind": "a", "size": "s", "z": 1.5})
    np.testing.assert_array_equal(row, [1.0, 0.0, 0.0, 0.0, np.nan])


def test_decoding_gives_native_types_in_the_order_of_the_space(space: Space) -> None:
    config = space.decode([0.0, 1.0, 2.0, 0.0, 7.0])
    assert isinstance(config, Config)
    assert [(name, type(value)) for name, value in config.items()] == [
        ("flag", bool), ("kind", str), ("size", str), ("z", float), ("n", int)
    ]  # fmt: skip


def test_choices_come_back_as_the_objects_they_were() -> None:
    layers = [[8, 8], [16]]
    space = Space(ConfigurationSpace([CategoricalHyperparameter("layers", layers)]))
    assert space.decode([1.0])["layers"] is layers[1]
    np.testing.assert_array_equal(space.encode({"layers": [16]}), [1.0])


def test_a_list_of_configs_becomes_rows(space: Space) -> None:
    configs = [space.decode(row) for row in space.sample(5, np.random.default_rng(0))]
    assert space.encode(configs).shape == (5, 5)
    assert space.encode([]).shape == (0, 5)


def test_floats_survive_to_the_last_bit() -> None:
    space = Space.of({"x": (1e-6, 1e6, "log"), "y": (-1.0, 1.0)})
    config = {"x": 0.1 + 0.2, "y": 1 / 3}
    assert space.decode(space.encode(config)) == config


def test_a_whole_float_is_taken_for_an_integer() -> None:
    space = Space.of({"n": (1, 9)})
    assert repr(space.decode(space.encode({"n": 3.0}))) == "Config({'n': 3})"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": 65}, "parameter 'n', given 65: .*an integer from 1 to 64"),
        ({"n": 1.5}, "an integer from 1 to 64"),
        ({"n": True}, "an integer from 1 to 64"),
        ({"n": "7"}, "an integer from 1 to 64"),
        ({"n": float("nan")}, "an integer from 1 to 64"),
        ({"size": "xl"}, "one of 's', 'm', 'l'"),
        ({"z": 2.5}, "the constant 1.5"),
        ({"knd": "a"}, "did you mean 'kind'"),
        ({"quite": "a"}, "the space has 'flag', 'kind'"),
        ({"kind": "a"}, "'n' must not have a value: other values make it inactive"),
        ({"flag": False}, "forbids this config .*flag == False && .*kind == 'b'"),
    ],
)
def test_what_is_wrong_with_a_config_is_named(space: Space, change: dict, message: str) -> None:
    config = {"flag": True, "kind": "b", "size": "l", "z": 1.5, "n": 7}
    with pytest.raises(SpaceError, match=message) as caught:
        space.encode({**config, **change})
    assert caught.value.hint


def test_missing_parameters_are_named(space: Space) -> None:
    with pytest.raises(SpaceError, match="no value for 'size', 'n'"):
        space.encode({"flag": True, "kind": "b", "z": 1.5})


def test_long_lists_are_cut_short_in_messages() -> None:
    space = Space.of({f"x{i}": list(range(30)) for i in range(20)})
    with pytest.raises(SpaceError, match=r"\.\.\. \(30 in all\)"):
        space.encode({"x0": 30})
    with pytest.raises(SpaceError, match="and 12 more"):
        space.encode({})


@pytest.mark.parametrize("row", [[2.0, 0.0, 0.0, 0.0, np.nan], [0.5, 0, 0, 0, np.nan], [-1, 0, 0, 0, np.nan]])
def test_a_number_that_encodes_no_value_is_refused(space: Space, row: list[float]) -> None:
    with pytest.raises(SpaceError, match="encodes no value") as caught:
        space.decode(row)
    assert (caught.value.key, caught.value.value) == ("flag", row[0])


def test_integers_that_float64_cannot_tell_apart_are_refused() -> None:
    with pytest.raises(SpaceError, match="beyond 2"):
        Space(ConfigurationSpace([Integer("n", (0, 2**54))]))


def test_bounds_are_values() -> None:
    space = Space(ConfigurationSpace([Float("x", (0.1, 0.7), log=True)]))
    assert space.is_legal(space.encode([{"x": 0.1}, {"x": 0.7}])).all()
