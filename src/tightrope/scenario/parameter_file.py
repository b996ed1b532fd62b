"""Parameter files of all kinds, told apart by what they hold."""

import json
import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from ConfigSpace import ConfigurationSpace

from tightrope.errors import Fault, ScenarioError, SpaceError
from tightrope.scenario.irace.read import read_irace
from tightrope.scenario.pcs.read import read_pcs
from tightrope.scenario.text.source import Piece, Source
from tightrope.space import Space

Format = Literal["pcs", "irace", "configspace"]

_IRACE_LINE = re.compile(r'[\w.]+\s+"[^"]*"\s+[a-z,]+\s*\(')
_JSON_START = re.compile(r'\s*\{\s*("|\})')


def read_parameter_file(path: str | Path, *, default: Mapping[str, Any] | None = None) -> ConfigurationSpace:
    """Read a space from a PCS file, a parameter file of irace, or ConfigSpace's JSON.

    Parameters
    ----------
    path : str or Path
        The file; what it holds tells its format.
    default : mapping or None, default=None
        The default config for files of irace, which hold none.

    Returns
    -------
    ConfigurationSpace
        The space.

    Raises
    ------
    ScenarioError
        If the file cannot be read or is not sound; it tells all faults.
    """
    source = Source.of_file(path)
    match format_of(source):
        case "configspace":
            space = _read_configspace(source)
        case "irace":
            space = read_irace(path, default=default)
        case "pcs":
            space = read_pcs(path)
    try:
        Space(space)
    except SpaceError as error:
        raise ScenarioError(Fault(error.problem, error.hint, str(path), key=error.key)) from error
    return space


def format_of(source: Source) -> Format:
    """Tell which kind of parameter file this is; what is neither of the others is taken for PCS."""
    if Path(source.file).suffix == ".json" or _JSON_START.match("\n".join(source.lines)):
        return "configspace"
    if any(_IRACE_LINE.match(piece.text) for piece in source.pieces()):
        return "irace"
    return "pcs"


def _read_configspace(source: Source) -> ConfigurationSpace:
    try:
        content = json.loads("\n".join(source.lines))
    except json.JSONDecodeError as error:
        where = Piece("", source, error.lineno, error.colno)
        raise where.error(f"not JSON: {error.msg}", hint="let ConfigSpace write it with to_json") from None
    except (RecursionError, ValueError) as error:
        raise ScenarioError(Fault(f"not JSON: {error}", "check the file", source.file)) from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of older formats
            return ConfigurationSpace.from_serialized_dict(content)
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        problem = f"not a space of ConfigSpace: {type(error).__name__}: {error}"
        hint = "let ConfigSpace write it with to_json"
        raise ScenarioError(Fault(problem, hint, source.file)) from error
