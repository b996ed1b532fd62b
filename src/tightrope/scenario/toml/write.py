"""Writer of scenarios in TOML."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from math import isfinite
from pathlib import Path
from typing import Any

from ConfigSpace import ConfigurationSpace

from tightrope.budget import TUNE_COUNTS, Budget
from tightrope.errors import Fault, ScenarioError
from tightrope.race.tactics import Tactics
from tightrope.run.command import CommandTarget
from tightrope.scenario.scenario import PLAIN_SETTINGS, Scenario
from tightrope.scenario.toml.literal import write_pair
from tightrope.scenario.toml.write_parameters import write_inline
from tightrope.scenario.toml.write_target import Pair, answer_pairs, target_pairs, write_command
from tightrope.space import Space
from tightrope.units import write_duration

_DEFAULTS = {field.name: field.default for field in fields(Scenario)}


def write_scenario(scenario: Scenario, *, base: str | Path | None = None) -> str:
    """Write a scenario as TOML, including its parameters, instances and features.

    Parameters
    ----------
    scenario : Scenario
        The scenario to write. Its target must be a command.
    base : str, Path or None, default=None
        The folder where the file will be stored. Paths are made relative to it. None: the current folder.

    Returns
    -------
    str
        TOML that `parse_scenario` reads as the same scenario.

    Raises
    ------
    ScenarioError, SpaceError
        If TOML cannot express it: a target that is not a command, distributions other than uniform.

    Examples
    --------
    >>> from tightrope.budget import Budget
    >>> space, command = {"n": (1, 64, "log")}, "./solver {parameters}"
    >>> scenario = Scenario(space=space, target=command, ceiling=9.5, budget=Budget(wall="8h"))
    >>> print(write_scenario(scenario), end="")
    command = "./solver {parameters}"
    ceiling = "9.5s"
    budget = "8h"
    <BLANKLINE>
    [params]
    n = { type = "integer", range = [1, 64], default = 8, log = true }
    """
    space, target = Space.of(scenario.space), _command_of(scenario)
    folder = os.path.abspath(base or ".")
    forbidden, params = write_inline(space.configspace)
    pairs = [
        ("command", write_command(target)),
        *_limit_pairs(scenario, target),
        *answer_pairs(target),
        *_plain_pairs(scenario, target),
        *target_pairs(target, space, folder=folder),
    ]
    parts = [_write_pairs(pairs) + forbidden, params]
    tables = _tables(scenario, target, folder=folder)
    parts += [f"[{key}]\n{_write_pairs(table.items())}" for key, table in tables if table]
    return "\n".join(parts)


def write_parameters(space: ConfigurationSpace) -> str:
    """Write the keys `forbidden` and `params` of a scenario.

    Parameters
    ----------
    space : ConfigurationSpace
        The space to write.

    Returns
    -------
    str
        These two keys in TOML.

    Raises
    ------
    SpaceError
        If TOML scenarios cannot express the space.
    """
    forbidden, params = write_inline(space)
    return f"{forbidden}\n{params}" if forbidden else params


def _command_of(scenario: Scenario) -> CommandTarget:
    target = scenario.target
    if isinstance(target, str):
        return CommandTarget(target, names=Space.of(scenario.space).names)
    if not isinstance(target, CommandTarget):
        found = "no target" if target is None else f"a {type(target).__name__}"
        raise ScenarioError(
            Fault(f"cannot write a scenario with {found}: the target must be a command", key="target")
        )
    return target


def _limit_pairs(scenario: Scenario, target: CommandTarget) -> Iterator[Pair]:
    yield "ceiling", scenario.ceiling if target.answer.prints_cost else write_duration(scenario.ceiling)
    budget = Budget.of(scenario.budget)
    limits: dict[str, Any] = {}
    if isfinite(budget.wall_s):
        limits["wall"] = write_duration(budget.wall_s)
    if isfinite(budget.cost):
        limits["cpu" if target.clock == "cpu" else "runtime"] = write_duration(budget.cost)
    limits |= {name: int(budget.limits[name]) for name in TUNE_COUNTS if isfinite(budget.limits[name])}
    yield "budget", limits["wall"] if set(limits) == {"wall"} else limits


def _plain_pairs(scenario: Scenario, target: CommandTarget) -> Iterator[Pair]:
    if scenario.deterministic == ("seed" in target.template.placeholders):
        yield "deterministic", scenario.deterministic
    if scenario.seeds is not None:
        yield "seeds", list(scenario.seeds)
    for key in PLAIN_SETTINGS:
        if key != "deterministic" and getattr(scenario, key) != _DEFAULTS[key]:
            yield key, getattr(scenario, key)
    if scenario.default is not None:
        yield "default", dict(scenario.default)
    if scenario.candidates is not None:
        yield "candidates", [dict(candidate) for candidate in scenario.candidates]
    if scenario.initial:
        yield "initial", [dict(config) for config in scenario.initial]


def _tables(
    scenario: Scenario, target: CommandTarget, *, folder: str
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    paths = _ScenarioPaths(target.cwd, folder)
    if tuple(scenario.instances) != ("",):
        test = {"test": paths.each(scenario.test)} if scenario.test else {}
        yield "instances", {"train": paths.each(scenario.instances), **test}
    features = {name: [float(x) for x in row] for name, row in (scenario.features or {}).items()}
    for key, table in (
        ("features", features),
        ("expected", target.expected),
        ("specifics", target.specifics),
    ):
        yield key, {paths.one(name): value for name, value in table.items()}
    yield "env", target.env
    defaults = asdict(Tactics())
    yield "tactics", {key: value for key, value in asdict(scenario.tactics).items() if value != defaults[key]}


class _ScenarioPaths:
    """Converts paths relative to the folder of the command into paths relative to that of the scenario."""

    def __init__(self, cwd: str | None, folder: str) -> None:
        self._cwd = os.path.abspath(cwd or folder)
        self._folder = folder

    def one(self, name: str) -> str:
        path = os.path.join(self._cwd, name)
        is_moved = self._cwd != self._folder and not os.path.isabs(name) and os.path.exists(path)
        return os.path.relpath(path, self._folder) if is_moved else name

    def each(self, names: Sequence[str]) -> list[str]:
        return [self.one(name) for name in names]


def _write_pairs(pairs: Any) -> str:
    return "".join(f"{write_pair(key, value)}\n" for key, value in pairs)
