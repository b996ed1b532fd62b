"""Every experiment has a command and a row in the README."""

import subprocess
import sys
from pathlib import Path

import pytest

EXPERIMENTS = Path(__file__).parents[2] / "experiments"
NAMES = sorted(path.parent.name for path in EXPERIMENTS.glob("*/run.py"))


@pytest.mark.parametrize("name", NAMES)
def test_an_experiment_is_started_by_its_folder(name):
    assert f"from {name}.run import main" in (EXPERIMENTS / name / "__main__.py").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_an_experiment_has_a_row_in_the_readme(name):
    assert f"| [{name}]({name}/run.py) |" in (EXPERIMENTS / "README.md").read_text()


def test_a_command_runs_from_any_folder(tmp_path):
    command = [sys.executable, str(EXPERIMENTS / "budgets"), "--help"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "python experiments/budgets" in done.stdout
