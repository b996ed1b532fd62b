"""tightrope validate: test instances, side by side, and what is done is done."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tightrope.cli.main import Exit, run
from tightrope.store import JournalReader

TARGET = Path(__file__).parents[1] / "targets" / "candidate.py"
SCENARIO = f"""
command = "{sys.executable} -SE {TARGET} solve {{parameters}} {{instance}}"
params = {{ x = {{ type = "real", range = [0.0, 20.0], default = 20.0 }} }}
instances = {{ train = "train/*.txt", test = "test/*.txt" }}
ceiling = "10s"
budget = {{ runs = 6 }}
"""
FOLDER = Path("runs") / "tuned"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a folder with a tuning of a few runs."""
    monkeypatch.chdir(tmp_path)
    for name in ("train/a.txt", "train/b.txt", "test/c.txt", "test/d.txt", "test/e.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("0.005")
    (tmp_path / "tuned.toml").write_text(SCENARIO)
    return tmp_path


@pytest.fixture
def tuned(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tune for a few runs."""
    assert run(["tune", "tuned.toml", "-q", "--workers", "1"]) == Exit.DONE
    capsys.readouterr()


def validate(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, dict[str, Any]]:
    code = run(["validate", str(FOLDER), "--json", "--workers", "1", *options])
    printed = capsys.readouterr()
    assert printed.out, printed.err
    return code, json.loads(printed.out)


def n_runs() -> int:
    with JournalReader(FOLDER / "validation.journal") as reader:
        return len(reader.history())


@pytest.mark.usefixtures("tuned")
def test_default_and_best_are_compared_on_the_test_instances(capsys: pytest.CaptureFixture[str]) -> None:
    code, told = validate(capsys)
    assert code == Exit.DONE
    assert [one["name"] for one in told["contenders"]] == ["default", "best"]
    assert told["contenders"][0]["config"] == {"x": 20.0}
    assert {one["tasks"] for one in told["contenders"]} == {3}


@pytest.mark.usefixtures("tuned")
def test_people_get_a_table_a_sentence_and_the_next_command(capsys: pytest.CaptureFixture[str]) -> None:
    Path("quick.json").write_text('{"x": 0.0}')
    assert run(["validate", "--configs", "default,quick.json"]) == Exit.DONE
    printed = capsys.readouterr().out
    assert "  default" in printed
    assert "times faster than default" in printed
    assert printed.splitlines()[-1] == f"next:  tightrope best {FOLDER}"


def test_where_nothing_better_was_found_more_budget_is_the_next_step(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("tuned.toml").write_text(SCENARIO.replace("runs = 6", "runs = 1"))
    assert run(["tune", "tuned.toml", "-q", "--workers", "1"]) == Exit.DONE
    capsys.readouterr()
    _, told = validate(capsys)
    assert told["next"] == f"tightrope resume {FOLDER} --budget '+1 runs'"


@pytest.mark.usefixtures("tuned")
def test_what_is_done_is_not_done_again(capsys: pytest.CaptureFixture[str]) -> None:
    validate(capsys, "--configs", "default")
    validate(capsys, "--configs", "default")
    assert n_runs() == 3
    validate(capsys, "--configs", "default", "--repeat", "2")
    assert n_runs() == 6


@pytest.mark.usefixtures("tuned")
def test_configs_of_files_are_completed_by_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.toml").write_text("x = 3.0")
    Path("empty.json").write_text("{}")
    _, told = validate(capsys, "--configs", "mine.toml,empty.json")
    assert [one["config"] for one in told["contenders"]] == [{"x": 3.0}, {"x": 20.0}]


@pytest.mark.usefixtures("tuned")
@pytest.mark.parametrize("options", [["--format", "toml"], ["--format", "json"], ["--json"]])
def test_what_best_prints_can_be_validated(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["best", str(FOLDER), *options]) == Exit.DONE
    file = Path("winner.toml" if "toml" in options else "winner.json")
    file.write_text(capsys.readouterr().out)
    _, told = validate(capsys, "--configs", f"best,{file}")
    assert told["contenders"][0]["config"] == told["contenders"][1]["config"]


@pytest.mark.usefixtures("tuned")
@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.json", "{", "a.json: this is not valid JSON"),
        ("a.json", "[1]", "a.json: this is not a table of values"),
        ("a.json", '{"y": 1}', "a.json: parameter 'y': the space has no such parameter"),
        ("a.toml", "x = 99", "a.toml: parameter 'x', given 99"),
    ],
)
def test_config_that_makes_no_sense_is_refused(
    name: str, text: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(name).write_text(text)
    assert run(["validate", str(FOLDER), "--configs", name]) == Exit.USAGE
    assert problem in capsys.readouterr().err


@pytest.mark.usefixtures("tuned")
def test_file_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["validate", str(FOLDER), "--configs", "default,beast"]) == Exit.USAGE
    assert "'beast' is not 'default', 'best' or a readable file" in capsys.readouterr().err


def test_scenario_without_test_instances_says_what_can_be_done(capsys: pytest.CaptureFixture[str]) -> None:
    scenario = SCENARIO.replace('{ train = "train/*.txt", test = "test/*.txt" }', '"train/*.txt"')
    Path("tuned.toml").write_text(scenario)
    run(["tune", "tuned.toml", "-q", "--workers", "1"])
    assert run(["validate", str(FOLDER)]) == Exit.USAGE
    assert "--set train" in capsys.readouterr().out
    _, told = validate(capsys, "--set", "train", "--configs", "default")
    assert [finding["code"] for finding in told["findings"]] == ["V02"]


def test_folder_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["validate", "nowhere"]) == Exit.USAGE
    assert "nowhere" in capsys.readouterr().err


@contextmanager
def half_done(*options: str) -> Iterator[subprocess.Popen[str]]:
    """Start a validation, and wait until it is past its first run and in one that takes long."""
    for name in ("d", "e"):
        Path(f"test/{name}.txt").write_text("60")
    command = [sys.executable, "-m", "tightrope", "validate", str(FOLDER), "-v", "--workers", "1", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while "done" not in process.stdout.readline():
            pass
        yield process
    for name in ("d", "e"):
        Path(f"test/{name}.txt").write_text("0.005")


@pytest.mark.slow
@pytest.mark.usefixtures("tuned")
def test_validation_that_was_killed_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    with half_done() as process:
        os.kill(process.pid, signal.SIGKILL)
    assert 1 <= n_runs() <= 2
    _, told = validate(capsys)
    assert n_runs() == 3 * len({json.dumps(one["config"]) for one in told["contenders"]})


@pytest.mark.slow
@pytest.mark.usefixtures("tuned")
def test_interrupted_validation_says_how_to_go_on() -> None:
    with half_done("--repeat", "2") as process:
        process.send_signal(signal.SIGTERM)
        assert process.stdout is not None
        rest = process.stdout.read()
    assert process.returncode == Exit.INTERRUPTED
    assert rest.endswith(f"stopped; nothing lost.  tightrope validate {FOLDER} --repeat 2 --workers 1\n")
