"""The batch file for SLURM: its directives, and a script that a shell accepts."""

import shutil
import subprocess
from pathlib import PurePosixPath as Path
from typing import Any

import pytest

from tightrope.run.dask.slurm import SlurmJob, slurm_time


def job(**changes: Any) -> SlurmJob:
    given: dict[str, Any] = {
        "name": "solver",
        "file": "tune.sbatch",
        "folder": Path("/home/me"),
        "scenario": Path("solver.toml"),
        "run": Path("runs/solver"),
        "programs": Path("/opt/venv/bin"),
        "workers": 64,
        "time_s": 3600.0,
    }
    return SlurmJob(**given | changes)


def directives(text: str) -> dict[str, str]:
    lines = [line.removeprefix("#SBATCH --") for line in text.splitlines() if line.startswith("#SBATCH")]
    return {name: value for name, _, value in (line.partition("=") for line in lines)}


def test_what_was_asked_for_becomes_a_directive_and_nothing_else_does() -> None:
    assert directives(job().text()) == {
        "job-name": "solver",
        "ntasks": "64",
        "cpus-per-task": "1",
        "time": "0-01:00:00",
        "signal": "B:USR1@300",
        "open-mode": "append",
        "requeue": "",
    }
    found = directives(job(memory_mb=4000.0, cores=4, partition="long", constraint="amd").text())
    assert found["cpus-per-task"] == "4"
    assert found["mem-per-cpu"] == "954M"  # of 2**20 bytes: 4000.3 MB in all
    assert (found["partition"], found["constraint"]) == ("long", "amd")


@pytest.mark.parametrize(("time_s", "notice_s"), [(60.0, 30), (1200.0, 120), (86_400.0, 300)])
def test_a_job_is_warned_a_tenth_of_its_time_ahead_within_limits(time_s: float, notice_s: int) -> None:
    assert job(time_s=time_s).notice_s == notice_s


def test_times_are_rounded_up_to_minutes() -> None:
    assert slurm_time(1.0) == "0-00:01:00"
    assert slurm_time(2 * 86_400.0) == "2-00:00:00"


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize("tls", [False, True])
def test_the_script_is_valid_even_with_odd_names(tls: bool) -> None:
    odd = 'it\'s $(touch /tmp/odd) ; "q" {x}'
    text = job(folder=Path(f"/home/{odd}"), run=Path(f"runs/{odd}"), scenario=Path(odd), tls=tls).text()
    subprocess.run(["bash", "-n"], input=text, text=True, check=True)
    (line,) = [line for line in text.splitlines() if line.startswith("run=")]
    shown = subprocess.run(
        ["bash", "-c", f'{line}\nprintf %s "$run"'], capture_output=True, text=True, check=True
    )
    assert shown.stdout == f"runs/{odd}"


def test_only_encrypted_jobs_make_certificates() -> None:
    assert "openssl" not in job().text()
    assert "--protocol tls" in job(tls=True).text()
