"""The verb report."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tightrope import figures, importance
from tightrope.cli.main import Exit, run
from tightrope.store import Journal

Capture = pytest.CaptureFixture[str]


def test_the_page_is_written_into_the_folder(tuned: Path, capsys: Capture) -> None:
    assert run(["report", str(tuned)]) == 0
    assert capsys.readouterr().out == "wrote runs/solver/report.html\n"
    text = (tuned / "report.html").read_text()
    assert "sh cost.sh" in re.sub("<[^>]*>", "", text)
    assert "Stopped because 30 runs are done." in text


def test_a_validation_is_shown(tuned: Path) -> None:
    assert run(["validate", "-q", str(tuned), "--workers", "1"]) == 0
    assert run(["report", "-q", str(tuned)]) == 0
    text = (tuned / "report.html").read_text()
    assert "on 6 test instances" in text
    assert 'id="survival-test"' in text


def test_several_folders_are_compared(tuned: Path, tmp_path: Path, capsys: Capture) -> None:
    assert run(["tune", "-q", "--workers", "1", "--seed", "2", "--out", "runs/other"]) == 0
    capsys.readouterr()
    assert run(["report", str(tuned), "runs/other"]) == 0
    assert capsys.readouterr().out == "wrote report.html\n"
    text = Path("report.html").read_text()
    assert "<h1>2 tunings</h1>" in text
    assert re.search(r">other </text>|>other</text>", text)


def test_folders_of_one_name_are_called_by_what_differs(tuned: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        shutil.copytree(tuned, tmp_path / "seeds" / name / "solver")
    out = tmp_path / "page.html"
    folders = [str(tmp_path / "seeds" / name / "solver") for name in ("one", "two")]
    assert run(["report", "-q", *folders, "--out", str(out)]) == 0
    assert re.search('<th scope="row">one</th>.*<th scope="row">two</th>', out.read_text())


def test_a_folder_that_is_given_twice_is_refused(tuned: Path, capsys: Capture) -> None:
    assert run(["report", str(tuned), str(tuned)]) == Exit.USAGE
    assert "given twice" in capsys.readouterr().err


def test_the_file_can_be_chosen_and_named_to_programs(tuned: Path, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "page.html"
    assert run(["report", str(tuned), "--out", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"report": str(file), "folders": ["runs/solver"]}
    assert file.exists()


def test_a_missing_folder_is_an_error(project: Path, capsys: Capture) -> None:
    assert run(["report", "runs/nothing"]) == Exit.USAGE
    assert "there is no folder runs/nothing" in capsys.readouterr().err


def test_an_empty_journal_is_an_error(tuned: Path, capsys: Capture) -> None:
    settings = json.loads((tuned / "settings.json").read_text()) | {"begun": False, "ended": None}
    (tuned / "settings.json").write_text(json.dumps(settings))
    (tuned / "tuning.journal").write_bytes(b"")
    assert run(["report", str(tuned)]) == Exit.USAGE
    assert "nothing has been run yet in runs/solver" in capsys.readouterr().err


def test_watching_writes_again_until_the_tuning_ends(tuned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal.open(tuned / "tuning.journal")
    pages: list[str] = []

    def pause(duration_s: float) -> None:
        pages.append((tuned / "report.html").read_text())
        if len(pages) == 2:
            journal.close()

    monkeypatch.setattr("tightrope.cli.runs.report.time.sleep", pause)
    assert run(["report", "-q", str(tuned), "--watch"]) == 0
    assert all('data-refresh="10"' in page and "still running" in page for page in pages)
    last = (tuned / "report.html").read_text()
    assert 'data-refresh="' not in last
    assert "still running" not in last


def test_a_report_does_not_make_its_tuning_the_latest(tuned: Path, capsys: Capture) -> None:
    assert run(["tune", "-q", "--workers", "1", "--budget", "12 runs", "--out", "runs/later"]) == 0
    assert run(["report", "-q", str(tuned)]) == 0
    capsys.readouterr()
    assert run(["status"]) == 0
    assert "using runs/later" in capsys.readouterr().out


def test_the_end_of_a_tuning_names_the_report_or_how_to_make_it(tuned: Path, capsys: Capture) -> None:
    assert run(["resume", str(tuned), "--budget", "+2 runs", "--workers", "1"]) == 0
    assert "to look at it:  tightrope report runs/solver --open\n" in capsys.readouterr().out
    assert run(["report", "-q", str(tuned)]) == 0
    capsys.readouterr()
    for command in (["resume", "--budget", "+2 runs"], ["validate"]):
        assert run([command[0], str(tuned), *command[1:], "--workers", "1"]) == 0
        assert "report:  runs/solver/report.html" in capsys.readouterr().out


def test_python_draws_the_figures_of_a_run_folder(tuned: Path) -> None:
    assert run(["validate", "-q", str(tuned), "--workers", "1"]) == 0
    assert len(figures.timeline(tuned).to_frame()) == 30
    assert set(figures.survival(tuned, on="test").to_frame()["tuning"]) == {"solver"}


def test_importances_of_a_run_folder_are_a_table(tuned: Path) -> None:
    with pytest.raises(ValueError, match="at least 60 runs"):
        importance(tuned)
    assert run(["resume", str(tuned), "-q", "--budget", "90 runs"]) == Exit.DONE
    table = importance(str(tuned), trees=20)
    assert set(table["parameter"]) == {"x", "mode"}
    assert (table["share"] >= 0).all()
    assert run(["report", "-q", str(tuned)]) == 0
    assert 'id="importance"' in (tuned / "report.html").read_text()
