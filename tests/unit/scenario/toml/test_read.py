"""Reading the keys of scenarios in TOML."""

import os
from math import inf, isnan
from pathlib import Path

import pytest

from tightrope import Budget
from tightrope.errors import ScenarioError
from tightrope.run import ExitCode, IraceLine, JsonLine, Pattern, ResultLine, SatSolver
from tightrope.scenario import Scenario, read_scenario
from tightrope.space import Space

REST = """
ceiling = "300s"
budget = "8h"
[params]
alpha = { type = "real", range = [0, 1], default = 0.5 }
mode = { type = "categorical", values = ["fast", "slow"] }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("train/a1.cnf", "train/a2.cnf", "train/a3.cnf", "train/notes.txt", "test/b1.cnf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path


def read(folder: Path, text: str, rest: str = REST) -> Scenario:
    (folder / "scenario.toml").write_text(text + rest)
    return read_scenario(folder / "scenario.toml")


def with_instances(folder: Path, text: str) -> Scenario:
    return read(folder, f'command = "./solver {{parameters}} {{instance}}"\n{text}')


def plain(folder: Path, text: str) -> Scenario:
    return read(folder, f'command = "./solver {{parameters}}"\n{text}')


def test_the_smallest_form_is_read(folder: Path) -> None:
    (folder / "solver.pcs").write_text("alpha [0, 1][0.5]\n")
    text = """
    command   = "./solver --seed {seed} {parameters} {instance}"   # a comment
    params    = "solver.pcs"
    instances = { train = "train/*.cnf", test = "test/*.cnf" }
    ceiling   = "300s"
    budget    = "8h"
    """
    scenario = read(folder, text, rest="")
    assert Space.of(scenario.space).names == ("alpha",)
    assert scenario.instances == ("train/a1.cnf", "train/a2.cnf", "train/a3.cnf")
    assert scenario.test == ("test/b1.cnf",)
    assert scenario.ceiling == 300.0
    assert scenario.budget == Budget(wall=28800.0)
    assert scenario.target.cwd == str(folder)
    assert not scenario.deterministic


def test_paths_may_refer_to_another_folder(folder: Path) -> None:
    text = 'command = "./solver {parameters} {instance}"\ninstances = "train/*.cnf"' + REST
    (folder / "test" / "copy.toml").write_text(text)
    scenario = read_scenario(folder / "test" / "copy.toml", base=folder)
    assert len(scenario.instances) == 3
    assert scenario.target.cwd == str(folder)


def test_a_command_without_a_seed_is_deterministic(folder: Path) -> None:
    assert plain(folder, "").deterministic


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('"1h 30m"', Budget(wall=5400.0)),
        ('{ cpu = "8h" }', Budget(cost=28800.0)),
        ('{ runtime = "8h" }', Budget(cost=28800.0)),
        ('{ wall = "1h", runs = 1000 }', Budget(wall=3600.0, runs=1000)),
    ],
)
def test_budgets_are_read(folder: Path, value: str, expected: Budget) -> None:
    assert read(folder, 'command = "./solver {parameters}"', REST.replace('"8h"', value)).budget == expected


@pytest.mark.parametrize(
    ("value", "train"),
    [
        ('"train/*.cnf"', ("train/a1.cnf", "train/a2.cnf", "train/a3.cnf")),
        ('["train/a3.cnf", "train/*1.cnf"]', ("train/a3.cnf", "train/a1.cnf")),
        ('{ train = ["17", "42"] }', ("17", "42")),
        ('{ file = "names.txt" }', ("train/a2.cnf", "elsewhere")),
        ('"**/b?.cnf"', ("test/b1.cnf",)),
    ],
)
def test_instances_are_read(folder: Path, value: str, train: tuple[str, ...]) -> None:
    (folder / "names.txt").write_text("# comment\ntrain/a2.cnf\n\n  elsewhere\n")
    assert with_instances(folder, f"instances = {value}").instances == train


@pytest.mark.parametrize(("split", "n_test"), [("1", 1), ("0.5", 2), ("{ test = 2, seed = 7 }", 2)])
def test_instances_are_split_and_none_is_lost(folder: Path, split: str, n_test: int) -> None:
    text = f'instances = "train/*"\nsplit = {split}'
    scenario = with_instances(folder, text)
    assert len(scenario.test) == n_test
    assert sorted((*scenario.instances, *scenario.test)) == sorted(
        f"train/{name}" for name in os.listdir(folder / "train")
    )
    assert with_instances(folder, text).test == scenario.test


def test_features_are_found_by_path_file_name_or_stem(folder: Path) -> None:
    (folder / "f.csv").write_text('name, x, y\n"train/a1.cnf",1,2\na2.cnf, 3.5,\na3,?,-1e3\nunused,0,0\n')
    features = with_instances(folder, 'instances = "train/*.cnf"\nfeatures = "f.csv"').features
    assert features is not None
    assert features["train/a1.cnf"] == (1.0, 2.0)
    assert features["train/a2.cnf"][0] == 3.5
    assert isnan(features["train/a2.cnf"][1])
    assert features["train/a3.cnf"][1] == -1000.0


def test_a_row_that_repeats_another_one_is_left_out_with_a_warning(folder: Path) -> None:
    (folder / "f.csv").write_text("name,x\na1,1\na2,2\na3,3\na1, 1\na2,2\n")
    with pytest.warns(UserWarning, match=r"f\.csv:5: the row of 'a1' and 1 more repeats an earlier one"):
        features = with_instances(folder, 'instances = "train/*.cnf"\nfeatures = "f.csv"').features
    assert features == {"train/a1.cnf": (1.0,), "train/a2.cnf": (2.0,), "train/a3.cnf": (3.0,)}


@pytest.mark.parametrize(
    ("text", "reader"),
    [
        ("", ExitCode()),
        ('answer = "sat"', SatSolver()),
        ('answer = "aclib"', ResultLine()),
        ('answer = "aclib"\ncost = "printed"\ntime_limit = 9', ResultLine(quality=True)),
        ('answer = "irace"\ncost = "wall"', IraceLine(cost=False)),
        ('answer = "json"\ntime_limit = "9s"', JsonLine()),
        ('cost = "printed"\ntime_limit = "9s"', JsonLine()),
        ('answer = { kind = "exit", solutions = { 10 = "SAT" } }', ExitCode(solutions={10: "SAT"})),
        (
            "answer = { kind = 'pattern', solution = 'x (.*)', success = [1] }",
            Pattern(solution="x (.*)", success=(1,)),
        ),
    ],
)
def test_answers_are_read(folder: Path, text: str, reader: object) -> None:
    rest = REST.replace('"300s"', "300")
    assert read(folder, f'command = "./solver {{parameters}}"\n{text}', rest).target.answer == reader


def test_settings_of_the_command_are_read(folder: Path) -> None:
    text = """
    memory = "2GB"
    grace = "1s"
    keep = "64KiB"
    style = "-{name} {value}"
    flags = "--{name}"
    env = { THREADS = "1" }
    cost = "wall"
    """
    target = plain(folder, text).target
    assert (target.memory_mb, target.grace_s, target.keep_kb) == (2000.0, 1.0, 64)
    assert (target.parameters, target.flags, target.clock) == ("-{name} {value}", "--{name}", "wall")
    assert target.env == {"THREADS": "1"}


def test_a_default_may_leave_parameters_out(folder: Path) -> None:
    assert plain(folder, 'default = { mode = "slow" }').default == {"alpha": 0.5, "mode": "slow"}


def test_instances_are_relative_to_the_folder_of_the_command(folder: Path) -> None:
    text = 'instances = "train/*.cnf"\ncwd = "test"\nexpected = { a1 = "SAT" }'
    scenario = with_instances(folder, text)
    assert scenario.instances[0] == "../train/a1.cnf"
    assert scenario.target.cwd == str(folder / "test")
    assert scenario.target.expected == {"../train/a1.cnf": "SAT"}


def test_slack_may_be_infinite(folder: Path) -> None:
    assert plain(folder, "slack = inf").slack == inf


def test_tactics_are_read(folder: Path) -> None:
    tactics = plain(folder, "tactics = { first_tasks = 3, stake = 1, relative = false }").tactics
    assert (tactics.first_tasks, tactics.stake, tactics.relative) == (3, 1.0, False)


def test_switches_of_irace_define_how_parameters_are_written(folder: Path) -> None:
    (folder / "parameters.txt").write_text('ants "--ants " i (1, 9)\nmode "--" c (as, mmas)\n')
    text = 'command = "./aco {parameters}"\nparams = "parameters.txt"\nceiling = 9\nbudget = "1h"\n'
    target = read(folder, text, rest="").target
    assert target.parameters == {"ants": "--ants {value}", "mode": "--{value}"}


def test_a_space_of_configspace_is_read_as_it_was_written(folder: Path) -> None:
    space = Space.of({"x": (0.0, 1.0), "kind": ["a", "b"]}).configspace
    space.to_json(folder / "space.json")
    text = 'command = "./solver {parameters}"\nparams = "space.json"\nceiling = 9\nbudget = "1h"\n'
    assert Space.of(read(folder, text, rest="").space).configspace == space


@pytest.mark.parametrize(
    "text",
    [
        "initial = [{ alpha = 0.1 }, { mode = 'slow' }]",
        "[[initial]]\nalpha = 0.1\n[[initial]]\nmode = 'slow'",
    ],
)
def test_initial_configs_are_a_list_or_tables(folder: Path, text: str) -> None:
    head, tail = (text, "") if text.startswith("initial") else ("", text)
    scenario = read(folder, f'command = "./solver {{parameters}}"\n{head}', f"{REST}\n{tail}")
    assert scenario.initial == ({"alpha": 0.1, "mode": "fast"}, {"alpha": 0.5, "mode": "slow"})


def test_an_illegal_initial_config_is_shown_where_it_is(folder: Path) -> None:
    with pytest.raises(ScenarioError, match=r"scenario\.toml:2:\d+: .*'alpha'") as raised:
        plain(folder, "initial = [{ alpha = 0.1 }, { alpha = 7 }]")
    assert "alpha = 7" in str(raised.value)
