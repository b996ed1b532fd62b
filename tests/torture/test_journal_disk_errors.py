"""Every call that writes to a journal fails in turn: a clear error, and nothing confirmed is lost."""

import errno
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
COMPILER = shutil.which("cc")

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or COMPILER is None, reason="needs Linux and a C compiler"
)


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    library = tmp_path_factory.mktemp("shim") / "failing_disk.so"
    source = str(HERE / "failing_disk.c")
    subprocess.run([str(COMPILER), "-shared", "-fPIC", "-O1", "-o", str(library), source, "-ldl"], check=True)
    return library


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """Return a folder in memory, if there is one: the errors are simulated, and disks take long to sync."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory) as made:
        yield Path(made)


@pytest.mark.parametrize(
    ("error", "for_good"), [(errno.ENOSPC, False), (errno.EIO, True)], ids=["ENOSPC once", "EIO for good"]
)
@pytest.mark.parametrize("disk", ["local", "network"])
def test_an_error_at_any_write_stops_clearly_and_loses_nothing(
    folder: Path, shim: Path, disk: str, error: int, for_good: bool
) -> None:
    finished = subprocess.run(
        [sys.executable, str(HERE / "failing_disk.py"), str(folder), disk, str(error), str(int(for_good))],
        env={**os.environ, "LD_PRELOAD": str(shim), "PYTHONPATH": str(HERE.parent)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert finished.returncode == 0, finished.stderr[-3000:]
    n_calls, n_errors = (int(word) for word in finished.stdout.split() if word.isdigit())
    assert n_calls > 20
    assert n_errors > n_calls // 2
