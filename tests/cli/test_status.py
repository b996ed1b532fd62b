"""The verb status."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tightrope.cli.main import run
from tightrope.cli.runs.folder import RunFolder
from tightrope.cli.runs.replay import Replay
from tightrope.cli.runs.status import StatusLog
from tightrope.cli.terminal.console import Terminal
from tightrope.store import Journal

Capture = pytest.CaptureFixture[str]


def test_one_screen_tells_it_all(tuned: Path, capsys: Capture) -> None:
    assert run(["status", str(tuned)]) == 0
    lines = capsys.readouterr().out.splitlines()
    heads = [line.split("  ")[0] for line in lines]
    assert heads[:4] == ["folder", "state", "budget", "incumbent"]
    assert "state       ended: 30 runs are done" in lines
    assert any(line.startswith("coverage    incumbent on ") and "of 6 instances" in line for line in lines)
    assert any("less than the default" in line for line in lines)
    assert lines[-1] == "next:  tightrope validate runs/solver"
    assert len(lines) <= 24


def test_it_changes_nothing_but_what_it_keeps_for_the_next_time(tuned: Path) -> None:
    before = {path: path.read_bytes() for path in tuned.iterdir() if path.name != "view.json"}
    assert run(["status", "-q", str(tuned)]) == 0
    assert {path: path.read_bytes() for path in tuned.iterdir() if path.name != "view.json"} == before


def test_json_is_for_programs(tuned: Path, capsys: Capture) -> None:
    assert run(["status", str(tuned), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["is_under_way"], told["reason"], told["runs"]["all"]) == (False, "30 runs are done", 30)


def test_a_running_tuning_is_shown_as_such(tuned: Path, capsys: Capture) -> None:
    with Journal.open(tuned / "tuning.journal"):
        assert run(["status", str(tuned)]) == 0
    out = capsys.readouterr().out
    assert "state       running, 0 runs under way" in out
    assert out.splitlines()[-1] == "next:  tightrope status runs/solver --watch"


def test_an_interrupted_tuning_suggests_resume(tuned: Path, capsys: Capture) -> None:
    settings = json.loads((tuned / "settings.json").read_text())
    settings |= {"budget": {"runs": 50}, "ended": None}
    (tuned / "settings.json").write_text(json.dumps(settings))
    assert run(["status", str(tuned)]) == 0
    out = capsys.readouterr().out
    assert "state       stopped before its budget was spent" in out
    assert out.splitlines()[-1] == "next:  tightrope resume runs/solver"


def test_watching_ends_with_the_tuning(tuned: Path, capsys: Capture) -> None:
    assert run(["status", str(tuned), "--watch"]) == 0
    assert capsys.readouterr().out.count("state       ended") == 1


def test_watching_looks_again_while_somebody_writes(
    tuned: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal.open(tuned / "tuning.journal")
    looks: list[float] = []

    def pause(duration_s: float) -> None:
        looks.append(duration_s)
        if len(looks) == 3:
            journal.close()

    monkeypatch.setattr("tightrope.cli.runs.status.time.sleep", pause)
    assert run(["status", str(tuned), "--watch"]) == 0
    assert len(looks) == 4
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("30 of 30 runs  incumbent #")
    assert lines[1] == "folder      runs/solver"
    assert "state       ended: 30 runs are done" in lines


def test_a_pipe_gets_a_line_at_first_for_each_improvement_and_every_ten_minutes(
    tuned: Path, capsys: Capture
) -> None:
    terminal = Terminal.of(quiet=False, verbose=False, is_json=False, no_color=True)
    now = Replay(RunFolder.open(tuned), terminal).look()
    before = replace(now, trajectory=now.trajectory[:-1])
    now_s = 0.0
    log = StatusLog(terminal, clock=lambda: now_s)
    for seen, now_s in ((before, 2.0), (before, 4.0), (now, 6.0), (now, 605.0), (now, 606.0)):  # noqa: B007
        log.add(seen)
    first, second, third = capsys.readouterr().out.splitlines()
    assert first == third
    assert first.startswith("30 of 30 runs  incumbent #")
    assert "less than the default:  mode = quick (slow)" in second


def test_looking_again_sees_what_looking_for_the_first_time_does(tuned: Path) -> None:
    terminal = Terminal.of(quiet=True, verbose=False, is_json=False, no_color=True)
    patient = Replay(RunFolder.open(tuned), terminal)
    patient.look()
    assert run(["resume", "-q", str(tuned), "--budget", "+6 runs"]) == 0
    one, other = patient.look(), Replay(RunFolder.open(tuned), terminal).look()
    assert (one.progress, one.trajectory, one.history) == (other.progress, other.trajectory, other.history)
    assert (one.wall_s, len(one.history)) == (other.wall_s, 36)


def test_a_folder_without_runs_is_rejected(tuned: Path, capsys: Capture) -> None:
    (tuned / "tuning.journal").unlink()
    settings = json.loads((tuned / "settings.json").read_text()) | {"begun": False, "ended": None}
    (tuned / "settings.json").write_text(json.dumps(settings))
    assert run(["status", str(tuned)]) == 2
    assert "nothing has been run yet in runs/solver" in capsys.readouterr().err


def test_a_folder_without_a_tuning_is_rejected(tmp_path: Path, capsys: Capture) -> None:
    assert run(["status", str(tmp_path)]) == 2
    assert "is not a run folder" in capsys.readouterr().err
