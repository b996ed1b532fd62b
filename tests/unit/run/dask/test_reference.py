"""The reference work of workers."""

import os
import subprocess
import sys

from tightrope.run.dask.reference import reference_s

PROGRAM = "from tightrope.run.dask.reference import reference_s; print(reference_s())"


def test_the_reference_work_takes_some_time() -> None:
    assert 0 < reference_s() < 10


def test_an_interpreter_that_computes_slower_takes_longer() -> None:
    slowed = {**os.environ, "PYTHONTRACEMALLOC": "25"}  # about ten times slower
    answer = subprocess.run([sys.executable, "-c", PROGRAM], env=slowed, capture_output=True, check=True)
    assert float(answer.stdout) > 2 * reference_s()
