"""Conversion of parameter files and scenarios between formats."""

from pathlib import Path
from typing import Any

from ConfigSpace import ConfigurationSpace

from tightrope.errors import Fault, ScenarioError
from tightrope.scenario.irace.switches import with_switches
from tightrope.scenario.parameter_file import FORMATS, read_parameter_file
from tightrope.scenario.read import is_scenario, kind_of, read_scenario
from tightrope.scenario.text.source import Source
from tightrope.scenario.toml.entry import read_document, toml_source
from tightrope.scenario.toml.read import is_complete, read_toml_space
from tightrope.scenario.toml.values import read_flags, read_style
from tightrope.scenario.toml.write import write_parameters, write_scenario
from tightrope.space import Space


def convert(path: str | Path, to: str, *, base: str | Path | None = None) -> str:
    """Convert a file to another format.

    Parameters
    ----------
    path : str or Path
        A parameter file or a scenario of any format.
    to : {"toml", "pcs", "pcs-new", "irace", "configspace"}
        The format. Only TOML keeps a whole scenario; the other formats hold its parameters only, and irace
        their form on the command line.
    base : str, Path or None, default=None
        The folder where a scenario in TOML will be stored. None: the folder of the file.

    Returns
    -------
    str
        The content of the new file.

    Raises
    ------
    ScenarioError
        If the file cannot be read or is invalid.
    SpaceError
        If the format cannot express the space, or irace the form of parameters on the command line.
    """
    source = Source.of_file(path)
    if to == "irace":
        return FORMATS[to].write(_with_switches(path, source))
    if to != "toml":
        return FORMATS[to].write(read_space(path))
    if holds_scenario(source):
        return write_scenario(read_scenario(path), base=Path(path).parent if base is None else base)
    return write_parameters(read_space(path))


def read_space(path: str | Path) -> ConfigurationSpace:
    """Read the parameters of a parameter file or of a scenario.

    Parameters
    ----------
    path : str or Path
        The file. Its content decides the format.

    Returns
    -------
    ConfigurationSpace
        The space.

    Raises
    ------
    ScenarioError
        If the file cannot be read or is invalid.
    """
    source = Source.of_file(path)
    if not is_scenario(source):
        return read_parameter_file(path)
    if kind_of(source) != "toml":
        return Space.of(read_scenario(path).space).configspace
    space = read_toml_space(toml_source("\n".join(source.lines), file=source.file), folder=Path(path).parent)
    if space is None:
        raise ScenarioError(Fault("the key `params` is missing", "add it", source.file, key="params"))
    return space.configspace


def _with_switches(path: str | Path, source: Source) -> ConfigurationSpace:
    """Return the parameters of a file, with switches that write them as its command does, if it has one."""
    space = read_space(path)
    if not is_scenario(source) or kind_of(source) == "irace":
        return space
    if kind_of(source) == "aclib":
        target: Any = read_scenario(path).target
        return with_switches(space, target.parameters, flags=target.flags)
    entries = read_document(toml_source("\n".join(source.lines), file=source.file)).table()
    if not {"command", "style", "flags"} & entries.keys():
        return space
    patterns = read_style(entries["style"]) if "style" in entries else None
    return with_switches(space, patterns, flags=read_flags(entries["flags"]) if "flags" in entries else None)


def holds_scenario(source: Source) -> bool:
    """Return whether a file is a scenario, and not only the parameters of one."""
    if not is_scenario(source):
        return False
    return kind_of(source) != "toml" or is_complete(toml_source("\n".join(source.lines), file=source.file))
