"""The verb tune on a Dask cluster."""

from pathlib import Path

import pytest

from cluster import Cluster
from tightrope.cli.main import run
from tightrope.store import JournalReader

pytest.importorskip("distributed")


def test_runs_are_sent_to_a_cluster_and_its_log_stays_in_the_folder(project: Path, tmp_path: Path) -> None:
    with Cluster(tmp_path) as cluster:
        cluster.add_worker("one")
        assert run(["tune", "-q", "--dask", cluster.file, "--workers", "1", "--budget", "6 runs"]) == 0
    with JournalReader("runs/solver/tuning.journal") as journal:
        assert len(journal.history()) == 6
    assert Path("runs/solver/dask.log").exists()
    assert not Path("dask.log").exists()
