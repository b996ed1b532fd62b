"""The verb cluster."""

import json
import sys
from pathlib import Path

import pytest

from tightrope.cli.main import Exit, run


@pytest.mark.usefixtures("project")
def test_a_batch_file_is_written_with_the_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(["cluster", "slurm", "--workers", "8", "--time", "2h", "--memory", "1GB", "--tls"]) == Exit.DONE
    )
    text = Path("tune.sbatch").read_text()
    for line in ("#SBATCH --ntasks=8", "#SBATCH --time=0-02:00:00", "#SBATCH --mem-per-cpu=954M"):
        assert line in text.splitlines()
    assert f"cd {Path.cwd()} || exit" in text
    assert f"export PATH={Path(sys.executable).parent}:" in text
    assert "run=runs/solver" in text
    assert "wrote tune.sbatch\nnext:  sbatch tune.sbatch" in capsys.readouterr().out


def test_memory_is_the_limit_of_the_scenario_and_a_tenth(project: Path) -> None:
    scenario = project / "scenario.toml"
    scenario.write_text('memory = "1GB"\n' + scenario.read_text())
    assert run(["cluster", "slurm", "-q"]) == Exit.DONE
    assert "#SBATCH --mem-per-cpu=1050M" in Path("tune.sbatch").read_text()


@pytest.mark.usefixtures("project")
def test_without_any_limit_slurm_decides_on_memory() -> None:
    assert run(["cluster", "slurm", "-q", "--output", "other.sbatch"]) == Exit.DONE
    assert "mem-per-cpu" not in Path("other.sbatch").read_text()


@pytest.mark.usefixtures("project")
def test_an_existing_file_is_not_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    Path("tune.sbatch").write_text("mine")
    assert run(["cluster", "slurm"]) == Exit.USAGE
    assert "tune.sbatch already exists; delete it" in capsys.readouterr().err
    assert Path("tune.sbatch").read_text() == "mine"


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["pbs"], "'pbs' is not 'slurm'"),
        (["slurm", "missing.toml"], "there is no such file"),
        (["slurm", "--time", "tomorrow"], "is not a duration"),
        (["slurm", "--memory", "0GB"], "not a positive size"),
        (["slurm", "--workers", "0"], "0 is not in the range"),
    ],
)
def test_wrong_arguments_write_nothing(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["cluster", *arguments]) == Exit.USAGE
    assert told in capsys.readouterr().err
    assert not Path("tune.sbatch").exists()


@pytest.mark.usefixtures("project")
def test_json_names_the_file_and_the_run_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cluster", "slurm", "--json"]) == Exit.DONE
    assert json.loads(capsys.readouterr().out) == {"file": "tune.sbatch", "folder": "runs/solver"}
