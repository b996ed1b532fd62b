"""Scenarios in TOML: what is wrong is told with its place, all at once."""

from pathlib import Path

import pytest

from tightrope.errors import Fault, ScenarioError
from tightrope.scenario import read_scenario

SOUND = """\
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
    """Return the sound scenario with one line replaced, or added at the top."""
    key = line.partition("=")[0].strip()
    lines = [line if each.startswith(f"{key} =") else each for each in SOUND.splitlines()]
    return "\n".join(lines if line in lines else [line, *lines])


def test_the_sound_scenario_has_no_faults(folder: Path) -> None:
    (folder / "s.toml").write_text(SOUND)
    assert read_scenario(folder / "s.toml").ceiling == 300.0


@pytest.mark.parametrize(
    ("line", "key", "problem", "hint"),
    [
        ("slak = 2", "slak", "there is no key 'slak'", "did you mean 'slack'?"),
        ("slack = 0.5", "slack", "slack must be at least 1", ""),
        ("slack = '2'", "slack", "expected a number, found '2'", ""),
        ("par = true", "par", "expected a number, found true", ""),
        ("ceiling = '300'", "ceiling", "'300' has no unit behind 300", "write it like '90s'"),
        ("ceiling = -1", "ceiling", "ceiling must be a positive number", "no run can be left without"),
        ("budget = 8", "budget", "expected a duration, or a table of limits, found 8", 'write "8h"'),
        ("budget = { cup = '8h' }", "budget.cup", "there is no limit of the budget 'cup'", "'cpu'"),
        ("budget = { runs = 0.5 }", "budget.runs", "expected a whole number, found 0.5", ""),
        ("memory = '2 apples'", "memory", "'apples' is not a unit of memory", "'2GB'"),
        ("deterministic = 1", "deterministic", "expected true or false, found 1", ""),
        ("model = 'gp'", "model", "model must be one of forest, random, not 'gp'", ""),
        ("cost = 'time'", "cost", "'time' is not known here", "'cpu', 'wall', 'printed'"),
        ("time_limit = '9s'", "time_limit", "where time is the cost, the ceiling is the limit", "remove it"),
        ("answer = 'sad'", "answer", "'sad' is not known here", "did you mean 'sat'?"),
        ("answer = { kind = 'pattern', cost = '(' }", "answer", "is not a regular expression", ""),
        ("command = './solver {parameters}'", "command", "has no place for the instance", "{instance}"),
        ("command = './solver {instance}'", "command", "no place for the parameter 'alpha'", "{parameters}"),
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
            "'train/a' is for training as well",
            "",
        ),
        ("instances = { file = 'no.txt' }", "instances.file", "there is no file", "check the path"),
        ("instances = ['train/a', 'train/a']", "instances", "'train/a' in the list before", "once"),
        ("instances = ['train/*', 'train/?']", "instances", "'train/a' and 1 more in the list before", ""),
        ("style = ''", "style", "the pattern has no {value}", "--{name}={value}"),
        ("flags = '-x'", "flags", "the pattern has no {name}", "--no-{name}"),
        ("memory = '0MB'", "memory", "no run can do without memory", "leave it out"),
        ("split = 1", "split", "instances are split already", "remove `split`"),
        ("features = 'no.csv'", "features", "there is no file", "check the path"),
        ("default = { alfa = 1 }", "default.alfa", "there is no parameter 'alfa'", "did you mean 'alpha'?"),
        ("default = { alpha = 2 }", "alpha", "2 is not a value of this parameter", "0.0 to 1.0"),
        ("expected = { c = 'SAT' }", "expected", "there is no such instance", "check the spelling"),
        ("style = { alpha = '-a {value}' }", "style", "no pattern for 'mode'", ""),
        ("tactics = { trees = 0 }", "tactics.trees", "trees must be a whole number of at least 1", ""),
        ("cwd = 'nowhere'", "cwd", "there is no folder", "make it"),
        ("forbidden = ['alpha > 2']", "alpha", "2 is not a value of this parameter", ""),
        ("forbidden = ['alpha > 0.1']", None, "the default is forbidden", "change the default"),
        ("forbidden = ['mode == fast']", "fast", "there is no parameter 'fast'", "write 'fast' in quotes"),
        ("forbidden = ['alpha + 1 > 2']", None, "'+' is not supported here", "supported are"),
        ("forbidden = ['mode']", "mode", "true is not a value of this parameter", "'fast', 'slow'"),
        ("forbidden = ['mode ==']", None, "the expression is not complete", "supported are"),
        ("params.alpha = { type = 'real' }", "params.alpha", "real parameters need 'range'", "add range"),
        ("params.alpha = { type = 'reel' }", "params.alpha.type", "'reel' is not known here", "'real'"),
        ("params.alpha = 7", "params.alpha", "expected a table that describes", "write for example"),
        (
            "params.mode = { type = 'boolean', values = [1] }",
            "params.mode.values",
            "no key of boolean parameters",
            "",
        ),
        ("params.mode = { type = 'ordinal', values = [1, 1] }", "mode", "the choice '1' occurs twice", ""),
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
    text = "\n".join(line for line in SOUND.splitlines() if not line.startswith(key))
    (fault,) = faults_of(folder, text)
    assert fault.problem == f"there is no `{key}`"
    assert fault.hint.startswith(f"add for example {key} = ")


@pytest.mark.parametrize(
    ("file", "line", "problem"),
    [
        ("f.csv", 3, "'two' is not a number"),
        ("few.csv", 1, "no features for 'train/b'"),
        ("same.csv", 4, "the instance 'train/b' has several rows: also in line 3"),
    ],
)
def test_a_fault_of_a_feature_file_points_into_it(folder: Path, file: str, line: int, problem: str) -> None:
    (fault,) = faults_of(folder, changed(f"features = '{file}'"))
    assert Path(fault.file).name == file
    assert (fault.line, fault.problem) == (line, problem)


def test_all_faults_are_told_at_once_in_the_order_of_the_lines(folder: Path) -> None:
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
        ("command = ./solver\n", 1, 11, "not TOML: invalid value"),
        ("a = 1\na = 2\n", 2, 6, "not TOML: cannot overwrite a value"),
        ("a = [1,\n", 2, 1, "not TOML: invalid value"),
    ],
)
def test_what_is_not_toml_is_pointed_to(
    folder: Path, text: str, line: int, column: int, problem: str
) -> None:
    (fault,) = faults_of(folder, text)
    assert (fault.line, fault.column, fault.problem) == (line, column, problem)


def test_a_missing_parameter_file_is_blamed_on_its_key(folder: Path) -> None:
    text = "\n".join([*SOUND.splitlines()[:4], "params = 'solver.pcs'"])
    (fault,) = faults_of(folder, text)
    assert (fault.key, fault.line) == ("params", 5)


def test_a_fault_of_a_parameter_file_points_into_it(folder: Path) -> None:
    (folder / "solver.pcs").write_text("alpha [0, 1][0.5]\nmode {a, b}[c]\n")
    (fault,) = faults_of(folder, "\n".join([*SOUND.splitlines()[:4], "params = 'solver.pcs'"]))
    assert (Path(fault.file).name, fault.line) == ("solver.pcs", 2)


def test_an_expression_with_escapes_is_shown_as_it_is_meant(folder: Path) -> None:
    (fault,) = faults_of(folder, changed('forbidden = ["mode == \\"medium\\""]'))
    assert fault.excerpt == 'mode == "medium"'
    assert fault.column == 9


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('env = { "A=B" = "1" }', "no environment variable can have the name 'A=B'"),
        ('env = { "" = "1" }', "no environment variable can have the name ''"),
        ("seeds = [1, 99999999999999999999]", "99999999999999999999 has more than 64 bits"),
    ],
)
def test_what_would_only_fail_in_the_middle_of_a_tuning_is_refused(
    folder: Path, line: str, problem: str
) -> None:
    (fault,) = faults_of(folder, changed(line))
    assert fault.problem == problem
    assert fault.line is not None


def test_a_key_that_is_there_twice_is_told_so(folder: Path) -> None:
    (fault,) = faults_of(folder, SOUND + 'params.alpha = 1\nceiling = "1s"\n')
    assert fault.hint == "this key is there already: remove one of the two"


@pytest.mark.parametrize("content", [SOUND.encode("utf-16"), b"\x7fELF\x02\0\0\0 = \xff"])
def test_a_file_that_is_no_text_is_refused_as_such(folder: Path, content: bytes) -> None:
    (folder / "s.toml").write_bytes(content)
    with pytest.raises(ScenarioError, match="this is not a text in UTF-8; check the path"):
        read_scenario(folder / "s.toml")


def test_a_text_in_another_encoding_is_pointed_to(folder: Path) -> None:
    (folder / "s.toml").write_bytes(
        SOUND.replace("./solver", "./s\N{LATIN SMALL LETTER O WITH DIAERESIS}").encode("latin-1")
    )
    with pytest.raises(ScenarioError, match=r"s\.toml:1:11: 'command': a character that is not UTF-8"):
        read_scenario(folder / "s.toml")
