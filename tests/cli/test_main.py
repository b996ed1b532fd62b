"""Exit codes and messages of the command on errors."""

import subprocess
import sys
from pathlib import Path

import click
import pytest

from tightrope.cli import verbs
from tightrope.cli.main import Exit, main, run
from tightrope.errors import TargetError


@click.command()
def broken() -> None:
    """Fail with a bug."""
    raise ZeroDivisionError("a bug")


@pytest.fixture
def _verb_with_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(verbs.VERBS, "broken", verbs.Verb(f"{__name__}:broken", "fails"))


@pytest.mark.usefixtures("_verb_with_a_bug")
def test_a_bug_is_reported_without_a_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TIGHTROPE_DEBUG", raising=False)
    with pytest.raises(SystemExit) as ended:
        main(["broken"])
    assert ended.value.code == Exit.FAILED
    told = capsys.readouterr().err
    assert "this is a bug in tightrope: ZeroDivisionError: a bug (test_main.py:" in told
    assert "TIGHTROPE_DEBUG=1" in told
    assert "Traceback" not in told


@pytest.mark.usefixtures("_verb_with_a_bug")
def test_a_bug_shows_its_traceback_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIGHTROPE_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(["broken"])


@pytest.mark.parametrize(
    ("typed", "meant"), [("tun", "tune"), ("valdate", "validate"), ("expalin", "explain")]
)
def test_a_misspelt_verb_is_recognised(typed: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([typed]) == Exit.USAGE
    assert f"No such command '{typed}'. Did you mean '{meant}'?" in capsys.readouterr().err


def test_an_unknown_verb_lists_all_verbs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["xyzzy"]) == Exit.USAGE
    assert "Commands: demo, init, check" in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_named_first(
    tuned: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", "-o", "nowhere/runs.csv"]) == Exit.FAILED
    told = capsys.readouterr().err
    assert "error: nowhere/runs.csv: no such file or directory; create the folder first" in told


def test_the_hint_is_not_on_the_line_of_a_command_to_paste() -> None:
    error = TargetError("it failed: exit code 3\n$ ./solver a.cnf", hint="fix the target")
    assert str(error).splitlines() == ["it failed: exit code 3", "$ ./solver a.cnf", "fix the target"]


@pytest.mark.filterwarnings("default")
def test_a_warning_of_python_is_a_message(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"train/{i}.txt,{i}" for i in (1, 2, 3, 4, 5, 6, 6)]
    Path("f.csv").write_text("\n".join(["name,size", *rows]))
    file = Path("scenario.toml")
    file.write_text(f'features = "f.csv"\n{file.read_text()}')
    assert run(["check", "--fast"]) == Exit.DONE
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("warning: ")
    assert line.endswith("f.csv:8: the row of 'train/6.txt' repeats an earlier one")


LIGHT = """
import sys
from tightrope.cli.main import run
from tightrope.cli.verbs import VERBS

for verb in VERBS:
    assert run([verb, "--help"]) == 0
    assert run([verb, "--no-such-option"]) == 2
for mistake in ("tune", "check", "resume", "status", "validate", "best", "export", "convert"):
    assert run(mistake.split()) == 2, mistake
heavy = {"numpy", "scipy", "sklearn", "ConfigSpace", "joblib", "tightrope.forest"}
print("loaded:", sorted(heavy & sys.modules.keys()))
"""


def test_help_and_plain_mistakes_load_nothing_heavy(tmp_path: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", LIGHT], cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines()[-1] == "loaded: []"


def test_a_file_on_a_full_disk_is_named_and_removed(project: Path) -> None:
    command = f"ulimit -f 0; exec {sys.executable} -m tightrope convert scenario.toml -o copy.toml"
    ended = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert (ended.returncode, Path("copy.toml").exists()) == (Exit.FAILED, False)
    *_, last = ended.stderr.splitlines()
    assert last.startswith("error: copy.toml: file too large; raise the limit")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_reported_without_a_traceback(tuned: Path) -> None:
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "tightrope", "best", "-q"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert (ended.returncode, ended.stderr) == (
        Exit.FAILED,
        "error: no space left on device; free some space, or use a folder on another disk\n",
    )
