"""Algorithm 1 and its baselines, with one test for each known trap."""

import numpy as np
import pytest
from numpy.typing import NDArray

from tightrope import CensoredForest, truncated
from tightrope.forest import ALGORITHM_1
from tightrope.forest.bootstrap import assign_quantiles, draw_counts
from tightrope.forest.imputation import Growth, Imputed, Responses, Rules, grow_forest

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


def censored_line(n: int = 60, *, seed: int = 0, share: float = 0.5) -> tuple[Floats, Floats, Mask]:
    """Responses around a line; those above a random cap are censored there."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(size=(n, 3))
    truth = 5 * X[:, 0] + rng.normal(scale=0.3, size=n)
    caps = np.quantile(truth, 1 - share) + rng.uniform(-0.5, 0.5, size=n)
    return X, np.minimum(truth, caps), truth > caps


def grow(
    X: Floats, responses: Responses, *, rules: Rules, n_trees: int = 20, bootstrap: bool = True, seed: int = 0
) -> Imputed:
    return grow_forest(
        X,
        responses,
        categorical=np.zeros(X.shape[1], dtype=bool),
        rules=rules,
        growth=Growth(n_trees, drawn_columns=X.shape[1], bootstrap=bootstrap),
        rng=np.random.default_rng(seed),
    )


def counts_of(n_trees: int, n_points: int, *, seed: int = 0) -> NDArray[np.uint16]:
    """Return the bootstrap that `grow` draws with this seed."""
    for_counts = np.random.default_rng(seed).spawn(1)[0]
    return draw_counts(n_trees, n_points, bootstrap=True, rng=for_counts)


def test_first_round_imputes_quantiles_of_the_belief_of_trees_of_uncensored_copies() -> None:
    # One constant column: every tree is a leaf with the mean of its uncensored copies.
    y = np.array([1.0, 2.0, 4.0, 3.0])
    censored = np.array([False, False, False, True])
    counts = counts_of(10, 4)
    uncensored = counts[:, :3]
    assert uncensored.any(axis=1).all()
    leaves = (uncensored * y[:3]).sum(axis=1) / uncensored.sum(axis=1)
    copies = assign_quantiles(counts[:, 3:], positions="paper")
    samples = truncated.quantile(copies.positions, 3.0, mu=leaves.mean(), s=leaves.std())
    imputed = grow(np.zeros((4, 1)), Responses(y, censored), rules=Rules(max_iter=1), n_trees=10)
    assert imputed.means[0] == pytest.approx(samples.mean(), rel=1e-12)
    by_tree = copies.mean_by_cell(samples, otherwise=np.array([np.nan]), n_trees=10)
    np.testing.assert_allclose(imputed.samples, by_tree, rtol=1e-12)


def test_trees_are_grown_again_from_uncensored_and_imputed_copies() -> None:
    y = np.array([1.0, 2.0, 4.0, 3.0])
    censored = np.array([False, False, False, True])
    X = np.zeros((4, 1))
    counts = counts_of(10, 4)
    imputed = grow(X, Responses(y, censored), rules=Rules(max_iter=1), n_trees=10)
    targets = np.where(censored, np.nan_to_num(imputed.samples), y)
    leaves = (counts * targets).sum(axis=1) / counts.sum(axis=1)
    np.testing.assert_allclose(imputed.forest.predict_trees(X[:1], 1)[:, 0], leaves, rtol=1e-9)


def test_a_tree_without_uncensored_copies_starts_from_the_mean_of_all_uncensored() -> None:
    y = np.array([4.0, 6.0, 1.0, 1.0, 1.0, 1.0])
    censored = np.array([False, False, True, True, True, True])
    counts = counts_of(50, 6)[:, :2].astype(float)
    orphans = counts.sum(axis=1) == 0
    assert orphans.any()
    leaves = np.where(orphans, 5.0, counts @ y[:2] / np.maximum(counts.sum(axis=1), 1))
    rules = Rules(treatment="mean", max_iter=1)
    imputed = grow(np.zeros((6, 1)), Responses(y, censored), rules=rules, n_trees=50)
    expected = truncated.mean(1.0, mu=leaves.mean(), s=leaves.std())
    np.testing.assert_allclose(imputed.means, expected, rtol=1e-9)


def test_the_fallback_of_such_a_tree_is_the_weighted_mean() -> None:
    y = np.array([4.0, 6.0, 1.0, 1.0, 1.0, 1.0])
    censored = np.array([False, False, True, True, True, True])
    weights = np.array([3.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    counts = counts_of(50, 6)[:, :2] * weights[:2]
    orphans = counts.sum(axis=1) == 0
    assert orphans.any()
    leaves = np.where(orphans, 4.5, counts @ y[:2] / np.maximum(counts.sum(axis=1), 1))
    rules = Rules(treatment="mean", max_iter=1)
    imputed = grow(np.zeros((6, 1)), Responses(y, censored, weights=weights), rules=rules, n_trees=50)
    expected = truncated.mean(1.0, mu=leaves.mean(), s=leaves.std())
    np.testing.assert_allclose(imputed.means, expected, rtol=1e-9)


def test_if_all_are_censored_the_first_fit_takes_the_bounds_as_values() -> None:
    y = np.array([1.0, 2.0, 3.0])
    rules = Rules(treatment="mean", max_iter=1)
    # Without a bootstrap and with distinct rows the first trees know the bounds exactly: no spread, no
    # excess.
    imputed = grow(
        np.array([[1.0], [2.0], [3.0]]), Responses(y, np.ones(3, dtype=bool)), rules=rules, bootstrap=False
    )
    np.testing.assert_array_equal(imputed.means, y)


def test_if_all_are_censored_nothing_can_be_dropped() -> None:
    X, y, _ = censored_line()
    everything = np.ones(len(y), dtype=bool)
    dropped = CensoredForest(5, treatment="drop", random_state=0).fit(X, y, everything)
    ignored = CensoredForest(5, treatment="ignore", random_state=0).fit(X, y)
    np.testing.assert_array_equal(dropped.predict(X), ignored.predict(X))


@pytest.mark.parametrize("treatment", ["sample", "mean", "drop", "ignore"])
def test_with_nothing_censored_every_treatment_is_the_same_ordinary_forest(treatment: str) -> None:
    X, y, _ = censored_line()
    forest = CensoredForest(10, treatment=treatment, joint=False, random_state=0)
    forest.fit(X, y, np.zeros(len(y), dtype=bool))
    ordinary = CensoredForest(10, random_state=0).fit(X, y)
    np.testing.assert_array_equal(forest.predict_trees(X), ordinary.predict_trees(X))
    assert forest.imputed_.size == 0


def test_dropping_is_fitting_without_the_censored_rows() -> None:
    X, y, censored = censored_line()
    dropped = CensoredForest(10, treatment="drop", random_state=0).fit(X, y, censored)
    without = CensoredForest(10, random_state=0).fit(X[~censored], y[~censored])
    np.testing.assert_array_equal(dropped.predict_trees(X), without.predict_trees(X))


def test_ignoring_is_taking_the_bounds_as_values() -> None:
    X, y, censored = censored_line()
    ignored = CensoredForest(10, treatment="ignore", random_state=0).fit(X, y, censored)
    ordinary = CensoredForest(10, random_state=0).fit(X, y)
    np.testing.assert_array_equal(ignored.predict_trees(X), ordinary.predict_trees(X))
    np.testing.assert_array_equal(ignored.imputed_, y[censored])


def test_ignored_bounds_are_the_samples_of_the_trees_that_hold_them() -> None:
    X, y, censored = censored_line()
    ignored = CensoredForest(10, treatment="ignore", random_state=0).fit(X, y, censored)
    sampled = CensoredForest(10, random_state=0).fit(X, y, censored)
    held = ~np.isnan(sampled.imputed_samples_)
    expected = np.where(held, y[censored], np.nan)
    np.testing.assert_array_equal(ignored.imputed_samples_, expected)


def test_the_bootstrap_is_kept_through_all_iterations() -> None:
    X, y, censored = censored_line()
    short = CensoredForest(10, max_iter=1, random_state=0).fit(X, y, censored)
    long = CensoredForest(10, max_iter=6, tol=0.0, random_state=0).fit(X, y, censored)
    np.testing.assert_array_equal(np.isnan(short.imputed_samples_), np.isnan(long.imputed_samples_))
    assert np.isnan(short.imputed_samples_).any()


def test_low_quantiles_go_to_low_numbered_trees() -> None:
    X, y, censored = censored_line()
    samples = CensoredForest(20, **ALGORITHM_1, random_state=0).fit(X, y, censored).imputed_samples_
    for column in samples.T:
        held = column[~np.isnan(column)]
        assert (np.diff(held) > 0).all()


def test_random_order_breaks_the_ranks_of_the_trees() -> None:
    X, y, censored = censored_line()
    samples = CensoredForest(20, joint=False, random_state=0).fit(X, y, censored).imputed_samples_
    ranks = [np.corrcoef(np.flatnonzero(~np.isnan(c)), c[~np.isnan(c)])[0, 1] for c in samples.T]
    # Of 30 points, each correlation over about 13 trees with standard error 0.29: their mean has one of 0.05.
    assert abs(np.mean(ranks)) < 0.25


def test_more_iterations_push_the_imputed_values_further_up() -> None:
    X, y, censored = censored_line(share=0.8)
    one, five = (
        CensoredForest(50, max_iter=n, tol=0.0, min_variance=0.01, random_state=0)
        .fit(X, y, censored)
        .imputed_.mean()
        for n in (1, 5)
    )
    assert five > one + 0.05


def test_iterations_stop_at_the_limit() -> None:
    X, y, censored = censored_line()
    forest = CensoredForest(10, max_iter=3, tol=0.0, random_state=0).fit(X, y, censored)
    assert forest.n_iter_ == 3
    assert not forest.converged_


def test_iterations_stop_when_imputed_means_change_less_than_the_tolerance() -> None:
    X, y, censored = censored_line()
    forest = CensoredForest(100, max_iter=50, tol=0.05, random_state=0).fit(X, y, censored)
    assert 1 <= forest.n_iter_ < 50
    assert forest.converged_


def test_tolerance_is_relative_to_the_range_of_y() -> None:
    X, y, censored = censored_line()
    small = CensoredForest(20, max_iter=50, random_state=0).fit(X, y, censored)
    large = CensoredForest(20, max_iter=50, random_state=0).fit(X, 1024 * y, censored)
    assert large.n_iter_ == small.n_iter_
    np.testing.assert_allclose(large.imputed_, 1024 * small.imputed_, rtol=1e-6)


def test_the_ceiling_of_a_log_model_lives_on_the_scale_of_y() -> None:
    X, log_y, censored = censored_line(share=0.8)
    y = np.exp(log_y)
    ceiling = 1.01 * y.max()
    free = CensoredForest(20, log=True, min_variance=1.0, random_state=0).fit(X, y, censored)
    capped = CensoredForest(20, log=True, min_variance=1.0, ceiling=ceiling, random_state=0).fit(
        X, y, censored
    )
    assert free.imputed_.max() > 1.5 * ceiling
    assert capped.imputed_.max() == pytest.approx(ceiling, rel=1e-12)


def test_shrinking_keeps_every_sample_of_a_fit_above_its_bound() -> None:
    X, y, censored = censored_line(share=0.8)
    settings = {"min_variance": 1.0, "ceiling": y.max() + 0.01, "random_state": 0}
    shifted = CensoredForest(20, **settings).fit(X, y, censored)
    shrunk = CensoredForest(20, ceiling_rule="shrink", **settings).fit(X, y, censored)
    assert np.nanmin(shifted.imputed_samples_ - y[censored]) < 0
    assert np.nanmin(shrunk.imputed_samples_ - y[censored]) >= 0


def test_out_of_bag_beliefs_come_from_trees_without_a_copy_of_the_point() -> None:
    y = np.array([1.0, 2.0, 4.0, 3.0])
    censored = np.array([False, False, False, True])
    counts = counts_of(10, 4)
    uncensored = counts[:, :3]
    leaves = (uncensored * y[:3]).sum(axis=1) / uncensored.sum(axis=1)
    out = leaves[counts[:, 3] == 0]
    rules = Rules(treatment="mean", max_iter=1, oob=True)
    imputed = grow(np.zeros((4, 1)), Responses(y, censored), rules=rules, n_trees=10)
    assert 1 < out.size < 10
    assert imputed.means[0] == pytest.approx(truncated.mean(3.0, mu=out.mean(), s=out.std()), rel=1e-9)


def test_a_point_that_every_tree_holds_is_imputed_from_all_trees() -> None:
    X, y, censored = censored_line(8)
    rules = Rules(max_iter=2, tol=0.0)
    plain = grow(X, Responses(y, censored), rules=rules, bootstrap=False)
    oob = grow(X, Responses(y, censored), rules=Rules(max_iter=2, tol=0.0, oob=True), bootstrap=False)
    np.testing.assert_allclose(oob.means, plain.means, rtol=1e-9)


def test_the_variance_floor_holds_for_imputation_too() -> None:
    y = np.array([1.0, 3.0])
    censored = np.array([False, True])
    rules = Rules(treatment="mean", max_iter=1, min_variance=4.0)
    imputed = grow(np.zeros((2, 1)), Responses(y, censored), rules=rules, bootstrap=False)
    assert imputed.means[0] == pytest.approx(truncated.mean(3.0, mu=1.0, s=2.0))


def test_without_bootstrap_the_mean_of_many_trees_interpolates_linearly() -> None:
    rng = np.random.default_rng(1)
    x = np.sort(rng.uniform(size=12))
    y = np.sin(7 * x) * 2
    grid = np.linspace(x[0], x[-1], 200)
    line = np.interp(grid, x, y)
    straight = CensoredForest(1000, bootstrap=False, random_state=0).fit(x[:, None], y).predict(grid[:, None])
    resampled = CensoredForest(1000, random_state=0).fit(x[:, None], y).predict(grid[:, None])
    # A mean over 1000 uniform split points has a standard error of at most 1/2/sqrt(1000) = 0.016 of a gap of
    # height 2; five of them.
    assert np.abs(straight - line).max() < 0.16
    assert np.abs(resampled - line).max() > 0.3


def test_rows_that_differ_by_one_bit_are_told_apart() -> None:
    X = np.array([[1.0], [np.nextafter(1.0, 2.0)]])
    forest = CensoredForest(50, bootstrap=False, random_state=0).fit(X, [0.0, 1.0])
    np.testing.assert_array_equal(forest.predict_trees(X), np.tile([[0.0], [1.0]], 50))
