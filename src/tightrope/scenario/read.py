"""read_scenario(): scenarios of all kinds."""

from pathlib import Path

from tightrope.scenario.entry import toml_source
from tightrope.scenario.scenario import Scenario
from tightrope.scenario.source import Source
from tightrope.scenario.toml import read_toml


def read_scenario(path: str | Path, *, base: str | Path | None = None) -> Scenario:
    """Read a scenario from a file, and all files that it names.

    Parameters
    ----------
    path : str or Path
        The file.
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
    folder = Path(path).parent if base is None else Path(base)
    return read_toml(toml_source("\n".join(source.lines), file=source.file), folder=folder)
