"""Every example runs as its README says, with a tiny budget."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tightrope.cli.main import Exit, run
from tightrope.cli.runs.folder import RunFolder
from tightrope.records import Status
from tightrope.scenario import read_scenario
from tightrope.store import JournalReader

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = {
    "kissat": ["--number", "2", "--frames", "3"],
    "minisat": ["--number", "2", "--variables", "60"],
    "highs": ["--number", "2", "--periods", "12"],
    "cpsat": ["--number", "2", "--jobs", "6"],
    "compiler": ["--number", "1"],
    "function": ["--number", "2", "--points", "8"],
}
PACKAGES = {"highs": "highspy", "cpsat": "ortools"}


@pytest.fixture
def example(request, tmp_path, monkeypatch) -> Path:
    """Copy an example, install its solver if that is for it to do, and generate small instances."""
    name = request.param
    if name in PACKAGES and importlib.util.find_spec(PACKAGES[name]) is None:
        pytest.skip(f"needs {PACKAGES[name]}: pip install --group examples")
    if name == "compiler" and shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    folder = tmp_path / name
    shutil.copytree(EXAMPLES / name, folder, ignore=shutil.ignore_patterns("train", "test", "runs", "debian"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(folder)
    if (folder / "install.sh").exists():
        installed = subprocess.run(["sh", "install.sh"], capture_output=True, text=True, check=False)
        if installed.returncode:
            pytest.skip(f"install.sh cannot get the solver here: {installed.stderr.strip()}")
    subprocess.run([sys.executable, "generate.py", *SMALL[name]], check=True, stdout=subprocess.DEVNULL)
    return folder


def with_scenarios(*but: str) -> pytest.MarkDecorator:
    names = [name for name in SMALL if name not in ("function", *but)]
    return pytest.mark.parametrize("example", names, indirect=True)


def test_every_folder_is_tested():
    assert {folder.name for folder in EXAMPLES.iterdir() if folder.is_dir()} == SMALL.keys()


@with_scenarios()
def test_an_example_can_be_tuned(example):
    assert run(["tune", "--budget", "5 runs", "--workers", "1", "--quiet"]) == Exit.DONE
    with JournalReader(RunFolder.open(Path("runs") / example.name).journal) as journal:
        history = journal.history()
    assert len(history) == 5
    assert [run.outcome.note for run in history if run.outcome.status is Status.FAILED] == []


@with_scenarios()
def test_an_example_is_sound_on_paper(example, capsys):
    assert run(["check", "--fast"]) == Exit.DONE
    assert "next:  tightrope tune" in capsys.readouterr().out


@with_scenarios("cpsat")  # which keeps the right answers in its instances
def test_a_wrong_answer_is_a_failure(example, capsys):
    for table in example.glob("*.csv"):
        rows = [f"{row.split(',')[0]},17" for row in table.read_text().splitlines()]
        table.write_text("\n".join(rows) + "\n")
    assert run(["tune", "--budget", "4 runs", "--workers", "1", "--quiet"]) == Exit.FAILED
    assert "wrong answer" in capsys.readouterr().err


@pytest.mark.parametrize("example", ["cpsat"], indirect=True)
def test_a_wrong_optimum_of_cpsat_is_a_failure(example, capsys):
    for file in example.glob("t*/*.json"):
        file.write_text(file.read_text().replace('"optimum": ', '"optimum": 9'))
    assert run(["tune", "--budget", "4 runs", "--workers", "1", "--quiet"]) == Exit.FAILED
    assert "but the optimum is" in capsys.readouterr().err


@pytest.mark.parametrize("example", ["function"], indirect=True)
def test_the_function_is_tuned_and_validated(example):
    command = [sys.executable, "tune_tour.py", "--runs", "8", "--workers", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "on 2 test instances" in done.stdout or "is the same config as" in done.stdout


@pytest.mark.parametrize("example", ["kissat"], indirect=True)
def test_ranges_are_those_that_kissat_tells(example):
    told = subprocess.run(["./kissat", "--range"], capture_output=True, text=True, check=True).stdout
    ranges = {name: (int(lower), int(upper)) for name, lower, _, upper in map(str.split, told.splitlines())}
    defaults = {name: int(default) for name, _, default, _ in map(str.split, told.splitlines())}
    scenario = read_scenario("scenario.toml")
    for name, parameter in scenario.space.configspace.items():
        assert parameter.default_value == defaults[name]
        legal = getattr(parameter, "choices", None) or (parameter.lower, parameter.upper)
        assert ranges[name][0] <= min(legal) <= max(legal) <= ranges[name][1]
