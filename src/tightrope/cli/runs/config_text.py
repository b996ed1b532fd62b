"""The best config in the languages of those who use it: pure functions from a config to text."""

import json
import shlex
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace

from tightrope.cli.terminal.console import plain
from tightrope.errors import UsageError
from tightrope.records import Config, Trial
from tightrope.run import CommandTarget
from tightrope.run.template import Slot
from tightrope.scenario import write_pcs
from tightrope.scenario.scenario import Scenario
from tightrope.scenario.toml.literal import write_pair
from tightrope.space import Space

_READABLE = {"instance": "INSTANCE", "seed": "SEED"}


def as_cli(config: Config, scenario: Scenario) -> str:
    """Return the command line, to be pasted into a shell: INSTANCE and SEED are to be filled in.

    Its cap, if it wants to know one, is the ceiling.
    """
    target = scenario.target
    if not isinstance(target, CommandTarget):
        raise UsageError("this scenario has no command line", hint="use --format json")
    template = target.template
    words = tuple(
        tuple(_READABLE.get(piece.name, piece) if isinstance(piece, Slot) else piece for piece in word)
        for word in template.words
    )
    filled = replace(template, words=words).fill(Trial(0, config, scenario.ceiling))
    return f"{filled[-1] if template.shell else shlex.join(filled)}\n"


def as_json(config: Config, scenario: Scenario) -> str:
    """Return the values as one JSON object."""
    return json.dumps(plain(dict(config)), indent=2) + "\n"


def as_toml(config: Config, scenario: Scenario) -> str:
    """Return the values as a table that a scenario can hold as its default."""
    return "\n".join(["[default]", *(write_pair(name, value) for name, value in config.items())]) + "\n"


def as_pcs(config: Config, scenario: Scenario) -> str:
    """Return the space as a PCS file, in which the config is the default."""
    space = deepcopy(Space.of(scenario.space).configspace)
    for name, value in config.items():
        space[name].default_value = value
    return write_pcs(space)


def as_irace(config: Config, scenario: Scenario) -> str:
    """Return a table for irace's option --configurations-file: names, then values; NA is not in use."""
    names = Space.of(scenario.space).names
    values = [_quoted(config[name]) if name in config else "NA" for name in names]
    return f"{' '.join(names)}\n{' '.join(values)}\n"


def _quoted(value: object) -> str:
    text = str(value)
    return text if not isinstance(value, str) or text.isalnum() else f'"{text}"'


FORMATS: Mapping[str, Callable[[Config, Scenario], str]] = {
    "cli": as_cli,
    "json": as_json,
    "toml": as_toml,
    "pcs": as_pcs,
    "irace": as_irace,
}
