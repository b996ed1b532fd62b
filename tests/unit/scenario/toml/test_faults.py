"""Errors about invalid scenarios in TOML: all faults at once, each with its position."""

from pathlib import Path

import pytest

from tightrope.errors import Fault, ScenarioError
from tightrope.scenario import read_scenario

VALID = """\
command = "./solver {parameters} {instance}"
instances = { train = "train/*", test = ["test/b"] }
ceiling = "300s"
budget = "8h"
params.alpha = { type = "real", range = [0, 1], default = 0.5 }
params.mode = { type = "categorical", values = ["fast", "slow"] }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("train/a", "train/b", "test/a", "test/b"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "f.csv").write_text("name,x\na,1\nb,two\n")
    (tmp_path / "few.csv").write_text("name,x\na,1\n")
    (tmp_path / "same.csv").write_text("name,x\na,1\nx/b,2\ny/b,3\n")
    return tmp_path


def faults_of(folder: Path, text: str) -> tuple[Fault, ...]:
    (folder / "s.toml").write_text(text)
    with pytest.raises(ScenarioError) as caught:
        read_scenario(folder / "s.toml")
    return caught.value.faults


def changed(line: str) -> str:
    """Return the valid scenario with one line replaced, or added at the top."""
    key = line.partition("=")[0].strip()
    lines = [line if each.startswith(f"{key} =") else each for each in VALID.splitlines()]
    return "\n".join(lines if line in lines else [line, *lines])


def test_the_valid_scenario_has_no_faults(folder: Path) -> None:
    (folder / "s.toml").write_text(VALID)
    assert read_scenario(folder / "s.toml").ceiling == 300.0


@pytest.mark.parametrize(
    ("line", "key", "problem", "hint"),
    [
        ("slak = 2", "slak", "unknown key 'slak'", "did you mean 'slack'?"),
        ("slack = 0.5", "slack", "slack must be at least 1", ""),
        ("slack = '2'", "slack", "expected a number, found '2'", ""),
        ("par = true", "par", "expected a number, found true", ""),
        ("ceiling = '300'", "ceiling", "'300' has no unit after 300", "write it like '90s'"),
        ("ceiling = -1", "ceiling", "ceiling must be a positive number", "every run needs a finite limit"),
        ("budget = 8", "budget", "expected a duration, or a table of limits, found 8", 'write "8h"'),
        ("budget = { cup = '8h' }", "budget.cup", "unknown budget limit 'cup'", "'cpu'"),
        ("params.c = { type = 'constant', value = nan }", "params.c.value", "or false, found nan", ""),
        ("params.c = { type = 'ordinal', values = [1.0, nan] }", "params.c.values", "found nan", ""),
        ("budget = { runs = 0.5 }", "budget.runs", "expected an integer, found 0.5", ""),
        ("memory = '2 apples'", "memory", "'apples' is not a unit of memory", "'2GB'"),
        ("deterministic = 1", "deterministic", "expected true or false, found 1", ""),
        ("model = 'gp'", "model", "model must be one of forest, random, not 'gp'", ""),
        ("cost = 'time'", "cost", "unknown value 'time'", "'cpu', 'wall', 'printed'"),
        ("time_limit = '9s'", "time_limit", "`time_limit` is for printed costs only", "remove it"),
        ("answer = 'sad'", "answer", "unknown value 'sad'", "did you mean 'sat'?"),
        ("answer = { kind = 'pattern', cost = '(' }", "answer", "is not a regular expression", ""),
        ("command = './solver {parameters}'", "command", "the command has no {instance}", "{instance}"),
        ("command = './solver {instance}'", "command", "does not use the parameter 'alpha'", "{parameters}"),
        ("command = './s {instance} {alfa}'", "command", "unknown placeholder {alfa} in the command", ""),
        ("command = 7", "command", "expected a command line in quotes", ""),
        ("instances = 'trian/*'", "instances", "no file matches 'trian/*'", "there is no folder 'trian'"),
        ("instances = 'train'", "instances", "'train' is a folder", '"train/*"'),
        (
            "instances = ['train/a', 'train/c']",
            "instances",
            "there is no file 'train/c'",
            "check the spelling",
        ),
        (
            "instances = { train = 'train/*', test = 'train/a' }",
            "instances",
            "used for both training and testing: 'train/a'",
            "",
        ),
        ("instances = { file = 'no.txt' }", "instances.file", "there is no file", "check the path"),
        ("instances = ['train/a', 'train/a']", "instances", "already in the list: 'train/a'", "once"),
        ("instances = ['train/*', 'train/?']", "instances", "already in the list: 'train/a' and 1 more", ""),
        ("style = ''", "style", "the pattern has no {value}", "--{name}={value}"),
        ("flags = '-x'", "flags", "the pattern has no {name}", "--no-{name}"),
        ("memory = '0MB'", "memory", "the memory limit must be positive", "omit it"),
        ("split = 1", "split", "`split` cannot be combined with a table", "remove `split`"),
        ("features = 'no.csv'", "features", "there is no file", "check the path"),
        ("default = { alfa = 1 }", "default.alfa", "unknown parameter 'alfa'", "did you mean 'alpha'?"),
        ("default = { alpha = 2 }", "alpha", "2 is not a value of this parameter", "0.0 to 1.0"),
        ("expected = { c = 'SAT' }", "expected", "unknown instance 'c'", "check the spelling"),
        ("style = { alpha = '-a {value}' }", "style", "no pattern for 'mode'", ""),
        ("tactics = { trees = 0 }", "tactics.trees", "trees must be a whole number of at least 1", ""),
        ("cwd = 'nowhere'", "cwd", "there is no folder", "create it"),
        ("forbidden = ['alpha > 2']", "alpha", "2 is not a value of this parameter", ""),
        ("forbidden = ['alpha > 0.1']", None, "the default is forbidden", "change the default"),
        ("forbidden = ['mode == fast']", "fast", "unknown parameter 'fast'", "put 'fast' in quotes"),
        ("forbidden = ['alpha + 1 > 2']", None, "'+' is not supported here", "use =="),
        ("forbidden = ['mode']", "mode", "true is not a value of this parameter", "'fast', 'slow'"),
        ("forbidden = ['mode ==']", None, "the expression is incomplete", "use =="),
        ("params.alpha = { type = 'real' }", "params.alpha", "real parameters need 'range'", "add range"),
        ("params.alpha = { type = 'reel' }", "params.alpha.type", "unknown value 'reel'", "'real'"),
        ("params.alpha = 7", "params.alpha", "expected a table that describes", "write for example"),
        (
            "params.mode = { type = 'boolean', values = [1] }",
            "params.mode.values",
            "unknown key for boolean parameters 'values'",
            "",
        ),
        ("params.mode = { type = 'ordinal', values = [1, 1] }", "mode", "duplicate choice '1'", ""),
        (
            "params.mode = { type = 'ordinal', values = [1, true] }",
            "mode",
            "the choice true equals another",
            "",
        ),
        ("params.mode = { type = 'integer', range = [1, 2.5] }", "mode", "2.5 is not an integer", ""),
    ],
)
def test_a_fault_names_key_problem_and_remedy(
    folder: Path, line: str, key: str | None, problem: str, hint: str
) -> None:
    text = changed(line)
    (fault,) = faults_of(folder, text)
    assert fault.key == key
    assert problem in fault.problem
    assert hint in fault.hint
    assert fault.line is not None
    assert text.splitlines()[fault.line - 1] == line == fault.excerpt


def test_a_printed_cost_needs_a_ceiling_without_unit_and_a_time_limit(folder: Path) -> None:
    faults = faults_of(folder, changed("cost = 'printed'"))
    assert [(fault.key, fault.hint) for fault in faults] == [
        ("cost", 'add time_limit = "60s"'),
        ("ceiling", ""),
    ]


@pytest.mark.parametrize("key", ["command", "ceiling", "budget"])
def test_a_missing_key_is_named_with_an_example(folder: Path, key: str) -> None:
    text = "\n".join(line for line in VALID.splitlines() if not line.startswith(key))
    (fault,) = faults_of(folder, text)
    assert fault.problem == f"the key `{key}` is missing"
    assert fault.hint.startswith(f"add it, for example {key} = ")


@pytest.mark.parametrize(
    ("file", "line", "problem"),
    [
        ("f.csv", 3, "'two' is not a number"),
        ("few.csv", 1, "no features for 'train/b'"),
        ("same.csv", 4, "more than one row for the instance 'train/b': also line 3"),
    ],
)
def test_a_fault_of_a_feature_file_points_into_it(folder: Path, file: str, line: int, problem: str) -> None:
    (fault,) = faults_of(folder, changed(f"features = '{file}'"))
    assert Path(fault.file).name == file
    assert (fault.line, fault.problem) == (line, problem)


def test_all_faults_are_reported_at_once_in_the_order_of_the_lines(folder: Path) -> None:
    text = "\n".join(
        [
            "comand = './solver {parameters}'",
            "ceiling = '9 lightyears'",
            "budget = '8h'",
            "slack = 0.5",
            "params.alpha = { type = 'real', range = [1, 0] }",
            "params.depth = { type = 'integer', range = [1, 9], when = 'alfa > 1' }",
        ]
    )
    assert [(fault.line, fault.key) for fault in faults_of(folder, text)] == [
        (1, "comand"),
        (2, "ceiling"),
        (4, "slack"),
        (5, "alpha"),
        (6, "alfa"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "column", "problem"),
    [
        ("command = ./solver\n", 1, 11, "invalid TOML: invalid value"),
        ("a = 1\na = 2\n", 2, 6, "invalid TOML: cannot overwrite a value"),
        ("a = [1,\n", 2, 1, "invalid TOML: invalid value"),
    ],
)
def test_an_error_points_to_invalid_toml(
    folder: Path, text: str, line: int, column: int, problem: str
) -> None:
    (fault,) = faults_of(folder, text)
    assert (fault.line, fault.column, fault.problem) == (line, column, problem)


def test_an_error_about_a_missing_parameter_file_points_to_its_key(folder: Path) -> None:
    text = "\n".join([*VALID.splitlines()[:4], "params = 'solver.pcs'"])
    (fault,) = faults_of(folder, text)
    assert (fault.key, fault.line) == ("params", 5)


def test_a_fault_of_a_parameter_file_points_into_it(folder: Path) -> None:
    (folder / "solver.pcs").write_text("alpha [0, 1][0.5]\nmode {a, b}[c]\n")
    (fault,) = faults_of(folder, "\n".join([*VALID.splitlines()[:4], "params = 'solver.pcs'"]))
    assert (Path(fault.file).name, fault.line) == ("solver.pcs", 2)


def test_an_expression_with_escapes_is_shown_as_it_is_meant(folder: Path) -> None:
    (fault,) = faults_of(folder, changed('forbidden = ["mode == \\"medium\\""]'))
    assert fault.excerpt == 'mode == "medium"'
    assert fault.column == 9


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('env = { "A=B" = "1" }', "invalid name of an environment variable: 'A=B'"),
        ('env = { "" = "1" }', "invalid name of an environment variable: ''"),
        ("seeds = [1, 99999999999999999999]", "99999999999999999999 has more than 64 bits"),
    ],
)
def test_settings_that_would_fail_during_the_tuning_are_refused(
    folder: Path, line: str, problem: str
) -> None:
    (fault,) = faults_of(folder, changed(line))
    assert fault.problem == problem
    assert fault.line is not None


def test_a_duplicate_key_is_explained(folder: Path) -> None:
    (fault,) = faults_of(folder, VALID + 'params.alpha = 1\nceiling = "1s"\n')
    assert fault.hint == "the key exists already: remove one of the two"


@pytest.mark.parametrize("content", [VALID.encode("utf-16"), b"\x7fELF\x02\0\0\0 = \xff"])
def test_a_binary_file_is_refused(folder: Path, content: bytes) -> None:
    (folder / "s.toml").write_bytes(content)
    with pytest.raises(ScenarioError, match="not a text file in UTF-8; check the path"):
        read_scenario(folder / "s.toml")


def test_an_error_points_to_invalid_utf_8(folder: Path) -> None:
    (folder / "s.toml").write_bytes(
        VALID.replace("./solver", "./s\N{LATIN SMALL LETTER O WITH DIAERESIS}").encode("latin-1")
    )
    with pytest.raises(ScenarioError, match=r"s\.toml:1:11: 'command': invalid UTF-8"):
        read_scenario(folder / "s.toml")
