"""The verb resume."""

import json
from pathlib import Path

import pytest

from tightrope.cli.main import run
from tightrope.store import Journal, JournalReader

Capture = pytest.CaptureFixture[str]


def runs_in(folder: Path) -> int:
    with JournalReader(folder / "tuning.journal") as journal:
        return len(journal.history())


def test_more_budget_is_spent_and_remembered(tuned: Path, capsys: Capture) -> None:
    assert run(["resume", str(tuned), "--budget", "+5 runs"]) == 0
    assert capsys.readouterr().out.startswith("resuming runs/solver: 35 runs in all")
    assert runs_in(tuned) == 35
    assert json.loads((tuned / "settings.json").read_text())["budget"] == {"runs": 35.0}


def test_another_budget_takes_the_place_of_the_old_one(tuned: Path) -> None:
    assert run(["resume", "-q", str(tuned), "--budget", "33 runs"]) == 0
    assert runs_in(tuned) == 33


def test_a_tuning_that_has_ended_says_so_and_how_to_go_on(tuned: Path, capsys: Capture) -> None:
    assert run(["resume", str(tuned)]) == 0
    out = capsys.readouterr().out
    assert "this tuning has ended already: 30 runs are done" in out
    assert out.splitlines()[-1].endswith(
        "with more budget:  tightrope resume runs/solver --budget '+30 runs'"
    )
    assert runs_in(tuned) == 30


def test_time_that_is_up_stays_up(tuned: Path, capsys: Capture) -> None:
    settings = json.loads((tuned / "settings.json").read_text())
    reason = {"kind": "time", "text": "9000 s have passed"}
    settings |= {"budget": {"wall": 9000.0}, "ended": {"reason": reason, "wall_s": 9000.5}}
    (tuned / "settings.json").write_text(json.dumps(settings))
    assert run(["resume", "--json", str(tuned)]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["reason"] == "9000 s have passed"
    assert "this tuning has ended already: its time of 2 h 30 m is up" in captured.err
    assert runs_in(tuned) == 30


def test_a_folder_of_an_older_version_whose_reason_is_plain_text_is_read(
    tuned: Path, capsys: Capture
) -> None:
    settings = json.loads((tuned / "settings.json").read_text())
    settings |= {"budget": {"wall": 9000.0}, "ended": {"reason": "9000 s have passed", "wall_s": 9000.5}}
    (tuned / "settings.json").write_text(json.dumps(settings))
    assert run(["resume", str(tuned)]) == 0
    assert "this tuning has ended already: 9000 s have passed" in capsys.readouterr().out
    assert run(["status", str(tuned)]) == 0


def test_without_a_folder_the_latest_is_used_and_named(tuned: Path, capsys: Capture) -> None:
    assert run(["resume"]) == 0
    assert capsys.readouterr().out.startswith("using runs/solver, the latest in runs\n")


def test_nothing_to_resume_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["resume"]) == 2
    assert "there is no run folder in" in capsys.readouterr().err


def test_time_cannot_be_added_to_a_number_of_runs(tuned: Path, capsys: Capture) -> None:
    assert run(["resume", str(tuned), "--budget", "+2h"]) == 2
    assert "--budget +2h has nothing to add to: the budget is 30 runs" in capsys.readouterr().err


def test_instances_that_changed_are_refused_by_name(tuned: Path, capsys: Capture) -> None:
    Path("train/7.txt").write_text("x")
    assert run(["resume", str(tuned), "--budget", "+5 runs"]) == 3
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert (
        "tuning.journal: this journal belongs to a different scenario; changed: instances (added train/7.txt)"
        in said
    )


def test_a_tuning_that_somebody_else_writes_is_left_alone(tuned: Path, capsys: Capture) -> None:
    before = (tuned / "settings.json").read_text()
    with Journal.open(tuned / "tuning.journal"):
        assert run(["resume", "-q", str(tuned), "--budget", "+5 runs"]) == 3
    assert (tuned / "settings.json").read_text() == before
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "it is being written by process" in said


def test_a_file_that_is_no_journal_is_reported_in_a_line(tuned: Path, capsys: Capture) -> None:
    (tuned / "tuning.journal").write_text("something else " * 400)
    assert run(["resume", "-q", str(tuned)]) == 3
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "this is not a journal" in said


def test_settings_that_are_not_valid_are_reported(tuned: Path, capsys: Capture) -> None:
    (tuned / "settings.json").write_text("{")
    assert run(["resume", str(tuned)]) == 2
    assert "runs/solver/settings.json is not valid" in capsys.readouterr().err


def test_a_tuning_that_has_tried_everything_is_not_offered_more_budget(
    project: Path, capsys: Capture
) -> None:
    scenario = Path("scenario.toml").read_text().replace('x = { type = "real", range = [0.0, 1.0]', "#")
    Path("scenario.toml").write_text(
        scenario.replace("{x}", "0.3").replace("{ runs = 30 }", "{ runs = 500 }")
    )
    assert run(["tune", "--workers", "1"]) == 0
    capsys.readouterr()
    assert run(["resume"]) == 0
    out = capsys.readouterr().out
    assert "this tuning has ended already: every config has been tried" in out
    assert "--budget" not in out
    assert out.splitlines()[-1].endswith("next:  tightrope best runs/solver")
