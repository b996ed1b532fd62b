"""read_scenario(): scenarios of all kinds, told apart by what they hold."""

from pathlib import Path
from typing import Literal

from tightrope.scenario.aclib import scenario as aclib
from tightrope.scenario.aclib.scenario import read_aclib
from tightrope.scenario.irace import scenario as irace_scenario
from tightrope.scenario.irace.scenario import read_irace_scenario
from tightrope.scenario.scenario import Scenario
from tightrope.scenario.text.assignments import blank_keys_of, keys_of
from tightrope.scenario.text.source import Source
from tightrope.scenario.toml import keys
from tightrope.scenario.toml.entry import toml_source
from tightrope.scenario.toml.read import read_toml

Kind = Literal["toml", "aclib", "irace"]
_TOML = frozenset(key.name for key in keys.KEYS)


def read_scenario(path: str | Path, *, base: str | Path | None = None) -> Scenario:
    """Read a scenario from a file, and all files that it names.

    Parameters
    ----------
    path : str or Path
        The file: TOML, or a scenario file of SMAC, ParamILS, AClib or irace.
    base : str, Path or None, default=None
        The folder that relative paths refer to, and in which the command is run; None: that of the file.

    Returns
    -------
    Scenario
        What is to be tuned; its target is a `CommandTarget`.

    Raises
    ------
    ScenarioError
        If a file cannot be read or is not sound; it tells all faults, with their lines and columns.
    """
    source = Source.of_file(path)
    folder = Path(path).parent if base is None else base
    return parse_scenario("\n".join(source.lines), base=folder, file=source.file)


def parse_scenario(text: str, *, base: str | Path = ".", file: str = "text") -> Scenario:
    """Read a scenario from a text, and all files that it names.

    Parameters
    ----------
    text : str
        What a scenario file holds.
    base : str or Path, default="."
        The folder that relative paths refer to, and in which the command is run.
    file : str, default="text"
        How errors call it.

    Returns
    -------
    Scenario
        What is to be tuned.

    Raises
    ------
    ScenarioError
        If the text, or a file that it names, is not sound.

    Examples
    --------
    >>> scenario = parse_scenario('''
    ... command = "./solver {parameters}"
    ... ceiling = "300s"
    ... budget = "8h"
    ... [params]
    ... depth = { type = "integer", range = [1, 64], log = true }
    ... ''')
    >>> scenario.ceiling, scenario.space
    (300.0, Space(1 parameter: 1 integer))
    """
    source = Source.of_text(text, file=file)
    match kind_of(source):
        case "aclib":
            return read_aclib(source, folder=Path(base))
        case "irace":
            return read_irace_scenario(source, folder=Path(base))
        case "toml":
            return read_toml(toml_source(text, file=file), folder=Path(base))


def kind_of(source: Source) -> Kind:
    """Tell what kind of scenario this is: the one that knows most of its keys, or else TOML."""
    known = _count_keys(source)
    return "toml" if _is_toml(source) else max(known, key=lambda kind: known[kind])


def is_scenario(source: Source) -> bool:
    """Tell whether this is a scenario at all, and not a parameter file."""
    return _is_toml(source) or any(_count_keys(source).values())


def _is_toml(source: Source) -> bool:
    return Path(source.file).suffix == ".toml"


def _count_keys(source: Source) -> dict[Kind, int]:
    found = keys_of(source)
    with_blanks = [*found, *blank_keys_of(source)]
    return {
        "toml": sum(key in _TOML for key in found),
        "aclib": sum(aclib.spelling(key) in aclib.KEYS for key in with_blanks),
        "irace": sum(key in irace_scenario.KEYS for key in found),
    }
