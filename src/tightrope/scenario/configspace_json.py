"""Reader and writer of JSON as ConfigSpace writes it."""

import json
import re
import warnings
from pathlib import Path

from ConfigSpace import ConfigurationSpace

from tightrope.errors import Fault, ScenarioError
from tightrope.scenario.text.source import Piece, Source
from tightrope.space.description import write_configspace

_START = re.compile(r'\s*\{\s*("|\})')


def is_json(source: Source) -> bool:
    """Return whether a file looks like JSON."""
    return Path(source.file).suffix == ".json" or _START.match("\n".join(source.lines)) is not None


def write_json(space: ConfigurationSpace) -> str:
    """Write a space as JSON."""
    return json.dumps(write_configspace(space), indent=2) + "\n"


def read_json(source: Source) -> ConfigurationSpace:
    """Read a space from JSON."""
    try:
        content = json.loads("\n".join(source.lines))
    except json.JSONDecodeError as error:
        where = Piece("", source, error.lineno, error.colno)
        raise where.error(
            f"invalid JSON: {error.msg}", hint="write the file with ConfigSpace's to_json"
        ) from None
    except (RecursionError, ValueError) as error:
        raise ScenarioError(Fault(f"invalid JSON: {error}", "check the file", source.file)) from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about older versions of the format
            return ConfigurationSpace.from_serialized_dict(content)
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        problem = f"not a ConfigSpace space: {type(error).__name__}: {error}"
        hint = "write the file with ConfigSpace's to_json"
        raise ScenarioError(Fault(problem, hint, source.file)) from error
