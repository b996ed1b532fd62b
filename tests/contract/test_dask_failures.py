"""A cluster that fails, or that speaks TLS: short messages, and none of Dask's tracebacks."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import pytest

from cluster import Cluster, kill
from tightrope.run.dask.slurm import SlurmJob

pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the supervisor is for Linux"),
]

# Runs endless trials on a cluster until it fails; 'started' shows that a trial was given to a worker.
DRIVER = """
import sys
from tightrope.errors import TightropeError
from tightrope.records import Config, Trial
from tightrope.run import CommandTarget, Dask
try:
    spec = Dask(scheduler_file=sys.argv[1], patience_s=float(sys.argv[3]), log=sys.argv[4])
    with spec.open(CommandTarget(sys.argv[2].split())) as executor:
        executor.start(Trial(0, Config({})))
        print("started", flush=True)
        while True:
            for outcome in executor.wait():
                print(outcome.status.name, flush=True)
                if outcome.status.name != "LOST":
                    sys.exit()
except TightropeError as error:
    print("error:", error)
"""


def drive(
    file: str,
    folder: Path,
    *,
    command: str = "sleep 1000",
    patience_s: float = 60.0,
    env: Mapping[str, str] = {},
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", DRIVER, file, command, str(patience_s), str(folder / "dask.log")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **env},
    )


def started(driver: subprocess.Popen[str]) -> None:
    assert driver.stdout is not None
    assert driver.stdout.readline() == "started\n"


@pytest.fixture
def certificates(tmp_path: Path) -> dict[str, str]:
    """Return the environment that the batch file sets; the certificate is made by its own lines."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl")
    place = PurePosixPath(tmp_path)
    job = SlurmJob(
        name="a", file="a", folder=place, scenario=place, run=PurePosixPath("run"), programs=place,
        workers=1, time_s=60.0, tls=True,
    )  # fmt: skip
    setting, _, _ = job.text().partition("\nwork() {")
    made = subprocess.run(["bash"], input=f"{setting}\nenv -0", capture_output=True, text=True, check=True)
    variables = (line.partition("=") for line in made.stdout.split("\0"))
    return {name: value for name, _, value in variables if name.startswith("DASK_")}


def test_a_scheduler_that_dies_is_an_error_in_one_line(tmp_path: Path) -> None:
    with Cluster(tmp_path) as cluster:
        cluster.add_worker("one")
        driver = drive(cluster.file, tmp_path, patience_s=5.0)
        started(driver)
        kill(cluster.scheduler)
        out, err = driver.communicate(timeout=240)
    assert err == ""
    lost, told = out.splitlines()
    assert lost == "LOST"
    assert told.startswith("error: there has been no worker at")


def test_connections_are_encrypted_and_others_are_refused(
    tmp_path: Path, certificates: dict[str, str]
) -> None:
    key = tmp_path / "run" / "cluster" / "key.pem"
    assert key.stat().st_mode & 0o077 == 0
    with Cluster(tmp_path, env=certificates, options=["--protocol", "tls"]) as cluster:
        cluster.add_worker("one")
        ours = drive(cluster.file, tmp_path, command="true", env=certificates)
        assert ours.communicate(timeout=240) == ("started\nDONE\n", "")
        assert '"tls://' in Path(cluster.file).read_text()
        stranger = drive(cluster.file, tmp_path, command="true", patience_s=5.0)
        out, err = stranger.communicate(timeout=240)
    assert err == ""
    assert out.startswith("error: the Dask scheduler at tls://")
    assert "encrypts its connections, and this process has no certificate" in out
