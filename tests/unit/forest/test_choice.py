import numpy as np
import pytest

from tightrope import CensoredForest
from tightrope.forest import ALGORITHM_1
from tightrope.forest.choice import smoothest


def line(noise: float, *, n: int = 200) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(n, 3))
    truth = 3 * X[:, 0] + noise * rng.normal(size=n)
    cap = rng.uniform(1.0, 4.0, size=n)
    return X, np.minimum(truth, cap), truth > cap


def test_noisy_responses_get_larger_leaves_than_exact_ones() -> None:
    noisy, exact = (CensoredForest(20, random_state=0).fit(*line(noise)) for noise in (2.0, 0.01))
    assert noisy.min_samples_leaf_ >= 10
    assert exact.min_samples_leaf_ <= 3


def test_noisy_responses_get_a_larger_floor_of_the_variance() -> None:
    settings = {"min_samples_leaf": 1, "noise": False, "max_features": None, "random_state": 0}
    noisy, exact = (CensoredForest(20, **settings).fit(*line(noise)) for noise in (2.0, 0.01))
    assert 1.0 < noisy.min_variance_ < 16.0
    assert exact.min_variance_ < 0.1


def test_numbers_are_taken_as_given() -> None:
    forest = CensoredForest(5, min_samples_leaf=7, max_features=2, min_variance=0.3).fit(*line(1.0))
    assert (forest.min_samples_leaf_, forest.max_features_, forest.min_variance_) == (7, 2, 0.3)


def test_without_a_bootstrap_nothing_is_out_of_bag_and_leaves_hold_one_row() -> None:
    forest = CensoredForest(5, bootstrap=False).fit(*line(1.0))
    assert (forest.min_samples_leaf_, forest.min_variance_) == (1, 0.0)


def test_the_algorithm_of_the_paper_chooses_nothing() -> None:
    forest = CensoredForest(5, **ALGORITHM_1).fit(*line(2.0))
    assert (forest.min_samples_leaf_, forest.max_features_, forest.min_variance_) == (1, 3, 0.0)


def test_a_choice_does_not_depend_on_the_number_of_threads() -> None:
    X, y, censored = line(1.0)
    one, two = (CensoredForest(8, n_jobs=jobs, random_state=0).fit(X, y, censored) for jobs in (1, 2))
    np.testing.assert_array_equal(one.predict_trees(X), two.predict_trees(X))


def test_a_choice_does_not_depend_on_the_unit_of_y() -> None:
    X, y, censored = line(1.0)
    one = CensoredForest(8, random_state=0).fit(X, y, censored)
    other = CensoredForest(8, random_state=0).fit(X, 1024 * y, censored)
    assert one.min_samples_leaf_ == other.min_samples_leaf_
    assert other.min_variance_ == pytest.approx(1024**2 * one.min_variance_, rel=1e-6)


def test_the_smoothest_of_candidates_that_are_about_equal_is_chosen() -> None:
    rows = np.random.default_rng(0).normal(size=100)
    noise = np.random.default_rng(1).normal(size=100)
    assert smoothest([rows, rows + 0.01, rows + noise - noise.mean()]) == 2


def test_a_candidate_that_is_clearly_worse_is_not_chosen() -> None:
    rows = np.random.default_rng(0).normal(size=100)
    assert smoothest([rows, rows - 0.5]) == 0
