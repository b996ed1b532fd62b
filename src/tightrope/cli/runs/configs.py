"""Read the configs that `validate` compares: the default, the best of a tuning, and files."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tightrope.cli.runs.ablation import stripped_config
from tightrope.cli.runs.folder import RunFolder
from tightrope.cli.runs.replay import Replay
from tightrope.cli.terminal.console import Terminal
from tightrope.errors import Fault, ScenarioError, SpaceError, UsageError
from tightrope.records import Config
from tightrope.scenario.scenario import Scenario
from tightrope.space import Space


def read_contenders(
    words: str, folder: RunFolder, scenario: Scenario, terminal: Terminal
) -> dict[str, Mapping[str, Any]]:
    """Return the listed configs by name: "default", "best", "stripped", or the path of a file."""
    found: dict[str, Mapping[str, Any]] = {}
    for word in filter(None, (word.strip() for word in words.split(","))):
        if word == "default":
            found[word] = scenario.default_config
        elif word == "best":
            found[word] = Replay(folder, terminal).look().progress.config
        elif word == "stripped":
            best = Replay(folder, terminal).look().progress.config
            found[word] = stripped_config(folder, scenario, best)
        else:
            found[Path(word).stem] = read_config_file(Path(word), Space.of(scenario.space))
    if not found:
        raise UsageError("--configs is empty", hint="write --configs default,best")
    return found


def read_config_file(file: Path, space: Space) -> Config:
    """Read a config; parameters missing in the file take their defaults."""
    values = _unwrapped(_values(file), space)
    try:
        return space.complete(values)
    except SpaceError as error:
        raise ScenarioError(Fault(str(error), file=str(file))) from error


def _values(file: Path) -> dict[str, Any]:
    hint = 'write one table of values, such as {"alpha": 0.5}'
    try:
        text = file.read_text(encoding="utf-8")
        values = tomllib.loads(text) if file.suffix == ".toml" else json.loads(text)
    except OSError as error:
        problem = error.strerror or str(error)
        raise UsageError(
            f"--configs: {str(file)!r} is not 'default', 'best' or a readable file: {problem}"
        ) from error
    except ValueError as error:
        raise ScenarioError(
            Fault(
                f"this is not valid {'TOML' if file.suffix == '.toml' else 'JSON'}: {error}", hint, str(file)
            )
        ) from error
    if not isinstance(values, dict):
        raise ScenarioError(Fault("this is not a table of values", hint, str(file)))
    return values


def _unwrapped(values: dict[str, Any], space: Space) -> dict[str, Any]:
    """Return the inner table, if the file is one that `tightrope best` wrote."""
    for key in ("default", "config"):
        if key not in space.names and isinstance(values.get(key), dict):
            return dict(values[key])
    return values
