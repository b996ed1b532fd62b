import numpy as np
import pytest

from tightrope import truncated
from tightrope.forest.bootstrap import Copies, assign_quantiles, draw_counts, sample_excesses

COUNTS = np.array([[2, 0, 1], [1, 0, 0], [0, 0, 3]], dtype=np.uint16)  # three trees, three censored points


def one_point(n_copies: int, *, positions: str = "paper") -> Copies:
    return assign_quantiles(np.ones((n_copies, 1), dtype=np.uint16), positions=positions)


def excesses(
    copies: Copies, bound: float, *, room: float = np.inf, ceiling_rule: str = "shift"
) -> np.ndarray:
    """Return the excesses of copies with a standard normal belief."""
    return sample_excesses(
        copies,
        np.array([bound]),
        mu=np.zeros(1),
        s=np.ones(1),
        room=np.array([room]),
        ceiling_rule=ceiling_rule,
    )


def test_each_tree_draws_as_many_rows_as_there_are() -> None:
    counts = draw_counts(20, 50, bootstrap=True, rng=np.random.default_rng(0))
    assert counts.shape == (20, 50)
    assert counts.dtype == np.uint16
    np.testing.assert_array_equal(counts.sum(axis=1), 50)


def test_rows_are_drawn_with_replacement() -> None:
    counts = draw_counts(200, 50, bootstrap=True, rng=np.random.default_rng(0))
    # The share of rows that a tree misses is (1 - 1/50)^50 = 0.364; its standard error over 200 trees is
    # 0.003.
    assert np.mean(counts == 0) == pytest.approx(0.364, abs=0.012)


def test_without_bootstrap_each_tree_holds_each_row_once() -> None:
    np.testing.assert_array_equal(draw_counts(3, 4, bootstrap=False, rng=np.random.default_rng(0)), 1)


def test_copies_are_listed_point_by_point_and_in_tree_order() -> None:
    copies = assign_quantiles(COUNTS, positions="paper")
    np.testing.assert_array_equal(copies.n_copies, [3, 0, 4])
    np.testing.assert_array_equal(copies.owner, [0, 0, 0, 2, 2, 2, 2])
    np.testing.assert_array_equal(copies.slots[copies.cell], [0, 0, 3, 2, 8, 8, 8])


def test_the_paper_gives_copy_k_of_n_the_quantile_k_over_n_plus_1() -> None:
    positions = assign_quantiles(COUNTS, positions="paper").positions
    np.testing.assert_allclose(positions, [1 / 4, 2 / 4, 3 / 4, 1 / 5, 2 / 5, 3 / 5, 4 / 5])


def test_midpoints_give_copy_k_of_n_the_quantile_k_less_a_half_over_n() -> None:
    positions = assign_quantiles(COUNTS, positions="midpoint").positions
    np.testing.assert_allclose(positions, [1 / 6, 3 / 6, 5 / 6, 1 / 8, 3 / 8, 5 / 8, 7 / 8])


def test_random_order_hands_out_the_same_quantiles_to_the_same_points() -> None:
    counts = np.full((40, 3), 2, dtype=np.uint16)
    ordered = assign_quantiles(counts, positions="paper")
    shuffled = assign_quantiles(counts, positions="paper", order=np.random.default_rng(0))
    np.testing.assert_array_equal(shuffled.owner, ordered.owner)
    assert not np.array_equal(shuffled.positions, ordered.positions)
    for point in range(3):
        at = ordered.owner == point
        np.testing.assert_array_equal(np.sort(shuffled.positions[at]), ordered.positions[at])


def test_random_orders_of_two_points_differ() -> None:
    counts = np.ones((40, 2), dtype=np.uint16)
    positions = assign_quantiles(counts, positions="paper", order=np.random.default_rng(0)).positions
    assert not np.array_equal(positions[:40], positions[40:])


def test_a_cell_holds_the_mean_of_its_copies_and_empty_cells_something_else() -> None:
    copies = assign_quantiles(COUNTS, positions="paper")
    values = np.array([1.0, 3.0, 5.0, 7.0, 1.0, 2.0, 6.0])
    means = copies.mean_by_cell(values, otherwise=np.array([-1.0, -2.0, -3.0]), n_trees=3)
    np.testing.assert_array_equal(means, [[2.0, -2.0, 7.0], [5.0, -2.0, -3.0], [-1.0, -2.0, 3.0]])


def test_the_mean_of_a_point_is_over_all_its_copies() -> None:
    copies = assign_quantiles(COUNTS, positions="paper")
    means = copies.mean_by_point(np.array([1.0, 3.0, 5.0, 7.0, 1.0, 2.0, 6.0]))
    np.testing.assert_array_equal(means, [3.0, 0.0, 4.0])


@pytest.mark.parametrize(("positions", "share"), [("paper", 0.62), ("midpoint", 0.88)])
def test_ten_copies_keep_this_share_of_the_variance(positions: str, share: float) -> None:
    samples = excesses(one_point(10, positions=positions), bound=-30.0)
    assert samples.var() == pytest.approx(share, abs=0.005)


def test_samples_are_quantiles_of_the_belief_truncated_at_the_bound() -> None:
    copies = one_point(3)
    expected = truncated.quantile_excess([0.25, 0.5, 0.75], 0.5, mu=0.0, s=1.0)
    np.testing.assert_array_equal(excesses(copies, bound=0.5), expected)


def test_below_the_ceiling_nothing_is_shifted() -> None:
    copies = one_point(9)
    np.testing.assert_array_equal(excesses(copies, bound=0.0, room=2.0), excesses(copies, bound=0.0))


def test_shifting_moves_the_mean_to_the_ceiling_and_keeps_the_spread() -> None:
    copies = one_point(9)
    free, shifted = excesses(copies, bound=0.0), excesses(copies, bound=0.0, room=0.3)
    assert shifted.mean() == pytest.approx(0.3)
    assert shifted.std() == pytest.approx(free.std())


def test_shifting_may_take_single_samples_below_their_own_bound() -> None:
    shifted = excesses(one_point(9), bound=0.0, room=0.3)
    assert shifted.min() < 0.0


def test_shrinking_moves_the_mean_to_the_ceiling_and_keeps_order_and_bound() -> None:
    shrunk = excesses(one_point(9), bound=0.0, room=0.3, ceiling_rule="shrink")
    assert shrunk.mean() == pytest.approx(0.3)
    assert shrunk.min() > 0.0
    assert (np.diff(shrunk) > 0).all()


def test_shrinking_leaves_no_spread_to_a_point_that_is_censored_at_the_ceiling() -> None:
    np.testing.assert_array_equal(excesses(one_point(9), bound=0.0, room=0.0, ceiling_rule="shrink"), 0.0)
