"""Hostile use: odd containers, extreme numbers, interrupts, threads, degenerate trees."""

import copy
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import joblib  # type: ignore[import-untyped]
import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array

from tightrope import CensoredForest

Floats = NDArray[np.float64]

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 3.0], [7.0, 2.0]])
Y = np.array([1.0, 2.0, 3.0, 4.0, 9.0, 2.5])
CENSORED = np.array([False, False, True, False, True, False])


def fitted(rows: Any = X, y: Any = Y, mask: Any = CENSORED, *, fit: Any = None, **parameters: Any) -> Any:
    forest = CensoredForest(**{"n_estimators": 7, "random_state": 0, **parameters})
    return forest.fit(rows, y, mask, **(fit or {}))


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    array = array.copy()
    array.setflags(write=False)
    return array


# ---- the same numbers in other containers ----


@pytest.mark.parametrize(
    "rows",
    [
        X.tolist(),
        X.astype(np.float16),
        X.astype(np.int8),
        X.astype(">f8"),
        X.astype(object),
        np.asfortranarray(X),
        np.repeat(X, 3, axis=0)[::3],
        X[::-1].copy()[::-1],
        np.tile(X, 2)[:, :2],
        read_only(X),
        pd.DataFrame(X, columns=[10, 20]),
        pd.DataFrame(X, columns=[10, 20]).astype("Int64"),
        pd.DataFrame(X, columns=[10, 20]).astype("float32"),
    ],
)
def test_the_container_of_x_does_not_matter(rows: Any) -> None:
    np.testing.assert_array_equal(fitted(rows).predict_trees(rows), fitted().predict_trees(X))


@pytest.mark.parametrize(
    "y",
    [
        Y.tolist(),
        Y.astype(np.float32),
        np.repeat(Y, 2)[::2],
        read_only(Y),
        pd.Series(Y, index=range(6, 0, -1)),
        pd.Series(Y, dtype="Float64"),
    ],
)
def test_the_container_of_y_does_not_matter(y: Any) -> None:
    np.testing.assert_array_equal(fitted(y=y).predict_trees(X), fitted().predict_trees(X))


@pytest.mark.parametrize(
    "mask",
    [
        pd.Series(CENSORED, index=range(6, 0, -1)),
        pd.Series(CENSORED, dtype="boolean"),
        pd.Series(CENSORED.astype(int), dtype="Int64"),
        np.repeat(CENSORED, 2)[::2],
        read_only(CENSORED),
    ],
)
def test_the_container_of_the_mask_does_not_matter(mask: Any) -> None:
    assert fitted(mask=mask).censored_.tolist() == [2, 4]


@pytest.mark.parametrize(
    "mask",
    [
        True,
        "censored",
        {1, 4},
        CENSORED.astype(complex),
        CENSORED.astype("M8[D]"),
        pd.Series([True, None, False, False, True, False], dtype="boolean"),
        np.where(CENSORED, np.nan, 0.0),
        csr_array(CENSORED[:, np.newaxis]),
    ],
)
def test_masks_of_other_kinds_are_refused_by_name(mask: Any) -> None:
    with pytest.raises(ValueError, match=r"^censored (must hold booleans|has shape \(\))"):
        fitted(mask=mask)


@pytest.mark.parametrize("rows", [csr_array(X), np.array([{}] * 6), {"a": 1}])
def test_input_that_is_not_an_array_of_numbers_is_a_type_error_as_in_scikit_learn(rows: Any) -> None:
    with pytest.raises(TypeError, match=r"Sparse data was passed for X|argument must be"):
        fitted(rows)


@pytest.mark.parametrize("rows", [X + 1j, X[np.newaxis], "rows", np.full((6, 2), "a"), [[1.0], [1.0, 2.0]]])
def test_arrays_of_other_kinds_are_refused(rows: Any) -> None:
    with pytest.raises(ValueError, match=r"Complex|dim 3|could not convert|inhomogeneous"):
        fitted(rows)


def event_and_time(**kinds: Any) -> NDArray[Any]:
    names = list(kinds)
    pairs = np.zeros(6, dtype=[*kinds.items()])
    pairs[names[0]], pairs[names[1]] = ~CENSORED, Y
    return pairs


@pytest.mark.parametrize(
    "pairs",
    [
        event_and_time(event=bool, time=float),
        event_and_time(Status=np.bool_, Survival_in_days=np.float32),
        event_and_time(event=bool, time=float).view(np.recarray),
        np.repeat(event_and_time(event=bool, time=float), 2)[::2],
        read_only(event_and_time(event=bool, time=float)),
    ],
)
def test_structured_responses_may_have_any_field_names_and_layout(pairs: Any) -> None:
    np.testing.assert_array_equal(fitted(y=pairs, mask=None).predict_trees(X), fitted().predict_trees(X))


@pytest.mark.parametrize(
    "pairs",
    [
        np.zeros(6, dtype=[("event", bool)]),
        np.zeros(6, dtype=[("time", float), ("event", bool)]),
        np.zeros(6, dtype=[("event", bool), ("time", float), ("more", float)]),
        np.zeros(6, dtype=[("event", bool), ("time", float, (2,))]),
        np.zeros(6, dtype=[("event", np.uint8), ("time", float)]),
        np.zeros(6, dtype=[]),
    ],
)
def test_structures_other_than_event_and_time_are_refused(pairs: Any) -> None:
    with pytest.raises(ValueError, match=r"^y must have the two fields event \(bool\) and time"):
        fitted(y=pairs, mask=None)


# ---- levels ----


@pytest.mark.parametrize("scale", [-1.0, 1e15, -(2.0**60), 1e300])
def test_levels_may_be_any_whole_numbers(scale: float) -> None:
    forest = fitted(X * scale, mask=None, bootstrap=False, fit={"categorical": [0, 1]})
    np.testing.assert_array_equal(forest.predict(X * scale), Y)


@pytest.mark.parametrize("level", [np.nan, -1.0, 5.0, 2.0**32, 2.0**32 + 1, 2.0**64, -1e300])
def test_levels_never_seen_all_go_the_same_way(level: float) -> None:
    forest = fitted(fit={"categorical": [0, 1]})
    np.testing.assert_array_equal(forest.predict_trees([[level, level]]), forest.predict_trees([[8.0, -8.0]]))


def test_hundreds_of_levels_with_names_survive_a_pickle() -> None:
    names = np.array([f"level {k:04d}" for k in range(700)])
    rows = pd.DataFrame({"name": names, "size": np.arange(700.0) % 5})
    y = np.random.default_rng(0).normal(size=700)
    forest = pickle.loads(pickle.dumps(fitted(rows, y, None, bootstrap=False)))
    np.testing.assert_array_equal(forest.predict(rows), y)


# ---- degenerate rows and trees ----


@pytest.mark.parametrize("treatment", ["sample", "mean", "drop", "ignore"])
def test_rows_that_are_all_the_same_give_one_prediction(treatment: str) -> None:
    forest = fitted(np.ones((6, 2)), mask=None, treatment=treatment, bootstrap=False)
    np.testing.assert_allclose(forest.predict(X), Y.mean())


@pytest.mark.parametrize("treatment", ["sample", "mean", "drop", "ignore"])
def test_responses_that_are_all_the_same_stay_what_they_are(treatment: str) -> None:
    forest = fitted(y=np.full(6, 0.1), treatment=treatment)
    mean, std = forest.belief(X)
    np.testing.assert_array_equal(mean, 0.1)
    np.testing.assert_array_equal(std, 0.0)
    assert forest.converged_


def test_a_column_of_nothing_but_nan_is_never_split() -> None:
    forest = fitted(np.column_stack([X[:, 0], np.full(6, np.nan)]), mask=None, bootstrap=False)
    np.testing.assert_array_equal(forest.predict(np.column_stack([X[:, 0], X[:, 1]])), Y)


def test_columns_may_need_more_bins_than_sixteen_bits_count() -> None:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 30, size=(60, 3000)).astype(np.float64)
    forest = fitted(rows, rows[:, -1], None, n_estimators=2, bootstrap=False)
    np.testing.assert_array_equal(forest.predict(rows), rows[:, -1])


@pytest.fixture(scope="module")
def deep() -> tuple[CensoredForest, Floats, Floats]:
    """Targets that are each as large as all smaller ones together: the tree is mostly a chain."""
    n = 1900
    rows = np.column_stack([np.arange(n), np.arange(n) % 3]).astype(np.float64)
    y: Floats = np.ldexp(1.0, np.arange(-950, 950))
    y[y > 1e150] = 1e150 * rows[y > 1e150, 0]
    return fitted(rows, y, None, n_estimators=3, bootstrap=False), rows, y


def test_a_degenerate_tree_is_exact_also_from_a_pickle(deep: tuple[CensoredForest, Floats, Floats]) -> None:
    forest, rows, y = deep
    for twin in (forest, copy.deepcopy(forest), pickle.loads(pickle.dumps(forest))):
        np.testing.assert_array_equal(twin.predict(rows), y)


def test_the_marginal_of_a_degenerate_tree_is_the_mean_over_pairs(
    deep: tuple[CensoredForest, Floats, Floats],
) -> None:
    forest, rows, _ = deep
    configs, instances = rows[::100, :1], rows[:3, 1:]
    pairs = np.array([[*c, *i] for c in configs for i in instances])
    expected = forest.predict(pairs).reshape(len(configs), 3).mean(axis=1)
    np.testing.assert_allclose(forest.belief_marginal(configs, instances)[0], expected, rtol=1e-9)


# ---- seeds, threads, processes ----


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
