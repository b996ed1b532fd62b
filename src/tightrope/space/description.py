"""Spaces as plain values: ConfigSpace's JSON, which also tells whether two spaces are the same."""

from dataclasses import asdict
from typing import Any

from ConfigSpace import ConfigurationSpace
from ConfigSpace.hyperparameters import Hyperparameter
from ConfigSpace.read_and_write.dictionary import HYPERPARAMETER_ENCODERS

from tightrope.errors import SpaceError
from tightrope.space.types import read_column, type_of


def describe_space(configspace: ConfigurationSpace) -> dict[str, Any]:
    """Return a description that is equal for equal spaces.

    Parameters that ConfigSpace cannot write as JSON are described by their columns.
    """
    foreign = {type(parameter): (type_of(parameter).kind, _describe) for parameter in _foreign(configspace)}
    return configspace.to_serialized_dict(encoders=foreign)


def write_configspace(configspace: ConfigurationSpace) -> dict[str, Any]:
    """Return what ConfigSpace reads as the same space; raise an error if it does not know a parameter."""
    for parameter in _foreign(configspace):
        raise SpaceError(
            f"ConfigSpace's JSON has no {type_of(parameter).kind} parameters",
            key=parameter.name,
            hint="write TOML",
        )
    return configspace.to_serialized_dict()


def _foreign(configspace: ConfigurationSpace) -> list[Hyperparameter[Any, Any]]:
    return [each for each in configspace.values() if type(each) not in HYPERPARAMETER_ENCODERS]


def _describe(parameter: Hyperparameter[Any, Any], _: object) -> dict[str, Any]:
    return asdict(read_column(parameter))
