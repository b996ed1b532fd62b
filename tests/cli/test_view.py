"""What `status` and `best` keep of a tuning at rest: what a replay says, and only while it is true."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tightrope.cli.main import Exit, run
from tightrope.store import Journal

Capture = pytest.CaptureFixture[str]
WORDS = (["status"], ["status", "--json"], ["best"], ["best", "--json"], ["best", "--format", "toml"])


def said(words: list[str], folder: Path, capsys: Capture) -> tuple[str, str]:
    capsys.readouterr()
    assert run([*words, str(folder)]) == Exit.DONE
    return capsys.readouterr()


def test_an_ended_tuning_leaves_what_a_replay_would_say(tuned: Path, capsys: Capture) -> None:
    view = tuned / "view.json"
    kept = json.loads(view.read_text())["view"]
    view.unlink()
    run(["status", "-q", str(tuned)])
    replayed = json.loads(view.read_text())["view"]
    for each in (kept, replayed):
        del each["best"]["cwd"]  # the fixture has moved the project
    assert replayed == kept


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_a_known_view_prints_the_same(tuned: Path, capsys: Capture, words: list[str]) -> None:
    (tuned / "view.json").unlink()
    replayed = said(words, tuned, capsys)
    assert (tuned / "view.json").exists()
    assert said(words, tuned, capsys) == replayed


def test_the_folder_is_named_as_it_was_given(tuned: Path, capsys: Capture) -> None:
    other = tuned.parent / "it's mine"
    tuned.rename(other)
    out, _ = said(["status"], other, capsys)
    assert f"folder      {other}" in out
    assert "next:  tightrope" in out
    assert "'runs/it'\"'\"'s mine'" in out


def test_a_known_view_needs_no_slow_import(tuned: Path) -> None:
    code = (
        "import sys; from tightrope.cli.main import run; assert run(['status', sys.argv[1]]) == 0; "
        "slow = {'numpy', 'scipy', 'sklearn', 'ConfigSpace', 'joblib', 'sqlite3'} & set(sys.modules); "
        "assert not slow, slow"
    )
    for _ in range(2):  # the first may have to replay, as the fixture copied the folder
        finished = subprocess.run([sys.executable, "-c", code, str(tuned)], capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr


def test_a_replay_needs_no_model(tuned: Path) -> None:
    (tuned / "view.json").unlink()
    code = (
        "import sys; from tightrope.cli.main import run; assert run(['status', sys.argv[1]]) == 0; "
        "assert 'sklearn' not in sys.modules"
    )
    finished = subprocess.run([sys.executable, "-c", code, str(tuned)], capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr


def test_a_journal_that_was_changed_is_read_again(tuned: Path, capsys: Capture) -> None:
    said(["status"], tuned, capsys)
    with closing(sqlite3.connect(tuned / "tuning.journal")) as connection:
        connection.execute("UPDATE outcome SET cost = 1 WHERE trial = 7")
        connection.commit()
    assert run(["status", str(tuned)]) == Exit.FAILED


def test_settings_that_were_changed_are_noticed(tuned: Path, capsys: Capture) -> None:
    settings = tuned / "settings.json"
    said(["status"], tuned, capsys)
    changed = json.loads(settings.read_text()) | {"slack": 2.0}
    settings.write_text(json.dumps(changed))
    assert run(["status", str(tuned)]) == Exit.FAILED  # the journal belongs to another slack


def test_a_damaged_view_is_not_used(tuned: Path, capsys: Capture) -> None:
    truth = said(["status"], tuned, capsys)
    view = tuned / "view.json"
    for harmed in ("", "[]", "{}", view.read_text().replace("folder", "holder"), view.read_text()[:-30]):
        view.write_text(harmed)
        assert said(["status"], tuned, capsys) == truth


def test_a_tuning_under_way_is_replayed(tuned: Path, capsys: Capture) -> None:
    said(["status"], tuned, capsys)
    with Journal.open(tuned / "tuning.journal"):
        out, _ = said(["status"], tuned, capsys)
    assert "running, 0 runs under way" in out


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_can_be_looked_at(tuned: Path, capsys: Capture) -> None:
    (tuned / "view.json").unlink()
    tuned.chmod(0o555)
    said(["status"], tuned, capsys)
    assert not (tuned / "view.json").exists()
