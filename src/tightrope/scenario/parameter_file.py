"""Formats of parameter files; the content of a file decides its format."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ConfigSpace import ConfigurationSpace

from tightrope.errors import Fault, ScenarioError, SpaceError
from tightrope.scenario.configspace_json import is_json, read_json, write_json
from tightrope.scenario.irace.read import read_irace
from tightrope.scenario.irace.write import write_irace
from tightrope.scenario.pcs.read import read_pcs
from tightrope.scenario.pcs.write import write_pcs
from tightrope.scenario.pcs.write_old import write_old_pcs
from tightrope.scenario.text.source import Source
from tightrope.space import Space

_IRACE_LINE = re.compile(r'[\w.]+\s+"[^"]*"\s+[a-z,]+\s*\(')


def _is_irace(source: Source) -> bool:
    return any(_IRACE_LINE.match(piece.text) for piece in source.pieces())


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its writer, whether a file has it, and its reader of a file, given a default config."""

    write: Callable[[ConfigurationSpace], str]
    matches: Callable[[Source], bool]
    read: Callable[[Source, Mapping[str, Any] | None], ConfigurationSpace]


# The first that matches reads a file. The reader of PCS files reads both dialects.
FORMATS: Final[Mapping[str, Format]] = {
    "configspace": Format(write_json, is_json, lambda source, _: read_json(source)),
    "irace": Format(write_irace, _is_irace, lambda source, default: read_irace(source.file, default=default)),
    "pcs": Format(write_old_pcs, lambda _: True, lambda source, _: read_pcs(source.file)),
    "pcs-new": Format(write_pcs, lambda _: False, lambda source, _: read_pcs(source.file)),
}


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
    form = next(each for each in FORMATS.values() if each.matches(source))
    space = form.read(source, default)
    try:
        Space(space)
    except SpaceError as error:
        raise ScenarioError(Fault(error.problem, error.hint, str(path), key=error.key)) from error
    return space
