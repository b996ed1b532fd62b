"""Hostile use: odd seeds, many threads, other processes, interrupts, memory."""

import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import joblib  # type: ignore[import-untyped]
import numpy as np
import pytest

from small_forest import X, fitted


def test_a_seed_is_a_seed_whatever_its_type() -> None:
    seeds = [3, np.int64(3), np.uint8(3), np.random.RandomState(3)]
    first, *others = (fitted(random_state=seed).predict_trees(X) for seed in seeds)
    for other in others:
        np.testing.assert_array_equal(other, first)


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5, "seed", np.random.default_rng(0)])
def test_other_seeds_are_refused(seed: Any) -> None:
    with pytest.raises(ValueError, match=r"[Ss]eed"):
        fitted(random_state=seed)


@pytest.mark.parametrize("n_jobs", [-1, -2, -1000, np.int32(2), 500])
def test_any_number_of_threads_gives_the_same_bits(n_jobs: Any) -> None:
    forest = fitted(n_jobs=n_jobs, n_estimators=40)
    assert forest.predict_trees(X).tobytes() == fitted(n_estimators=40).predict_trees(X).tobytes()


def test_fits_and_predictions_in_many_python_threads_do_not_disturb_each_other() -> None:
    rows = np.random.default_rng(0).normal(size=(400, 4))
    expected = [fitted(rows, rows[:, 0], rows[:, 1] > 1, random_state=k) for k in range(4)]

    def work(k: int) -> bool:
        forest = fitted(rows, rows[:, 0], rows[:, 1] > 1, random_state=k % 4, n_jobs=1 + k % 3)
        return bool(np.array_equal(forest.predict_trees(rows), expected[k % 4].predict_trees(rows)))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(24)))


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
def test_repeated_fits_do_not_leak_memory() -> None:
    rows = np.random.default_rng(0).normal(size=(300, 4))

    def pages_after(n_fits: int) -> int:
        for seed in range(n_fits):
            forest = fitted(rows, rows[:, 0], rows[:, 1] > 1, random_state=seed, max_iter=2)
            pickle.loads(pickle.dumps(forest)).belief_marginal(rows[:, :2], rows[:9, 2:])
        return int(Path("/proc/self/statm").read_text().split()[1])

    before = pages_after(40)
    # Every tree has about 300 nodes of 30 bytes: a leak of one forest a fit would be 12 MB in all.
    assert (pages_after(200) - before) * os.sysconf("SC_PAGE_SIZE") < 6e6


ELSEWHERE = """
import sys, joblib, numpy as np
print(joblib.load(sys.argv[1]).predict(np.load(sys.argv[2])).tobytes().hex())
"""


def test_another_process_predicts_the_same_bits(tmp_path: Path) -> None:
    forest = fitted(log=True, fit={"categorical": [1]})
    joblib.dump(forest, tmp_path / "forest")
    np.save(tmp_path / "rows.npy", X)
    command = [sys.executable, "-c", ELSEWHERE, str(tmp_path / "forest"), str(tmp_path / "rows.npy")]
    out = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    assert out.strip() == forest.predict(X).tobytes().hex()


INTERRUPT = """
import signal, traceback
import numpy as np
from tightrope import CensoredForest

rng = np.random.default_rng(0)
forest = CensoredForest(1000).fit(rng.random((300, 1)), rng.random(300))
rows, y = rng.random((20_000, 10)), rng.random(20_000)
signal.signal(signal.SIGVTALRM, signal.default_int_handler)

def interrupt(work):
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.4)
    try:
        work()
    except KeyboardInterrupt as error:
        print(traceback.extract_tb(error.__traceback__)[-1].name, flush=True)

for threads in (1, 2):
    forest.set_params(n_jobs=threads)
    interrupt(lambda: forest.predict(np.zeros((4_000_000, 1))))
for threads in (1, 2):
    interrupt(lambda: CensoredForest(2000, n_jobs=threads, bootstrap=False).fit(rows, y))
"""


def test_an_interrupt_ends_the_kernel_at_work_and_not_only_the_python_around_it() -> None:
    # All four would take a minute. A timer of the process's CPU time ensures that the kernel has started.
    command = [sys.executable, "-c", INTERRUPT]
    out = subprocess.run(command, capture_output=True, check=True, text=True, timeout=60).stdout
    assert out.split() == ["belief", "belief", "_grow", "_grow"]


def test_the_size_of_a_forest_does_not_grow_with_the_square_of_the_levels() -> None:
    levels = np.random.default_rng(0).permutation(8000).astype(np.float64)[:, np.newaxis]
    forest = fitted(levels, levels[::-1, 0], None, n_estimators=1, fit={"categorical": [0]})
    # About 5000 splits; a level is present in at most as many of them as the tree is deep, some 30.
    assert len(pickle.dumps(forest.forest_)) < 8000 * 30 * 8
