"""Reader of scenario files of every format; the content of a file decides its format."""

from pathlib import Path
from typing import Literal

from tightrope.scenario.aclib import scenario as aclib
from tightrope.scenario.aclib.scenario import read_aclib
from tightrope.scenario.irace import scenario as irace_scenario
from tightrope.scenario.irace.scenario import read_irace_scenario
from tightrope.scenario.scenario import Scenario
from tightrope.scenario.text.assignments import keys_of, whitespace_keys_of
from tightrope.scenario.text.source import Source
from tightrope.scenario.toml import keys
from tightrope.scenario.toml.entry import toml_source
from tightrope.scenario.toml.read import read_toml
from tightrope.store.collection import without_collection

Kind = Literal["toml", "aclib", "irace"]
_TOML = frozenset(key.name for key in keys.KEYS)


def read_scenario(path: str | Path, *, base: str | Path | None = None) -> Scenario:
    """Read a scenario file, and all files it refers to.

    Parameters
    ----------
    path : str or Path
        A scenario in TOML, or a scenario file of SMAC, ParamILS, AClib or irace.
    base : str, Path or None, default=None
        The folder that relative paths start from and the command runs in. None: the folder of the file.

    Returns
    -------
    Scenario
        The scenario; its target is a `CommandTarget`.

    Raises
    ------
    ScenarioError
        If a file cannot be read or is invalid. The error lists all faults, with lines and columns.
    """
    source = Source.of_file(path)
    folder = Path(path).parent if base is None else base
    return parse_scenario("\n".join(source.lines), base=folder, file=source.file)


@without_collection()
def parse_scenario(text: str, *, base: str | Path = ".", file: str = "text") -> Scenario:
    """Read a scenario from a string, and all files it refers to.

    Parameters
    ----------
    text : str
        The content of a scenario file.
    base : str or Path, default="."
        The folder that relative paths start from and the command runs in.
    file : str, default="text"
        The file name to show in errors.

    Returns
    -------
    Scenario
        The scenario.

    Raises
    ------
    ScenarioError
        If the text, or a file it refers to, is invalid.

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
    """Return the format that has most of the file's keys. TOML wins ties and all files named *.toml."""
    known = _count_keys(source)
    return "toml" if _is_toml(source) else max(known, key=lambda kind: known[kind])


def is_scenario(source: Source) -> bool:
    """Return whether this is a scenario, and not a parameter file."""
    return _is_toml(source) or any(_count_keys(source).values())


def _is_toml(source: Source) -> bool:
    return Path(source.file).suffix == ".toml"


def _count_keys(source: Source) -> dict[Kind, int]:
    found = keys_of(source)
    all_found = [*found, *whitespace_keys_of(source)]
    return {
        "toml": sum(key in _TOML for key in found),
        "aclib": sum(aclib.normalize_key(key) in aclib.KEYS for key in all_found),
        "irace": sum(key in irace_scenario.KEYS for key in found),
    }
