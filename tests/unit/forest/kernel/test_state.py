"""A forest's state survives pickling, and a damaged state is refused."""

import struct

import numpy as np
import pytest

from tightrope.forest import _kernel

NODE = struct.Struct("dii")  # number, column, left


@pytest.fixture
def forest() -> _kernel.Forest:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.random(200), rng.permutation(200)])
    return _kernel.grow(
        _kernel.Table(X, np.array([False, True])),
        np.ones((2, 200), dtype=np.uint16),
        rng.random(200),
        np.empty(0, dtype=np.int64),
        np.empty((2, 0)),
        drawn_columns=1,
        min_samples_split=2,
        min_samples_leaf=1,
        seed=1,
        threads=1,
    )


def revive(trees: list, columns: list) -> _kernel.Forest:
    copy = _kernel.Forest.__new__(_kernel.Forest)
    copy.__setstate__((trees, columns))
    return copy


def with_root(nodes: bytes, *, column: int | None = None, left: int | None = None) -> bytes:
    number, old_column, old_left = NODE.unpack_from(nodes)
    root = NODE.pack(number, old_column if column is None else column, old_left if left is None else left)
    return root + nodes[NODE.size :]


def test_an_undamaged_state_is_taken(forest: _kernel.Forest) -> None:
    X = np.random.default_rng(1).random((5, 2))
    assert revive(*forest.__getstate__()).predict(X, 1)[0].tobytes() == forest.predict(X, 1)[0].tobytes()


@pytest.mark.parametrize("left", [0, -1, 10_000_000])
def test_children_that_do_not_come_after_their_parent_are_refused(forest: _kernel.Forest, left: int) -> None:
    (first, second), columns = forest.__getstate__()
    with pytest.raises(ValueError, match="damaged"):
        revive([(with_root(first[0], left=left), *first[1:]), second], columns)


def test_splits_on_columns_that_do_not_exist_are_refused(forest: _kernel.Forest) -> None:
    (first, second), columns = forest.__getstate__()
    with pytest.raises(ValueError, match="damaged"):
        revive([(with_root(first[0], column=7), *first[1:]), second], columns)


@pytest.mark.parametrize("part", range(6))
def test_parts_that_are_cut_short_are_refused(forest: _kernel.Forest, part: int) -> None:
    (first, second), columns = forest.__getstate__()
    assert any(len(tree[3]) for tree in (first, second))  # some split needs a long set of levels
    for tree, other in ((first, second), (second, first)):
        if len(tree[part]) == 0:
            continue
        cut = tuple(value[: len(value) // 2 - 1] if k == part else value for k, value in enumerate(tree))
        with pytest.raises(ValueError, match="damaged"):
            revive([cut, other], columns)
