"""tightrope ablate: the path, the stripped config, and what is done is done."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tightrope.cli.main import Exit, run
from tightrope.store import JournalReader

FOLDER = Path("runs") / "solver"
SCRIPT = """\
# usage: cost.sh X Y Z INSTANCE; only x and y matter
awk -v x="$1" -v y="$2" -v n="$(wc -c < "$4")" 'BEGIN {
  print "{\\"cost\\": " (10 - 8 * x) * (y == "quick" ? 1 : 1.5) * n "}"
}'
"""
SCENARIO = """\
command    = "sh cost.sh {x} {y} {z} {instance}"
instances  = { train = "train/*.txt", test = "test/*.txt" }
cost       = "printed"
ceiling    = 500
time_limit = "20s"
budget     = { runs = 60 }
initial    = [{ x = 1.0, y = "quick", z = 7 }]

[params]
x = { type = "real", range = [0.0, 1.0], default = 0.0 }
y = { type = "categorical", values = ["slow", "quick"], default = "slow" }
z = { type = "integer", range = [0, 9], default = 3 }
"""


@pytest.fixture(scope="module")
def _tuned_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = tmp_path_factory.mktemp("tuned") / "solver"
    for part in ("train", "test"):
        (project / part).mkdir(parents=True)
        for size in range(1, 6):
            (project / part / f"{size}.txt").write_text("x" * size)
    (project / "cost.sh").write_text(SCRIPT)
    (project / "scenario.toml").write_text(SCENARIO)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project)
        assert run(["tune", "-q", "--workers", "1", "--budget", "12 runs"]) == Exit.DONE
    return project


@pytest.fixture(autouse=True)
def project(_tuned_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go to a project with a tuning of a few runs, whose best config changes all three parameters."""
    copy = tmp_path / "solver"
    shutil.copytree(_tuned_once, copy)
    settings = copy / FOLDER / "settings.json"
    settings.write_text(settings.read_text().replace(str(_tuned_once), str(copy)))
    monkeypatch.chdir(copy)


def ablate(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, dict[str, Any]]:
    code = run(["ablate", str(FOLDER), "--json", "--budget", "500 runs", *options])
    printed = capsys.readouterr()
    assert printed.out, printed.err
    return code, json.loads(printed.out)


def n_runs() -> int:
    with JournalReader(FOLDER / "ablation.journal") as reader:
        return len(reader.history())


def test_people_get_a_table_a_sentence_and_the_next_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ablate", str(FOLDER), "--budget", "500 runs"]) == Exit.DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["change", "from", "to", "cost", "after", "ratio", "(95", "%)", "share"]
    assert [line.split()[0] for line in lines[2:6]] == ["the", "x", "y", "1"]
    assert lines[3].split()[1:5] == ["0", "1", "9.00", "5x"]
    assert lines[6].startswith("2 of 3 changes keep the gain: the stripped config costs 7.5 times less")
    assert lines[-1] == f"next:  tightrope validate {FOLDER} --configs default,best,stripped"


def test_strip_prints_a_command_line_that_best_prints_later(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ablate", str(FOLDER), "--budget", "500 runs", "--strip"]) == Exit.DONE
    assert "\nsh cost.sh 1.0 quick 3 INSTANCE\n" in capsys.readouterr().out
    assert run(["best", str(FOLDER), "--stripped"]) == Exit.DONE
    assert capsys.readouterr().out == "sh cost.sh 1.0 quick 3 INSTANCE\n"
    assert run(["best", str(FOLDER), "--stripped", "--format", "json"]) == Exit.DONE
    assert json.loads(capsys.readouterr().out) == {"x": 1.0, "y": "quick", "z": 3}


def test_options_at_their_defaults_are_left_out_of_the_command_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("every.sh").write_text(
        "for each; do case $each in --x=*) x=${each#*=};; --y=*) y=${each#*=};; --*) ;; *) i=$each;; esac\n"
        'done\nsh cost.sh "${x:-0}" "${y:-slow}" 0 "$i"\n'
    )
    settings = FOLDER / "scenario.toml"
    command = '"sh every.sh {parameters} {instance}"'
    settings.write_text(settings.read_text().replace('"sh cost.sh {x} {y} {z} {instance}"', command))
    assert run(["ablate", str(FOLDER), "--budget", "500 runs", "--strip"]) == Exit.DONE
    lines = capsys.readouterr().out.splitlines()
    assert "sh every.sh --x=1.0 --y=quick INSTANCE" in lines
    assert any(line.endswith(f"with all of them:  tightrope best {FOLDER} --stripped") for line in lines)
    assert run(["best", str(FOLDER), "--stripped"]) == Exit.DONE
    assert capsys.readouterr().out == "sh every.sh --x=1.0 --y=quick --z=3 INSTANCE\n"


def test_the_report_shows_the_path(capsys: pytest.CaptureFixture[str]) -> None:
    ablate(capsys)
    assert run(["report", str(FOLDER)]) == Exit.DONE
    text = (FOLDER / "report.html").read_text()
    assert "2 of 3 changes keep the gain" in text
    assert "Which changes matter" in text


def test_programs_get_the_same_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, told = ablate(capsys)
    assert code == Exit.DONE
    assert told["stripped"] == {"x": 1.0, "y": "quick", "z": 3}
    assert told["command"] == "sh cost.sh 1.0 quick 3 INSTANCE"
    assert [row["changes"][0]["name"] for row in told["path"][1:]] == ["x", "y", "z"]
    assert sum(row["share"] for row in told["path"][1:]) == pytest.approx(1.0)
    assert told["finished"]


def test_the_stripped_config_can_be_validated(capsys: pytest.CaptureFixture[str]) -> None:
    ablate(capsys)
    options = ["--configs", "default,best,stripped", "--workers", "1", "--json"]
    assert run(["validate", str(FOLDER), *options]) == Exit.DONE
    told = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in told["contenders"]] == ["default", "best", "stripped"]
    assert told["contenders"][2]["config"]["z"] == 3
    assert told["next"] == f"tightrope best {FOLDER} --stripped"  # it costs as much as the best


def test_finished_runs_are_not_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    ablate(capsys)
    before = n_runs()
    ablate(capsys)
    assert n_runs() == before


def test_a_budget_that_ends_early_says_how_to_continue(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ablate", str(FOLDER)]) == Exit.DONE  # the tuning's 12 runs
    said = capsys.readouterr().out
    assert "The search for a smaller set is not finished." in said
    assert said.endswith(f"next:  tightrope ablate {FOLDER} --budget '+12 runs'\n")
    _, told = ablate(capsys)
    assert told["finished"]


@pytest.mark.parametrize("options", [["best", "--stripped"], ["validate", "--configs", "best,stripped"]])
def test_without_an_ablation_the_remedy_is_named(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    verb, *rest = options
    assert run([verb, str(FOLDER), *rest]) == Exit.USAGE
    said = capsys.readouterr().err
    assert f"no ablation has been made of {FOLDER}; run the ablation first:  tightrope ablate" in said


def test_an_ablation_of_an_earlier_best_config_is_not_passed_off(capsys: pytest.CaptureFixture[str]) -> None:
    ablate(capsys)
    file = FOLDER / "ablation.json"
    facts = json.loads(file.read_text())
    file.write_text(json.dumps(facts | {"best": facts["best"] | {"z": 1}}))
    assert run(["best", str(FOLDER), "--stripped"]) == Exit.USAGE
    assert "is of an earlier best config" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["{", "[]", '{"best": 1, "stripped": {}}'])
def test_a_damaged_result_is_named(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    (FOLDER / "ablation.json").write_text(text)
    assert run(["best", str(FOLDER), "--stripped"]) == Exit.USAGE
    said = capsys.readouterr().err
    assert "ablation.json is not valid" in said
    assert "tightrope ablate" in said


def test_a_default_that_is_still_the_best_has_nothing_to_take_apart(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["tune", "-q", "--workers", "1", "--budget", "1 runs", "--out", "runs/short"]) == Exit.DONE
    assert run(["ablate", "runs/short"]) == Exit.USAGE
    assert "the best config is the default" in capsys.readouterr().err


def _started(*options: str) -> subprocess.Popen[str]:
    """Start an ablation of slow runs, and wait until a few of them are done."""
    Path("cost.sh").write_text(f"sleep 0.2\n{SCRIPT}")
    command = [sys.executable, "-m", "tightrope", "ablate", str(FOLDER), "-v", "--workers", "1", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    n_done = 0
    while n_done < 2:
        n_done += "done" in process.stdout.readline()
    return process


@pytest.mark.slow
def test_a_killed_ablation_resumes(capsys: pytest.CaptureFixture[str]) -> None:
    with _started() as process:
        os.kill(process.pid, signal.SIGKILL)
    before = n_runs()
    assert before >= 2
    Path("cost.sh").write_text(SCRIPT)
    _, told = ablate(capsys)
    assert told["stripped"] == {"x": 1.0, "y": "quick", "z": 3}
    with JournalReader(FOLDER / "ablation.journal") as reader:
        runs = list(reader.history())
    assert len({(run.trial.config, run.trial.task) for run in runs[:before]}) == before


@pytest.mark.slow
def test_an_interrupted_ablation_says_how_to_continue() -> None:
    with _started("--budget", "40 runs") as process:
        process.send_signal(signal.SIGTERM)
        assert process.stdout is not None
        rest = process.stdout.read()
    assert process.returncode == Exit.INTERRUPTED
    last = f"stopped; nothing lost.  tightrope ablate {FOLDER} --budget '40 runs' --workers 1\n"
    assert rest.endswith(last)
