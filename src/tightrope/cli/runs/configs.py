"""Which configs are compared: the default, the best of a tuning, and those of files."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tightrope.cli.runs.folder import RunFolder
from tightrope.cli.runs.replay import Replay
from tightrope.cli.terminal.console import Terminal
from tightrope.compare.progress import default_of
from tightrope.errors import Fault, ScenarioError, SpaceError, UsageError
from tightrope.records import Config
from tightrope.scenario.scenario import Scenario
from tightrope.space import Space


def read_contenders(
    words: str, folder: RunFolder, scenario: Scenario, terminal: Terminal
) -> dict[str, Mapping[str, Any]]:
    """Return the configs that are listed, by name: "default", "best", or a file of JSON or TOML."""
    found: dict[str, Mapping[str, Any]] = {}
    for word in filter(None, (word.strip() for word in words.split(","))):
        if word == "default":
            found[word] = default_of(scenario)
        elif word == "best":
            found[word] = Replay(folder, terminal).look().progress.config
        else:
            found[Path(word).stem] = read_config_file(Path(word), Space.of(scenario.space))
    if not found:
        raise UsageError("no config is named", hint="write --configs default,best")
    return found


def read_config_file(file: Path, space: Space) -> Config:
    """Read a config; what the file leaves out is at its default."""
    values = _unwrapped(_values(file), space)
    row = np.full((1, len(space)), np.nan)
    try:
        for name, value in values.items():
            if name not in space.names:
                raise SpaceError("there is no such parameter", key=name)
            position = space.columns.position[name]
            row[0, position] = space.columns.each[position].code(value)
        config = space.decode(space.activate(row)[0])
        space.encode(config)
    except SpaceError as error:
        raise ScenarioError(Fault(str(error), file=str(file))) from error
    return config


def _values(file: Path) -> dict[str, Any]:
    hint = 'write a table of values, such as {"alpha": 0.5}'
    try:
        text = file.read_text(encoding="utf-8")
        values = tomllib.loads(text) if file.suffix == ".toml" else json.loads(text)
    except OSError as error:
        problem = error.strerror or str(error)
        raise UsageError(
            f"{file} is neither 'default' nor 'best', and as a file it cannot be read: {problem}"
        ) from error
    except ValueError as error:
        raise ScenarioError(Fault(f"this is neither JSON nor TOML: {error}", hint, str(file))) from error
    if not isinstance(values, dict):
        raise ScenarioError(Fault("this is no table of values", hint, str(file)))
    return values


def _unwrapped(values: dict[str, Any], space: Space) -> dict[str, Any]:
    """Return the table within, if it is one as `tightrope best` writes it."""
    for key in ("default", "config"):
        if key not in space.names and isinstance(values.get(key), dict):
            return dict(values[key])
    return values
