"""A regression tree by brute force.

Symbols
-------
copy     one entry of a tree's bootstrap sample: its point, target, weight and cost
w, t     a copy's weight and target as whole numbers (see `whole_numbers`)
W, S     sums of w and of w * t over the copies of a node; L and R mark its left and right part
group    the copies that share a value (ordered column) or a level (categorical column)
cut      number of groups, in their order, that go left

Sums are exact: each float64 is a whole multiple of a power of two, so weights and targets become whole
numbers of one common unit, and a gain is rounded only once, at the end.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from reference import draws

# Gains whose relative difference is smaller count as equal.
TIE = 1e-10


@dataclass(frozen=True)
class Copy:
    point: int
    target: float
    weight: float = 1.0
    cost: float = math.nan


@dataclass(frozen=True)
class Leaf:
    value: float
    cost: float
    points: frozenset[int]


@dataclass(frozen=True)
class Split:
    column: int
    threshold: float | None  # None: the column is categorical
    levels_left: frozenset[int]  # codes, absent and unseen levels among them; empty: the column is ordered
    gain: float
    points: frozenset[int]
    left: "Split | Leaf"
    right: "Split | Leaf"


Node = Split | Leaf


@dataclass(frozen=True)
class Rules:
    """Limits of growth."""

    drawn_columns: int
    min_samples_split: int = 2
    min_samples_leaf: int = 1


class Table:
    """The rows of X; knows which columns are categorical and the codes of their levels."""

    def __init__(self, X: NDArray[np.float64], categorical: Sequence[bool]) -> None:
        self.values = [[_readable(x) for x in column] for column in X.T]
        self.categorical = list(categorical)
        self.levels = [sorted(set(column)) for column in self.values]
        self._codes = [{level: code for code, level in enumerate(levels)} for levels in self.levels]

    @property
    def n_columns(self) -> int:
        return len(self.values)

    def code(self, column: int, x: float) -> int:
        """Return a level's place among the sorted levels; one that is not in the table comes after all."""
        return self._codes[column].get(_readable(x), len(self.levels[column]))


def grow(table: Table, copies: Sequence[Copy], *, key: int, rules: Rules) -> Node:
    """Grow the tree with this root key from these copies."""
    w, weight_scale = whole_numbers([copy.weight for copy in copies])
    t, target_scale = whole_numbers([copy.target for copy in copies])
    entries = [_Entry(copy.point, w[i], t[i], copy.cost) for i, copy in enumerate(copies)]
    return _Grower(table, rules, weight_scale, target_scale).grow(entries, key)


def leaf_of(table: Table, node: Node, row: Sequence[float]) -> Leaf:
    """Walk a row of X down to its leaf."""
    while isinstance(node, Split):
        x = float(row[node.column])
        if node.threshold is None:
            goes_left = table.code(node.column, x) in node.levels_left
        else:
            goes_left = not x > node.threshold  # so NaN goes left
        node = node.left if goes_left else node.right
    return node


def gain_of_columns(node: Node, n_columns: int) -> list[float]:
    """Sum the gains of the tree's splits for each column."""
    if isinstance(node, Leaf):
        return [0.0] * n_columns
    left, right = gain_of_columns(node.left, n_columns), gain_of_columns(node.right, n_columns)
    gains = [a + b for a, b in zip(left, right, strict=True)]
    gains[node.column] += node.gain
    return gains


def whole_numbers(values: Sequence[float]) -> tuple[list[int], int]:
    """Return whole numbers and a scale such that value = number / scale, exactly."""
    ratios = [float(value).as_integer_ratio() for value in values]
    scale = max(denominator for _, denominator in ratios)  # powers of two: a multiple of all
    return [numerator * (scale // denominator) for numerator, denominator in ratios], scale


def _readable(x: float) -> float:
    """Let NaN be minus infinity, which no column holds: equal to itself and below every number."""
    return -math.inf if math.isnan(x) else float(x)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A copy, in whole numbers."""

    point: int
    w: int
    t: int
    cost: float


@dataclass(frozen=True)
class _Cut:
    column: int
    left: list[list[_Entry]]
    right: list[list[_Entry]]
    gain: float


def _joined(groups: list[list[_Entry]]) -> list[_Entry]:
    return list(chain.from_iterable(groups))


def _points(entries: Sequence[_Entry]) -> frozenset[int]:
    return frozenset(entry.point for entry in entries)


def _sums(entries: Sequence[_Entry]) -> tuple[int, int]:
    return sum(entry.w for entry in entries), sum(entry.w * entry.t for entry in entries)


@dataclass(frozen=True)
class _Grower:
    table: Table
    rules: Rules
    weight_scale: int
    target_scale: int

    def grow(self, entries: list[_Entry], key: int) -> Node:
        cut = self._choose_cut(entries, key)
        if cut is None:
            return self._leaf(entries)
        categorical = self.table.categorical[cut.column]
        return Split(
            column=cut.column,
            threshold=None if categorical else self._threshold(cut, key),
            levels_left=self._levels_left(cut, key) if categorical else frozenset(),
            gain=cut.gain,
            points=_points(entries),
            left=self.grow(_joined(cut.left), draws.left_key(key)),
            right=self.grow(_joined(cut.right), draws.right_key(key)),
        )

    def _leaf(self, entries: list[_Entry]) -> Leaf:
        W, S = _sums(entries)
        cost = math.fsum(entry.w * entry.cost for entry in entries) / W
        return Leaf(S / (W * self.target_scale), cost, _points(entries))

    def _choose_cut(self, entries: list[_Entry], key: int) -> _Cut | None:
        """Find the best cut of the drawn columns, or of the others if those have none; None makes a leaf."""
        if len(_points(entries)) < max(self.rules.min_samples_split, 2 * self.rules.min_samples_leaf):
            return None
        if len({entry.t for entry in entries}) == 1:
            return None
        drawn = draws.drawn_columns(key, self.table.n_columns, self.rules.drawn_columns)
        for columns in (drawn, set(range(self.table.n_columns)) - drawn):
            cuts = [cut for column in columns if (cut := self._best_cut(entries, column)) is not None]
            if cuts:
                largest = max(cut.gain for cut in cuts)
                equal = [cut for cut in cuts if cut.gain >= largest * (1 - TIE)]
                return max(equal, key=lambda cut: draws.column_hash(key, cut.column))
        return None

    def _best_cut(self, entries: list[_Entry], column: int) -> _Cut | None:
        """Try every cut of a column that leaves enough points on each side."""
        groups = self._groups(entries, column)
        gains = self._gains(groups)
        if not gains:
            return None
        largest = max(gains.values())
        cut = min(cut for cut, gain in gains.items() if gain >= largest * (1 - TIE))
        return _Cut(column, groups[:cut], groups[cut:], gains[cut])

    def _groups(self, entries: list[_Entry], column: int) -> list[list[_Entry]]:
        """Group by value in ascending order, or by level in the order of (mean target, code)."""
        members: dict[float, list[_Entry]] = defaultdict(list)
        for entry in entries:
            members[self.table.values[column][entry.point]].append(entry)
        groups = [members[value] for value in sorted(members)]
        if self.table.categorical[column]:

            def mean_target(group: list[_Entry]) -> Fraction:
                W, S = _sums(group)
                return Fraction(S, W)

            groups.sort(key=mean_target)  # stable: levels of equal means stay in the order of their codes
        return groups

    def _gains(self, groups: list[list[_Entry]]) -> dict[int, float]:
        """For each allowed cut: its reduction of the squared error, WL WR / W (SL/WL - SR/WR)^2."""
        W, S = _sums(_joined(groups))
        n_points = len(_points(_joined(groups)))
        WL = SL = n_left = 0
        gains = {}
        for cut, group in enumerate(groups[:-1], start=1):
            w, s = _sums(group)
            WL, SL, n_left = WL + w, SL + s, n_left + len(_points(group))
            if min(n_left, n_points - n_left) >= self.rules.min_samples_leaf:
                WR, SR = W - WL, S - SL
                scale = self.weight_scale * self.target_scale**2
                gains[cut] = (SL * WR - SR * WL) ** 2 / (W * WL * WR * scale)
        return gains

    def _threshold(self, cut: _Cut, key: int) -> float:
        a = self.table.values[cut.column][cut.left[-1][0].point]
        b = self.table.values[cut.column][cut.right[0][0].point]
        if a == -math.inf:  # NaN
            return -math.inf
        threshold = a + draws.position_in_gap(key) * (b - a)
        return a if threshold >= b else threshold

    def _levels_left(self, cut: _Cut, key: int) -> frozenset[int]:
        values = self.table.values[cut.column]
        left = {self.table.code(cut.column, values[group[0].point]) for group in cut.left}
        right = {self.table.code(cut.column, values[group[0].point]) for group in cut.right}
        absent = set(range(len(self.table.levels[cut.column]) + 1)) - left - right
        return frozenset(left | {code for code in absent if draws.absent_level_goes_left(key, code)})
