"""Reader of parameter files of every format; the content of a file decides its format."""

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
    """Read a space from a PCS file, an irace parameter file, or JSON written by ConfigSpace.

    Parameters
    ----------
    path : str or Path
        The file. Its content decides the format.
    default : mapping or None, default=None
        The default config for irace files, which have none.

    Returns
    -------
    ConfigurationSpace
        The space.

    Raises
    ------
    ScenarioError
        If the file cannot be read or is invalid. The error lists all faults.
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
    """Return the format of a parameter file. A file that is neither JSON nor irace counts as PCS."""
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
