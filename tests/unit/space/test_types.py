"""Types of parameters: which one a parameter has, and what follows from it."""

import json

import pytest
from ConfigSpace import ConfigurationSpace
from ConfigSpace.hyperparameters import (
    BetaIntegerHyperparameter,
    CategoricalHyperparameter,
    Constant,
    Hyperparameter,
    NormalFloatHyperparameter,
    OrdinalHyperparameter,
    UniformFloatHyperparameter,
)

from tightrope.errors import SpaceError
from tightrope.space.description import describe_space, write_configspace
from tightrope.space.types import read_column, type_of


class Share(UniformFloatHyperparameter):
    """A class of a user."""


def space_of(*parameters: Hyperparameter) -> ConfigurationSpace:
    space = ConfigurationSpace()
    space.add(list(parameters))
    return space


@pytest.mark.parametrize(
    ("parameter", "kind", "is_uniform"),
    [
        (UniformFloatHyperparameter("x", 0, 1), "float", True),
        (NormalFloatHyperparameter("x", 0.5, 0.1, lower=0, upper=1), "float", False),
        (BetaIntegerHyperparameter("x", 2, 2, lower=1, upper=9), "integer", False),
        (CategoricalHyperparameter("x", ["a", "b"]), "categorical", True),
        (CategoricalHyperparameter("x", ["a", "b"], weights=[1, 2]), "categorical", False),
        (OrdinalHyperparameter("x", ["a", "b"]), "ordinal", True),
        (Constant("x", 1), "constant", True),
        (Share("x", 0, 1), "float", True),
    ],
)
def test_a_type_is_found_by_class(parameter: Hyperparameter, kind: str, is_uniform: bool) -> None:
    assert type_of(parameter).kind == read_column(parameter).kind == kind
    assert (type_of(parameter).prior(parameter) is None) is is_uniform


def test_an_ordinal_with_one_level_is_a_constant() -> None:
    column = read_column(OrdinalHyperparameter("x", ["a"]))
    assert column.kind == "constant"
    assert not column.is_ordinal


def test_a_description_of_what_configspace_knows_is_its_own_json() -> None:
    space = space_of(UniformFloatHyperparameter("x", 0, 1), Constant("y", 2))
    assert describe_space(space) == write_configspace(space) == space.to_serialized_dict()


def test_a_class_that_configspace_cannot_write_is_described_by_its_column() -> None:
    described = [describe_space(space_of(Share("x", 0, upper))) for upper in (1, 1, 2)]
    assert json.dumps(described[0]) == json.dumps(described[1]) != json.dumps(described[2])


def test_a_class_that_configspace_cannot_write_is_refused_as_json() -> None:
    with pytest.raises(SpaceError, match="'x': ConfigSpace's JSON has no float parameters"):
        write_configspace(space_of(Share("x", 0, 1)))
