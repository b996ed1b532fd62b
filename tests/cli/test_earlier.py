"""The option --earlier of the verb tune."""

import json
import shutil
from pathlib import Path

import pytest

from tightrope.cli.main import Exit, run
from tightrope.store import JournalReader

Capture = pytest.CaptureFixture[str]


def best_of(folder: Path, capsys: Capture) -> dict[str, object]:
    capsys.readouterr()
    assert run(["best", str(folder), "--format", "json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_the_best_of_an_earlier_tuning_is_tried_first(tuned: Path, capsys: Capture) -> None:
    best = best_of(tuned, capsys)
    assert run(["tune", "--workers", "1", "--seed", "5", "--out", "again", "--earlier", str(tuned)]) == 0
    assert "30 runs of an earlier tuning taken in\n" in capsys.readouterr().out
    with JournalReader("again/tuning.journal") as reader:
        configs = list(dict.fromkeys(run.trial.config for run in reader.history()))
    assert configs[1] == best


def test_all_verbs_work_when_the_earlier_tuning_is_gone(tuned: Path, capsys: Capture) -> None:
    assert run(["tune", "-q", "--workers", "1", "--out", "again", "--earlier", str(tuned)]) == 0
    shutil.rmtree(tuned)
    assert run(["resume", "again", "--budget", "+5 runs"]) == 0
    assert run(["status", "again"]) == 0
    assert "35 of 35 runs" in capsys.readouterr().out


def test_several_tunings_are_taken_in(tuned: Path, capsys: Capture) -> None:
    assert run(["tune", "-q", "--workers", "1", "--seed", "2", "--out", "two"]) == 0
    arguments = ["tune", "--workers", "1", "--out", "again", "--earlier", str(tuned), "--earlier", "two"]
    assert run(arguments) == 0
    assert "60 runs of 2 earlier tunings taken in" in capsys.readouterr().out


def test_runs_on_other_instances_are_counted(tuned: Path, capsys: Capture) -> None:
    text = Path("scenario.toml").read_text().replace("train/*.txt", "train/[4-6].txt")
    Path("scenario.toml").write_text(text)
    assert run(["tune", "--workers", "1", "--out", "again", "--earlier", str(tuned)]) == 0
    out = capsys.readouterr().out
    assert "on other instances, without features" in out
    assert "R08  earlier tunings: runs were left out" in out


def test_a_folder_that_is_none_is_refused_before_anything_is_written(project: Path, capsys: Capture) -> None:
    assert run(["tune", "--earlier", "runs/none", "--out", "again"]) == Exit.FAILED
    assert "runs/none: there is no journal of a tuning here; give a run folder" in capsys.readouterr().err
    assert not Path("again").exists()


def test_other_parameters_are_refused(tuned: Path, capsys: Capture) -> None:
    text = Path("scenario.toml").read_text()
    Path("scenario.toml").write_text(text.replace("{x}", "{z}").replace("\nx =", "\nz ="))
    assert run(["tune", "--earlier", str(tuned), "--out", "again"]) == Exit.USAGE
    assert "runs/solver tuned other parameters: 'x' is not in this space" in capsys.readouterr().err


def test_runs_go_to_smac3_and_back(tuned: Path, capsys: Capture) -> None:
    best = best_of(tuned, capsys)
    assert run(["export", str(tuned), "--format", "smac3", "-o", "runhistory.json"]) == 0
    said = capsys.readouterr().err
    n_runs = len(json.loads(Path("runhistory.json").read_text())["data"])
    assert said.startswith(f"wrote {n_runs} runs to runhistory.json")
    assert run(["tune", "--workers", "1", "--out", "again", "--earlier", "runhistory.json"]) == 0
    assert f"{n_runs} runs of an earlier tuning taken in\n" in capsys.readouterr().out
    with JournalReader("again/tuning.journal") as reader:
        configs = list(dict.fromkeys(run.trial.config for run in reader.history()))
    assert configs[1] == best


def test_a_run_history_that_is_none_is_refused(project: Path, capsys: Capture) -> None:
    Path("runhistory.json").write_text("{}")
    assert run(["tune", "--earlier", "runhistory.json", "--out", "again"]) == Exit.USAGE
    assert "runhistory.json: this is not a run history of SMAC3" in capsys.readouterr().err
    assert not Path("again").exists()
