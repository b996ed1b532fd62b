"""The paper's Table 1: from recordings to medians, tests and a picture."""

import csv
from importlib import import_module as load
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("pandas")


EXPERIMENTS = Path(__file__).parents[2] / "experiments"


NAME = "cp-sat-knapsacks"


@pytest.fixture
def command(recordings, tmp_path):
    module = load("table1.run")
    places = ["--recordings", str(recordings), "--cache", str(recordings / "cache")]
    return lambda *options: module.main([*places, "--out", str(tmp_path), "--processes", "1", *options])


SHORT = ("--budget", "30", "--arms", "slack 1.3", "no censoring")


def test_the_table_has_a_line_for_each_scenario(command, tmp_path, capsys):
    command(*SHORT, "--seeds", "2")
    lines = (tmp_path / "table1.md").read_text().splitlines()
    assert lines[0] == "| scenario | slack 1.3 | no censoring | n |"
    assert lines[2].startswith(f"| {NAME} | ")
    assert lines[2].endswith(" | 2 |")
    assert f"{NAME}: slack 1.3 " in lines[-1]
    assert (tmp_path / "table1.png").stat().st_size > 1000
    assert len((tmp_path / "table1-summary.csv").read_text().splitlines()) == 3
    assert "without SPEAR-SWV: set the environment variable TIGHTROPE_DATA" in capsys.readouterr().out


def test_the_table_resumes(command, tmp_path, capsys):
    command(*SHORT, "--seeds", "1")
    command(*SHORT, "--seeds", "2")
    assert "2 of 2 jobs done" in capsys.readouterr().out
    assert len((tmp_path / "table1.csv").read_text().splitlines()) == 5


def test_scenarios_are_listed_with_reasons_why_others_are_missing(command, capsys):
    command("--list")
    printed = capsys.readouterr().out.splitlines()
    assert printed[-2:] == [f"{NAME}, recorded", NAME]
    assert any(
        line.startswith("without kissat-threshold: not recorded; record it with: python") for line in printed
    )


def test_an_unknown_scenario_is_refused(command):
    with pytest.raises(SystemExit, match="no such scenario: chess"):
        command("--scenarios", "chess")


def test_without_recordings_the_error_says_how_to_record(command, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(SystemExit, match="record one first"):
        command("--recordings", str(tmp_path / "empty"))


def test_a_budget_is_in_runs_of_the_default(command, tmp_path, recordings):
    command(*SHORT, "--seeds", "1", "--scenarios", NAME)
    with (tmp_path / "table1.csv").open(newline="") as file:
        spent = [float(row["spent"]) for row in csv.DictReader(file)]
    recording = load("lib.recording.files").read_recording(recordings / NAME)
    budget = 30 * np.minimum(recording.costs[0, ~recording.is_test], 100.0).mean()
    assert all(0.9 * budget < each < budget + 100.0 for each in spent)  # the last run may exceed it


def test_a_scenario_has_its_own_budget_and_the_quick_form_a_share_of_it(command, tmp_path, monkeypatch):
    monkeypatch.setitem(load("lib.budgets").BUDGETS, NAME, 20)
    command("--arms", "slack 1.3", "--seeds", "1", "--scenarios", NAME, f"{NAME}, recorded")
    command("--arms", "slack 1.3", "--seeds", "1", "--scenarios", NAME, "--quick")
    plans = {}
    for path in (tmp_path / "table1.csv", tmp_path / "table1-quick.csv"):
        with path.open(newline="") as file:
            plans[path.stem] = {row["plan"] for row in csv.DictReader(file)}
    assert plans == {"table1": {"20 runs"}, "table1-quick": {"8 runs"}}


def test_only_tunings_with_the_same_budget_are_compared(command, tmp_path):
    command(*SHORT, "--seeds", "1")
    command("--budget", "40", "--arms", "slack 1.3", "--seeds", "1")
    lines = (tmp_path / "table1.md").read_text().splitlines()
    assert lines[0] == "| scenario | slack 1.3 | n |"
