"""The verb best."""

import csv
import json
import shlex
import tomllib
from pathlib import Path

import pytest

from tightrope.cli.main import run
from tightrope.cli.runs.best import as_cli, as_irace, as_pcs
from tightrope.records import Config
from tightrope.run import CommandTarget
from tightrope.scenario import Scenario, parse_pcs, read_scenario
from tightrope.space import Space

Capture = pytest.CaptureFixture[str]

SPACE = """
kind {a, b c-d} [a]
x real [0, 1] [0.5]
depth integer [1, 9] [3]
depth | kind == a
"""


def scenario_of(command: str = "solver {parameters} {instance}", **settings: object) -> Scenario:
    space = Space(parse_pcs(SPACE))
    target = CommandTarget(command, names=space.names, **settings)  # type: ignore[arg-type]
    return Scenario(space=space, ceiling=60.0, budget=10.0, target=target)


def printed(arguments: list[str], capsys: Capture) -> str:
    assert run(["best", *arguments]) == 0
    return capsys.readouterr().out


def test_the_command_line_is_printed_alone(tuned: Path, capsys: Capture) -> None:
    words = shlex.split(printed([], capsys))
    assert words[:2] == ["sh", "cost.sh"]
    assert words[-2:] == ["quick", "INSTANCE"]


def test_all_formats_tell_the_same(tuned: Path, capsys: Capture) -> None:
    config = json.loads(printed(["--format", "json"], capsys))
    assert tomllib.loads(printed(["--format", "toml"], capsys))["default"] == config
    of_pcs = dict(parse_pcs(printed(["--format", "pcs"], capsys)).get_default_configuration())
    assert of_pcs == {"mode": config["mode"], "x": pytest.approx(config["x"])}
    names, values = csv.reader(printed(["--format", "irace"], capsys).splitlines(), delimiter=" ")
    assert dict(zip(names, values, strict=True)) == {name: str(value) for name, value in config.items()}
    assert json.loads(printed(["--json"], capsys))["config"] == config


def test_toml_can_be_appended_to_the_scenario(tuned: Path, capsys: Capture) -> None:
    config = json.loads(printed(["--format", "json"], capsys))
    with Path("scenario.toml").open("a") as file:
        file.write(printed(["--format", "toml"], capsys))
    assert read_scenario("scenario.toml").default == config


def test_prose_goes_aside(tuned: Path, capsys: Capture) -> None:
    assert run(["best"]) == 0
    assert "using runs/solver" in capsys.readouterr().err


def test_a_value_is_quoted_for_the_shell() -> None:
    text = as_cli(
        Config({"kind": "b c-d", "x": 0.25}), scenario_of("solver --seed {seed} {parameters} {instance}")
    )
    assert text == "solver --seed SEED '--kind=b c-d' --x=0.25 INSTANCE\n"


def test_a_shell_script_stays_one() -> None:
    text = as_cli(
        Config({"kind": "b c-d", "x": 0.25}), scenario_of("solver {parameters} < {instance}", shell=True)
    )
    assert text == "solver '--kind=b c-d' --x=0.25 < INSTANCE\n"


def test_a_cap_is_the_ceiling() -> None:
    assert as_cli(Config({"kind": "b c-d", "x": 0.25}), scenario_of("solver -t {cap}")) == "solver -t 60\n"


def test_the_defaults_of_a_pcs_file_are_the_config_where_it_has_values() -> None:
    config = Config({"kind": "b c-d", "x": 0.25})
    written = parse_pcs(as_pcs(config, scenario_of()))
    assert dict(written.get_default_configuration()) == config
    assert written["depth"].default_value == 3


def test_irace_calls_what_is_not_in_use_na() -> None:
    text = as_irace(Config({"kind": "b c-d", "x": 0.25}), scenario_of())
    names, values = csv.reader(text.splitlines(), delimiter=" ")
    assert dict(zip(names, values, strict=True)) == {"kind": "b c-d", "x": "0.25", "depth": "NA"}
