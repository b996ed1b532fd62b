"""A small project for the command line: a shell script that prints its cost."""

import shutil
from pathlib import Path

import pytest

from tightrope.cli.main import run

SCRIPT = """\
# usage: cost.sh X MODE INSTANCE; the cost is smallest at x = 0.3
test -n "$BROKEN" && { echo "no licence" >&2; exit 3; }
awk -v x="$1" -v mode="$2" -v n="$(wc -c < "$3")" 'BEGIN {
  cost = (1 + 30 * (x - 0.3) ^ 2 + (mode == "slow" ? 2 : 0)) * n
  print "{\\"cost\\": " cost "}"
}'
"""
SCENARIO = """\
command    = "sh cost.sh {x} {mode} {instance}"
instances  = { train = "train/*.txt", test = "test/*.txt" }
cost       = "printed"
ceiling    = 500
time_limit = "20s"
budget     = { runs = 30 }
tactics    = { first_tasks = 4, n_design = 4 }

[params]
x = { type = "real", range = [0.0, 1.0], default = 0.9 }
mode = { type = "categorical", values = ["slow", "quick"], default = "slow" }
"""


def write_project(folder: Path) -> Path:
    """Write scenario, solver and instances into a folder."""
    for part in ("train", "test"):
        (folder / part).mkdir(parents=True)
        for size in range(1, 7):
            (folder / part / f"{size}.txt").write_text("x" * size)
    (folder / "cost.sh").write_text(SCRIPT)
    (folder / "scenario.toml").write_text(SCENARIO)
    return folder


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a new project, and make it the working directory."""
    folder = write_project(tmp_path / "solver")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(scope="session")
def _tuned_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_project(tmp_path_factory.mktemp("tuned") / "solver")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert run(["tune", "-q", "--workers", "1"]) == 0
    return folder


@pytest.fixture
def tuned(_tuned_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the run folder of a finished tuning in the project."""
    folder = tmp_path / "solver"
    shutil.copytree(_tuned_once, folder)
    settings = folder / "runs" / "solver" / "settings.json"
    settings.write_text(settings.read_text().replace(str(_tuned_once), str(folder)))
    monkeypatch.chdir(folder)
    return Path("runs/solver")
