"""The reference tree compared with hand-worked cases, exhaustive search and scikit-learn."""

import math
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeRegressor

from reference import draws
from reference.tree import Copy, Leaf, Node, Rules, Split, Table, grow, leaf_of


def column(*values: float) -> NDArray[np.float64]:
    return np.array([values]).T


def grow_on(
    X: NDArray[np.float64], y: list[float], *, categorical: bool = False, key: int = 1, **rules: int
) -> Node:
    table = Table(X, [categorical] * X.shape[1])
    copies = [Copy(i, target) for i, target in enumerate(y)]
    return grow(table, copies, key=key, rules=Rules(**{"drawn_columns": X.shape[1], **rules}))


def test_mixing_gives_the_published_first_output_of_splitmix64() -> None:
    assert draws.mix(0) == 0xE220A8397B1DCDAF


@pytest.mark.parametrize("n_drawn", range(1, 8))
def test_the_requested_number_of_columns_is_drawn(n_drawn: int) -> None:
    for key in range(50):
        drawn = draws.drawn_columns(key, 7, n_drawn)
        assert len(drawn) == n_drawn
        assert drawn <= set(range(7))


def test_every_column_is_drawn_equally_often() -> None:
    n_keys = 4000
    times = [sum(j in draws.drawn_columns(key, 6, 2) for key in range(n_keys)) for j in range(6)]
    # Binomial(4000, 1/3) has a standard deviation of 30.
    assert max(abs(count - n_keys / 3) for count in times) < 4.5 * 30


def test_the_gap_that_reduces_the_squared_error_most_is_split() -> None:
    tree = grow_on(column(1, 2, 3, 4), [0, 1, 10, 10])
    assert isinstance(tree, Split)
    assert 2 <= tree.threshold < 3
    assert tree.gain == pytest.approx(4 / 4 * 9.5**2)


def test_pure_nodes_become_leaves_with_their_mean() -> None:
    tree = grow_on(column(1, 2, 3, 4), [0, 0, 10, 10])
    assert isinstance(tree, Split)
    assert tree.left == Leaf(0.0, pytest.approx(math.nan, nan_ok=True), frozenset({0, 1}))
    assert tree.right == Leaf(10.0, pytest.approx(math.nan, nan_ok=True), frozenset({2, 3}))


def test_split_points_are_uniform_in_their_gap() -> None:
    n = 2000
    points = sorted(grow_on(column(1, 3), [0, 1], key=key).threshold for key in range(n))
    steps = np.abs(np.array(points) - (1 + 2 * (np.arange(n) + 0.5) / n))
    assert steps.max() / 2 < 1.95 / math.sqrt(n)  # Kolmogorov-Smirnov, level 0.001


def test_a_split_point_rounded_to_the_upper_value_is_moved_to_the_lower() -> None:
    a, b = 1.0, np.nextafter(1.0, 2.0)
    assert {grow_on(column(a, b), [0, 1], key=key).threshold for key in range(50)} == {a}


def test_nan_lies_below_every_number() -> None:
    X = column(math.nan, -1e300, 5.0)
    tree = grow_on(X, [9, 0, 0])
    assert tree.threshold == -math.inf
    assert tree.left.points == {0}
    assert leaf_of(Table(X, [False]), tree, [-1e301]).value == 0


def test_sorting_levels_by_their_mean_finds_the_best_of_all_subsets() -> None:
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 6, (40, 1)).astype(float), rng.normal(size=40)
    tree = grow_on(X, list(y), categorical=True)

    def error(chosen: tuple[int, ...]) -> float:
        inside = np.isin(X[:, 0], chosen)
        return sum(y[part].var() * part.sum() for part in (inside, ~inside))

    subsets = [subset for size in range(1, 6) for subset in combinations(range(6), size)]
    best = min(subsets, key=error)
    assert tree.gain == pytest.approx(y.var() * 40 - error(best), rel=1e-10)


def test_levels_with_low_means_go_left() -> None:
    tree = grow_on(column(7, 8, 9, math.nan), [5, 0, 5, 0], categorical=True)
    assert tree.levels_left & {0, 1, 2, 3} == {0, 2}  # codes of NaN and 8


def test_unseen_levels_go_to_either_side_in_the_long_run() -> None:
    trees = [grow_on(column(0, 1), [0, 1], categorical=True, key=key) for key in range(400)]
    n_left = sum(2 in tree.levels_left for tree in trees)
    assert abs(n_left - 200) < 4.5 * 10  # Binomial(400, 1/2) has a standard deviation of 10


def test_the_other_columns_are_tried_when_the_drawn_ones_are_constant() -> None:
    X = np.array([[1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 1.0, 1.0]])
    for key in range(20):
        assert grow_on(X, [0, 1], key=key, drawn_columns=1).column == 3


def test_zero_gain_splits_are_taken() -> None:
    X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    y = [0.0, 1.0, 1.0, 0.0]
    tree = grow_on(X, y)
    assert tree.gain == 0
    assert [leaf_of(Table(X, [False] * 2), tree, row).value for row in X] == y


def test_equal_gains_within_a_column_take_the_lowest_gap() -> None:
    assert grow_on(column(1, 2, 3), [0, 1, 0]).left.points == {0}


def test_equal_gains_of_columns_are_decided_by_the_hash() -> None:
    X = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
    for key in range(20):
        winner = max(range(3), key=lambda j: draws.column_hash(key, j))
        assert grow_on(X, [0, 1], key=key).column == winner


def test_copies_of_a_point_count_as_one_point_for_the_limits() -> None:
    table = Table(column(1, 2, 3), [False])
    copies = [Copy(0, 0.0), Copy(0, 0.0), Copy(0, 0.0), Copy(1, 5.0), Copy(2, 6.0)]
    assert isinstance(grow(table, copies, key=0, rules=Rules(1, min_samples_split=4)), Leaf)
    assert isinstance(grow(table, copies, key=0, rules=Rules(1, min_samples_leaf=2)), Leaf)


def test_copies_with_several_targets_weigh_like_their_mean() -> None:
    rng = np.random.default_rng(5)
    table = Table(rng.normal(size=(30, 3)), [False] * 3)
    copies = [Copy(j, float(rng.normal())) for j in rng.integers(0, 30, 60)]
    together = []
    for j in {copy.point for copy in copies}:
        targets = [copy.target for copy in copies if copy.point == j]
        together.append(Copy(j, float(np.mean(targets)), float(len(targets))))
    one, other = (grow(table, sample, key=3, rules=Rules(2)) for sample in (copies, together))
    for row in rng.normal(size=(200, 3)):
        assert leaf_of(table, one, row).value == pytest.approx(leaf_of(table, other, row).value, rel=1e-12)


def test_weights_weigh_targets_and_costs_of_a_leaf() -> None:
    table = Table(column(1, 1), [False])
    leaf = grow(table, [Copy(0, 1.0, 3.0, 10.0), Copy(1, 5.0, 1.0, 20.0)], key=0, rules=Rules(1))
    assert (leaf.value, leaf.cost) == (2.0, 12.5)


@pytest.mark.parametrize("seed", range(8))
def test_partitions_equal_those_of_scikit_learn_with_all_columns(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y, weights = rng.normal(size=(80, 3)), rng.normal(size=80), rng.integers(1, 4, 80).astype(float)
    split, leaf = int(rng.integers(2, 12)), int(rng.integers(1, 6))
    peer = DecisionTreeRegressor(
        max_features=1.0, min_samples_split=split, min_samples_leaf=leaf, random_state=0
    )
    peer.fit(X, y, sample_weight=weights)
    table = Table(X, [False] * 3)
    copies = [Copy(i, float(y[i]), float(weights[i])) for i in range(80)]
    tree = grow(table, copies, key=seed, rules=Rules(3, split, leaf))
    ours = [leaf_of(table, tree, row) for row in X]
    np.testing.assert_allclose([leaf.value for leaf in ours], peer.predict(X), rtol=1e-12)
    assert len({leaf.points for leaf in ours}) == peer.get_n_leaves()
