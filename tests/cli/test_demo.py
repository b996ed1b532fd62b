"""The verb demo."""

import json
from importlib.metadata import PackageNotFoundError

from tightrope.cli.main import Exit, run
from tightrope.cli.runs.folder import RunFolder

FEW = ("--instances", "2", "--budget", "12 runs")


def test_the_demo_tunes_and_validates_and_leaves_a_folder_to_go_on_with(tmp_path, capsys):
    out = tmp_path / "demo"
    assert run(["demo", "--out", str(out), *FEW]) == Exit.DONE
    said = capsys.readouterr().out
    assert f"$ tightrope tune {out}/scenario.toml" in said
    assert "test instances" in said or "is the same config as" in said
    folder = RunFolder.open(out / "runs" / "kissat")
    assert f"wrote {folder.report}\n" in said
    assert folder.report.as_uri() in said
    assert "<h1>kissat</h1>" in folder.report.read_text()
    assert len(folder.scenario().test) == 2
    assert len(folder.scenario().space) == 147
    assert "ablate" in said or "Nothing better than the default" in said
    assert run(["status", str(folder.path)]) == Exit.DONE
    assert run(["resume", str(folder.path), "--budget", "13 runs"]) == Exit.DONE


def test_a_second_demo_in_the_same_folder_is_refused(tmp_path, capsys):
    (tmp_path / "scenario.toml").write_text("")
    assert run(["demo", "--out", str(tmp_path)]) == Exit.USAGE
    assert "--out" in capsys.readouterr().err


def test_without_the_solver_the_message_says_what_to_install(tmp_path, monkeypatch, capsys):
    def missing(package):
        raise PackageNotFoundError(package)

    monkeypatch.setattr("tightrope.demo.kissat.distribution", missing)
    assert run(["demo", "--out", str(tmp_path / "demo")]) == Exit.USAGE
    assert 'pip install "tightrope[demo]"' in capsys.readouterr().err
    assert not (tmp_path / "demo").exists()


def test_the_demo_speaks_json(tmp_path, capsys):
    assert run(["demo", "--out", str(tmp_path / "demo"), *FEW, "--json"]) == Exit.DONE
    tuning, *ablation, validation, page = map(json.loads, capsys.readouterr().out.splitlines())
    assert len(ablation) == (tuning["incumbent"]["number"] != 0)
    assert tuning["runs"]["all"] >= 12
    assert validation["on"] == "test"
    assert page["report"] == str(tmp_path / "demo" / "runs" / "kissat" / "report.html")
