"""The verb tune."""

import json
from pathlib import Path

import pytest

from tightrope.cli.main import Exit, run
from tightrope.store import JournalReader

Capture = pytest.CaptureFixture[str]


def test_a_tuning_keeps_all_it_needs_in_its_folder(project: Path) -> None:
    assert run(["tune", "-q", "--seed", "3", "--workers", "1"]) == 0
    folder = project / "runs" / "solver"
    assert (folder / "scenario.toml").read_bytes() == (project / "scenario.toml").read_bytes()
    settings = json.loads((folder / "settings.json").read_text())
    assert (settings["base"], settings["seed"], settings["workers"]) == (str(project), 3, 1)
    with JournalReader(folder / "tuning.journal") as journal:
        assert len(journal.history()) == 30
    assert {path.name for path in project.iterdir()} == {"cost.sh", "runs", "scenario.toml", "test", "train"}


def test_the_copy_of_a_scenario_keeps_its_suffix(project: Path) -> None:
    text = Path("scenario.toml").read_text()
    Path("scenario.toml").rename("mine.txt")
    assert run(["tune", "mine.txt", "-q", "--budget", "5 runs", "--workers", "1"]) == 0
    assert Path("runs/mine/scenario.txt").read_text() == text


def test_it_prints_the_start_the_result_and_the_next_command(project: Path, capsys: Capture) -> None:
    assert run(["tune", "--workers", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "tuning 2 parameters on 6 instances: 30 runs, 1 worker, into runs/solver"
    assert any("less than the default" in line and "mode = quick (slow)" in line for line in lines[1:-4])
    (winner,) = (line for line in lines if " configs: " in line)
    assert "less than the default (95 %: " in winner
    assert any(line.endswith("Stopped because 30 runs are done.") for line in lines)
    assert lines[-1] == "next:  tightrope validate runs/solver"


def test_quiet_says_the_result_only(project: Path, capsys: Capture) -> None:
    assert run(["tune", "-q", "--workers", "1"]) == 0
    out = capsys.readouterr().out
    assert " configs: " in out
    assert "tuning 2 parameters" not in out
    assert "next:" not in out


def test_json_leaves_stdout_to_one_object(project: Path, capsys: Capture) -> None:
    assert run(["tune", "--json", "--workers", "1"]) == 0
    captured = capsys.readouterr()
    told = json.loads(captured.out)
    assert told["folder"] == "runs/solver"
    assert told["runs"]["all"] == 30
    assert told["incumbent"]["config"].keys() == {"x", "mode"}
    assert told["against_default"]["claim"] == "ratio"
    assert "next:  tightrope validate" in captured.err


def test_verbose_json_is_a_line_for_each_event(project: Path, capsys: Capture) -> None:
    assert run(["tune", "--json", "-v", "--budget", "8 runs", "--workers", "1"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    kinds = [event["event"] for event in events]
    assert (kinds.count("started"), kinds.count("finished"), kinds[-1]) == (8, 8, "ended")
    assert {"selected", "improved"} <= set(kinds)


def test_verbose_tells_every_run(project: Path, capsys: Capture) -> None:
    assert run(["tune", "-v", "--budget", "5 runs", "--workers", "1"]) == 0
    out = capsys.readouterr().out
    assert all(f"run {number}  #0  train/" in out for number in range(4))


def test_what_the_command_line_says_instead_is_remembered(project: Path) -> None:
    assert run(["tune", "-q", "--budget", "6 runs", "--slack", "2", "--out", "here"]) == 0
    settings = json.loads(Path("here/settings.json").read_text())
    assert (settings["budget"], settings["slack"]) == ({"runs": 6.0}, 2.0)


def test_two_workers_run_at_once(project: Path, capsys: Capture) -> None:
    assert run(["tune", "--json", "-v", "--budget", "8 runs", "--workers", "2"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {event["slots"] for event in events if event["event"] == "started"} == {2}


def test_a_folder_with_a_tuning_is_left_alone(tuned: Path, capsys: Capture) -> None:
    before = {path: path.read_bytes() for path in tuned.iterdir()}
    assert run(["tune"]) == 2
    said = capsys.readouterr().err
    assert "runs/solver already holds a tuning" in said
    assert "tightrope resume runs/solver" in said
    assert "--out OTHER" in said
    assert {path: path.read_bytes() for path in tuned.iterdir()} == before


def test_a_missing_scenario_is_reported_with_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["tune"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: scenario.toml: there is no such file")
    assert "tightrope init" in said
    assert list(tmp_path.iterdir()) == []


def test_a_faulty_scenario_leaves_no_folder_behind(project: Path, capsys: Capture) -> None:
    Path("scenario.toml").write_text('command = "true"\n')
    assert run(["tune"]) == 2
    assert not Path("runs").exists()


def test_a_slack_that_makes_no_sense_is_refused(project: Path, capsys: Capture) -> None:
    assert run(["tune", "--slack", "0.5"]) == 2
    assert "'--slack': 0.5 is not in the range x>=1" in capsys.readouterr().err
    assert not Path("runs").exists()


@pytest.mark.parametrize("budget", ["8x", "0s", "+2h", "many runs", ""])
def test_a_budget_that_makes_no_sense_is_refused(project: Path, capsys: Capture, budget: str) -> None:
    assert run(["tune", "--budget", budget]) == 2
    assert "Invalid value for '--budget'" in capsys.readouterr().err


def test_a_target_that_cannot_work_ends_it_with_its_command_and_leaves_nothing(
    project: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROKEN", "yes")
    assert run(["tune"]) == 3
    captured = capsys.readouterr()
    assert "nothing is kept" in captured.out
    assert "$ sh cost.sh 0.9 slow train/" in captured.err
    assert "no licence" in captured.err
    assert not list(project.glob("runs/*"))
    monkeypatch.delenv("BROKEN")
    assert run(["tune", "-q", "--budget", "5 runs"]) == 0


def test_bounds_are_kept_even_if_no_run_got_below_the_ceiling(project: Path, capsys: Capture) -> None:
    text = Path("scenario.toml").read_text()
    Path("scenario.toml").write_text(text.replace("ceiling    = 500", "ceiling    = 0.1"))
    assert run(["tune", "--budget", "5 runs"]) == 3
    captured = capsys.readouterr()
    assert "the runs so far are kept:  tightrope resume runs/solver --budget '+5 runs'" in captured.out
    assert "no run finished" in captured.err
    with JournalReader(project / "runs" / "solver" / "tuning.journal") as journal:
        assert len(journal.history()) == 5


def test_where_nothing_is_better_the_default_wins(project: Path, capsys: Capture) -> None:
    text = Path("scenario.toml").read_text()
    Path("scenario.toml").write_text(
        text.replace("default = 0.9", "default = 0.3").replace('"slow" }', '"quick" }')
    )
    assert run(["tune", "--budget", "12 runs"]) == 0
    out = capsys.readouterr().out
    assert "Nothing better than the default was found" in out
    assert out.splitlines()[-1] == "next:  tightrope resume runs/solver --budget '+12 runs'"


def test_quiet_and_verbose_exclude_each_other(project: Path, capsys: Capture) -> None:
    assert run(["tune", "-q", "-v"]) == 2
    assert "-q and -v cannot be used together" in capsys.readouterr().err


def test_workers_that_would_share_cores_are_refused_before_anything_is_written(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        (project / "scenario.toml")
        .read_text()
        .replace('"printed"', '"wall"')
        .replace("500", '"20s"')
        .replace('time_limit = "20s"\n', "")
    )
    (project / "scenario.toml").write_text(text)
    assert run(["tune", "--workers", "5000"]) == Exit.USAGE
    told = capsys.readouterr().err
    assert "5000 workers are more than the" in told
    assert "use --workers " in told
    assert not (project / "runs").exists()


@pytest.mark.slow  # Dask waits for a minute
def test_a_cluster_that_is_not_there_leaves_no_folder_behind(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("distributed")
    assert run(["tune", "--dask", "nowhere.json"]) == Exit.FAILED
    assert "nowhere.json" in capsys.readouterr().err
    assert not (project / "runs" / "solver").exists()
