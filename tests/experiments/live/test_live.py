"""The command that compares live tunings with simulated ones."""

import csv
import json
from importlib import import_module as load

import pytest

from tightrope.run.executor import usable_cores

pytest.importorskip("matplotlib")
pytest.importorskip("pandas")
if usable_cores() < 2:
    pytest.skip("live tunings need two cores", allow_module_level=True)


NAME = "clasp-large-circuits"


ONE = ("--arms", "slack 1.3", "--untuned", "1")


@pytest.fixture
def command(study, recordings, tmp_path):
    places = ["--recordings", str(recordings), "--cache", str(recordings / "cache"), "--out", str(tmp_path)]
    return lambda *options: load("live.run").main(
        [*places, "--budget", "8", "--scenarios", NAME, *ONE, *options]
    )


def seeds(n):
    first = load("live.run").FIRST_SEED
    return [str(first + i) for i in range(n)]


def rows_in(folder, table="live.csv"):
    with (folder / table).open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_tuning_is_made_live_and_simulated_and_judged_all_ways(command, tmp_path, capsys):
    command("--seeds", "1")
    (row,), (seed,) = rows_in(tmp_path), seeds(1)
    assert (row["arena"], row["plan"], row["arm"], row["seed"]) == (NAME, "8 runs", "slack 1.3", seed)
    for kind in ("live", "simulated"):
        assert all(float(row[f"{kind}_{judge}"]) > 0.0 for judge in ("by_clock", "by_count", "by_arena"))
        assert float(row[f"{kind}_share_spent"]) > 0.9
        assert int(row[f"{kind}_runs"]) >= 8
    assert row["live_failures"] == "0"
    text = (tmp_path / "live.md").read_text()
    assert f"\n| {NAME}, 8 runs | live | " in text
    assert f"\n| {NAME}, 8 runs | simulated | " in text
    assert f"{NAME}, 8 runs, slack 1.3, seed {seed}: live CPU time " in capsys.readouterr().out


def test_tunings_of_recorded_configs_keep_to_them(command, recordings, tmp_path):
    command("--seeds", "1", "--scenarios", f"{NAME}, recorded")
    (row,), (random,) = rows_in(tmp_path), rows_in(tmp_path, "live-untuned.csv")
    known = [json.loads(line) for line in (recordings / NAME / "configs.jsonl").read_text().splitlines()]
    found = [row["live_config"], row["simulated_config"], random["untuned_config"]]
    assert all(json.loads(each) in known for each in found)


def test_random_configs_are_judged_all_ways(command, tmp_path):
    command("--seeds", "1", "--untuned", "2")
    rows = rows_in(tmp_path, "live-untuned.csv")
    assert [row["seed"] for row in rows] == seeds(2)
    assert len({row["untuned_config"] for row in rows}) == 2
    assert all(float(row[f"untuned_by_{each}"]) > 0.0 for row in rows for each in ("clock", "count", "arena"))
    assert f"\n| {NAME} | random | 2 |  |  |  |" in (tmp_path / "live.md").read_text()


def test_the_comparison_resumes(command, tmp_path, capsys):
    command("--seeds", "1")
    command("--seeds", "2")
    assert capsys.readouterr().out.count("1 of 1 jobs done") == 3  # two tunings and one random config
    assert [row["seed"] for row in rows_in(tmp_path)] == seeds(2)


@pytest.mark.parametrize("executor", ["LocalPool", "Virtual"])
def test_an_interrupted_tuning_is_no_result(executor, command, tmp_path, monkeypatch):
    module = load("live.measure")
    tune = module.tune

    def be_interrupted(scenario, **others):
        def interrupt(event):
            if type(event).__name__ == "Finished":
                raise KeyboardInterrupt

        is_it = type(others["executor"]).__name__ == executor
        return tune(scenario, **others, watch=interrupt if is_it else None)

    monkeypatch.setattr(module, "tune", be_interrupted)
    with pytest.raises(KeyboardInterrupt):
        command("--seeds", "1")
    assert not (tmp_path / "live.csv").exists()


def test_a_solver_that_is_missing_is_named_with_its_package(command, monkeypatch, capsys):
    monkeypatch.setattr("lib.recording.program.shutil.which", lambda name: None)
    study, clasp = load("lib.recording.studies"), load("lib.recording.sat_solvers").clasp
    missing = load("dataclasses").replace(study.STUDIES[NAME], solver=clasp)
    monkeypatch.setitem(study.STUDIES, NAME, missing)
    with pytest.raises(SystemExit, match="no scenario can run live"):
        command()
    assert f"without {NAME}: program 'clasp' not found: install Debian's" in capsys.readouterr().out


def test_parallel_tunings_are_refused(command, capsys):
    with pytest.raises(SystemExit):
        command("--processes", "2")
    assert "slow each other down" in capsys.readouterr().err
