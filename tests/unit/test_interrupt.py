"""Ctrl-C ends a long fit."""

import signal
import subprocess
import sys

import pytest

FIT = """
import numpy as np
from tightrope import CensoredForest

rng = np.random.default_rng(0)
X, y = rng.random((60_000, 30)), rng.random(60_000)
try:
    print("growing", flush=True)
    CensoredForest(10_000, n_jobs={threads}).fit(X, y)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_ends_a_fit_that_would_take_an_hour(threads: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", FIT.format(threads=threads)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "growing\n"
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert out == "interrupted\n"
