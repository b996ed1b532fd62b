"""Print the best config of a tuning in several formats."""

import json
import shlex
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

from tightrope.cli.runs.ablation import read_ablation, stripped_config
from tightrope.cli.runs.folder import RunFolder
from tightrope.cli.runs.replay import Replay
from tightrope.cli.terminal.console import Terminal, plain
from tightrope.cli.terminal.output import write_result
from tightrope.errors import UsageError
from tightrope.records import Config, Trial
from tightrope.run import CommandTarget
from tightrope.run.template import Slot
from tightrope.scenario import write_pcs
from tightrope.scenario.scenario import Scenario
from tightrope.scenario.toml.literal import write_pair
from tightrope.space import Space

_ALL = "parameters"  # the placeholder of all options that have no other
_PLACEHOLDERS = {"instance": "INSTANCE", "seed": "SEED"}


def print_stripped(folder: RunFolder, form: str, terminal: Terminal) -> None:
    """Print the stripped config of a run folder on stdout, and what it costs on stderr."""
    seen = Replay(folder, terminal).look()
    scenario = seen.scenario
    config, facts = _stripped(folder, seen.progress.config, scenario, terminal)
    if terminal.is_json:
        has_command = isinstance(scenario.target, CommandTarget)
        text = as_cli(config, scenario).rstrip("\n") if has_command else None
        terminal.data(facts | {"config": dict(config), "command": text})
        return
    print_config(config, scenario, terminal, form=form)


def _stripped(
    folder: RunFolder, best: Config, scenario: Scenario, terminal: Terminal
) -> tuple[Config, dict[str, Any]]:
    """Return the stripped config, and what is known of it; print that as well."""
    config = stripped_config(folder, scenario, best)
    facts = read_ablation(folder) or {}
    terminal.say(str(facts.get("sentence", "")), style="dim")
    return config, {key: facts.get(key) for key in ("changes", "kept", "share")}


def print_config(config: Config, scenario: Scenario, terminal: Terminal, *, form: str | None = None) -> None:
    """Print a config on stdout; without a format, as a command line if there is one."""
    target = scenario.target
    if form is None:
        form = "cli" if isinstance(target, CommandTarget) else "json"
    if form == "cli" and isinstance(target, CommandTarget) and target.cwd not in (None, str(Path.cwd())):
        terminal.say(f"run it in {target.cwd}", style="dim")
    write_result(FORMATS[form](config, scenario))


def as_cli(config: Config, scenario: Scenario) -> str:
    """Return the command line for a shell, with INSTANCE and SEED left to fill in.

    If the command has a cap, it is the ceiling.
    """
    target = scenario.target
    if not isinstance(target, CommandTarget):
        raise UsageError("this scenario has no command line", hint="use --format json")
    template = target.template
    words = tuple(
        tuple(_PLACEHOLDERS.get(piece.name, piece) if isinstance(piece, Slot) else piece for piece in word)
        for word in template.words
    )
    filled = replace(template, words=words).fill(Trial(0, config, scenario.ceiling))
    return f"{filled[-1] if template.shell else shlex.join(filled)}\n"


def as_short_cli(config: Config, scenario: Scenario) -> str | None:
    """Return the command line without the options that have their default in the scenario.

    None unless the command writes options as {parameters}: others need a value.
    """
    target, default = scenario.target, scenario.default_config
    if not isinstance(target, CommandTarget) or _ALL not in target.template.placeholders:
        return None
    placed = target.template.placed
    given = {name: value for name, value in config.items() if name in placed or value != default.get(name)}
    return as_cli(Config(given), scenario)


def _as_json(config: Config, scenario: Scenario) -> str:
    """Return the values as one JSON object."""
    return json.dumps(plain(dict(config)), indent=2) + "\n"


def _as_toml(config: Config, scenario: Scenario) -> str:
    """Return the values as the table `[default]` of a scenario."""
    return "\n".join(["[default]", *(write_pair(name, value) for name, value in config.items())]) + "\n"


def as_pcs(config: Config, scenario: Scenario) -> str:
    """Return the space as a PCS file with the config as its default."""
    space = deepcopy(Space.of(scenario.space).configspace)
    for name, value in config.items():
        space[name].default_value = value
    return write_pcs(space)


def as_irace(config: Config, scenario: Scenario) -> str:
    """Return a file for irace's --configurations-file: names, then values; NA marks inactive parameters."""
    names = Space.of(scenario.space).names
    values = [_quoted(config[name]) if name in config else "NA" for name in names]
    return f"{' '.join(names)}\n{' '.join(values)}\n"


def _quoted(value: object) -> str:
    text = str(value)
    return text if not isinstance(value, str) or text.isalnum() else f'"{text}"'


FORMATS: Mapping[str, Callable[[Config, Scenario], str]] = {
    "cli": as_cli,
    "json": _as_json,
    "toml": _as_toml,
    "pcs": as_pcs,
    "irace": as_irace,
}
