"""The files of an ablation in a run folder: its journal, and its result for `best` and the report."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tightrope.cli.files import write_file
from tightrope.cli.runs.folder import RunFolder
from tightrope.cli.terminal import words
from tightrope.cli.terminal.console import plain
from tightrope.errors import SpaceError, UsageError
from tightrope.figures.ablation import PathSummary
from tightrope.records import Config
from tightrope.scenario.scenario import Scenario
from tightrope.space import Space

_JOURNAL: Final = "ablation.journal"
_RESULT: Final = "ablation.json"


def ablation_journal(folder: RunFolder) -> Path:
    """Return the path of the ablation's journal."""
    return folder.path / _JOURNAL


def ablation_file(folder: RunFolder) -> Path:
    """Return the path of the ablation's result."""
    return folder.path / _RESULT


def save_ablation(folder: RunFolder, facts: Mapping[str, Any]) -> None:
    """Write the result atomically."""
    file = ablation_file(folder)
    fresh = file.with_name(f"{file.name}.new")
    write_file(fresh, json.dumps(plain(dict(facts)), indent=2) + "\n")
    os.replace(fresh, file)


def read_ablation(folder: RunFolder) -> dict[str, Any] | None:
    """Return the result; None if there is none."""
    file = ablation_file(folder)
    if not file.exists():
        return None
    try:
        facts = json.loads(file.read_text(encoding="utf-8"))
        if not all(isinstance(facts[key], dict) for key in ("best", "stripped")):
            raise ValueError("its configs are not tables")
        PathSummary.of(facts)  # raises if the report could not show it
        return dict(facts)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            f"{file} is not valid: {error}", hint=f"renew it:  {words.command('ablate', folder.path)}"
        ) from error


def stripped_config(folder: RunFolder, scenario: Scenario, best: Config) -> Config:
    """Return the stripped config, with the same remedy if it is missing or of an earlier best config."""
    hint = f"run the ablation first:  {words.command('ablate', folder.path)} --strip"
    facts = read_ablation(folder)
    if facts is None:
        raise UsageError(f"no ablation has been made of {folder.path}", hint=hint)
    space = Space.of(scenario.space)
    try:
        was_best, stripped = (space.decode(space.encode(facts[key])) for key in ("best", "stripped"))
    except SpaceError as error:
        raise UsageError(f"{ablation_file(folder)} is of other parameters: {error}", hint=hint) from error
    if was_best != best:
        raise UsageError(f"the ablation in {folder.path} is of an earlier best config", hint=hint)
    return stripped
