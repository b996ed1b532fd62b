"""Run folders."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tightrope import Budget
from tightrope.cli.files import require_scenario
from tightrope.cli.main import Exit, run
from tightrope.cli.runs.folder import RunFolder, Settings, folder_for, latest_folder
from tightrope.errors import ScenarioError, UsageError


def settings_for(scenario: Path, **said: Any) -> Settings:
    return Settings(f"scenario{scenario.suffix}", str(scenario.parent), **said)


def folder_in(path: Path, **said: object) -> RunFolder:
    scenario = path.parent / "mine.toml"
    scenario.write_text("x = 1\n")
    return RunFolder.create(path, scenario.read_bytes(), settings_for(scenario, **said))


def test_settings_are_read_back(tmp_path: Path) -> None:
    made = folder_in(tmp_path / "a", seed=3, workers=2, slack=1.5, budget=Budget(wall=60.0))
    assert RunFolder.open(tmp_path / "a") == made
    assert made.settings.base == str(tmp_path)


def test_a_used_folder_is_refused(tmp_path: Path) -> None:
    folder_in(tmp_path / "a")
    with pytest.raises(UsageError, match="already holds a tuning"):
        folder_in(tmp_path / "a")


def test_what_was_remembered_comes_back(tmp_path: Path) -> None:
    made = folder_in(tmp_path / "a")
    settings = Settings(made.settings.scenario, made.settings.base, seed=9)
    assert made.remember(settings) == RunFolder.open(tmp_path / "a")
    assert sorted(path.name for path in made.path.iterdir()) == ["scenario.toml", "settings.json"]


def test_settings_of_a_later_version_are_read_as_far_as_they_are_known(tmp_path: Path) -> None:
    made = folder_in(tmp_path / "a", seed=4)
    file = made.path / "settings.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"novelty": True}))
    assert RunFolder.open(made.path).settings.seed == 4


def test_discarding_leaves_what_others_have_put_there(tmp_path: Path) -> None:
    made = folder_in(tmp_path / "a")
    (made.path / "tuning.journal").touch()
    (made.path / "tuning.journal.lock").touch()
    (made.path / "notes.txt").touch()
    made.discard()
    assert [path.name for path in made.path.iterdir()] == ["notes.txt"]


def test_discarding_removes_a_folder_that_was_made_for_it(tmp_path: Path) -> None:
    made = folder_in(tmp_path / "a")
    made.discard()
    assert not made.path.exists()


@pytest.mark.parametrize(
    ("scenario", "folder"),
    [("spear.toml", "runs/spear"), ("spear/scenario.toml", "runs/spear"), ("/scenario.toml", "runs/tuning")],
)
def test_a_folder_is_called_by_the_scenario_or_its_folder(scenario: str, folder: str) -> None:
    assert folder_for(Path(scenario)) == Path(folder)


def test_the_latest_folder_is_the_one_written_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, at_s in [("a", 1000.0), ("b", 3000.0), ("c", 2000.0)]:
        made = folder_in(Path("runs") / name) if Path("runs").is_dir() else _first(Path("runs") / name)
        for file in made.path.iterdir():
            os.utime(file, (at_s, at_s))
    assert latest_folder() == Path("runs/b")


def _first(path: Path) -> RunFolder:
    path.parent.mkdir()
    return folder_in(path)


def test_a_folder_is_rejected_as_a_scenario(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="this is a folder"):
        require_scenario(tmp_path, "check")


@pytest.mark.parametrize(
    "edited",
    [
        {"seed": "x"},
        {"seed": -1},
        {"workers": "many"},
        {"workers": 0},
        {"slack": "x"},
        {"slack": 0.1},
        {"budget": 3},
        {"budget": {"foo": 1}},
        {"budget": {"runs": "x"}},
        {"scenario": 5},
        {"base": None},
        {"dask": 4},
        {"ended": 3},
        {"ended": {"reason": "no", "wall_s": "x"}},
    ],
    ids=str,
)
def test_edited_settings_that_are_not_valid_are_rejected_with_their_file(
    tmp_path: Path, edited: dict[str, object]
) -> None:
    file = folder_in(tmp_path / "a").path / "settings.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | edited))
    with pytest.raises(UsageError, match=r"settings\.json is not valid: .*; restore it"):
        RunFolder.open(file.parent)


def test_the_command_for_a_used_folder_can_be_pasted(tmp_path: Path) -> None:
    made = folder_in(tmp_path / "my runs")
    with pytest.raises(UsageError, match=f"tightrope resume '{made.path}' "):
        folder_in(tmp_path / "my runs")


def test_a_scenario_of_the_user_is_not_overwritten(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine.toml", tmp_path / "scenario.toml"
    mine.write_text("x = 1\n")
    other.write_text("x = 2\n")
    with pytest.raises(UsageError, match=r"scenario\.toml already exists.*--out runs/again"):
        RunFolder.create(tmp_path, mine.read_bytes(), settings_for(mine))
    assert other.read_text() == "x = 2\n"


def test_a_file_cannot_be_a_run_folder(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    with pytest.raises(UsageError, match="taken is a file; give a folder"):
        folder_in(tmp_path / "taken")


@pytest.mark.parametrize("verb", ["resume", "status", "best", "validate", "export"])
@pytest.mark.parametrize("has_ended", [True, False])
def test_a_missing_journal_is_an_error(
    tuned: Path, verb: str, has_ended: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    (tuned / "tuning.journal").unlink()
    if not has_ended:
        settings = json.loads((tuned / "settings.json").read_text()) | {"ended": None}
        (tuned / "settings.json").write_text(json.dumps(settings))
    assert run([verb, str(tuned)]) == Exit.FAILED
    told = capsys.readouterr().err
    known = "this tuning has ended: 30 runs are done" if has_ended else "it has runs"
    assert f"tuning.journal: there is no such file, but {tuned}/settings.json says that {known}" in told
    assert "restore it from a copy" in told
    assert not (tuned / "tuning.journal").exists()


def test_an_empty_journal_is_an_error_too(tuned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tuned / "tuning.journal").write_bytes(b"")
    assert run(["resume", str(tuned)]) == Exit.FAILED
    assert "tuning.journal: this file is empty, but" in capsys.readouterr().err


def test_the_copy_of_a_scenario_with_secrets_can_be_read_by_its_owner_only(project: Path) -> None:
    file = Path("scenario.toml")
    file.write_text(file.read_text() + '\n[env]\nLICENCE = "secret"\n')
    assert run(["tune", "-q", "--workers", "1", "--budget", "6 runs"]) == 0
    copy = Path("runs/solver/scenario.toml")
    assert copy.stat().st_mode & 0o777 == 0o600
    others = [each for each in Path("runs/solver").iterdir() if each != copy]
    assert others
    assert not [each for each in others if b"secret" in each.read_bytes()]
    assert run(["convert", "scenario.toml", "-o", "copy.toml"]) == 0
    assert Path("copy.toml").stat().st_mode & 0o777 == 0o600
