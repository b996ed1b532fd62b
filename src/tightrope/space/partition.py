"""Partition of a space: its columns in cells, to integrate functions of configs that are constant on them.

Configs are drawn uniformly on each parameter's scale, one parameter independently of the others; conditions
then make some inactive. Forbidden clauses, and other distributions of the space, are ignored.

| symbol | meaning |
| --- | --- |
| cell | values that are not distinguished; of an ordered column those in (cuts[i-1], cuts[i]] |
| class | neighbouring cells of a column that the conditions of other columns do not distinguish |
| parents | of a column: all columns that decide whether it is active, directly or by making others inactive |
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import SpaceError
from tightrope.space.columns import Columns
from tightrope.space.conditions import Activity
from tightrope.space.predicates import AllOf, AnyOf, Compares, IsOneOf, Predicate, columns_of
from tightrope.space.scale import Floats, Scale

Indices = NDArray[np.uint32]

_MOST_CASES = 1_000_000  # of the classes of a column's parents


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The cells of one column, in the numbers of `Space.for_model`."""

    categorical: bool
    cuts: Floats  # upper ends of all cells but the last; categorical: the level in each cell
    below: Floats  # probability of the cells before each, and 1
    classes: Indices  # first cell of each class, and the number of cells
    parents: Indices
    active: NDArray[np.uint8]  # for each combination of the parents' classes, that of the last one fastest
    home: int  # the cell of a given config


def partition(
    columns: Columns, activity: Activity, thresholds: Sequence[Floats], *, home: Floats
) -> list[Cells]:
    """Divide each column at the thresholds, which are ascending, and where conditions change.

    `home` is a row with a value for every column, whether active or not.
    """
    parents = _all_parents(columns, activity)
    marks = _marks(activity)
    found = []
    for j, cuts in enumerate(thresholds):
        scale = columns.scale.take(np.array([j]))
        known = np.array(sorted(marks.get(j, ())))
        own = _Column(scale, categorical=bool(columns.categorical[j]), marks=known)
        cells, classes = own.cells(cuts)
        at = own.model(home[[j]])[0]
        found.append(
            Cells(
                categorical=own.categorical,
                cuts=cells,
                below=own.below(cells),
                classes=classes.astype(np.uint32),
                parents=np.array(parents[j], dtype=np.uint32),
                active=_cases(columns, activity, marks, parents[j], child=j),
                home=int(home[j]) if own.categorical else int(np.searchsorted(cells, at)),
            )
        )
    return found


@dataclass(frozen=True, slots=True)
class _Column:
    """One column; `marks` are the values that conditions of other columns mention."""

    scale: Scale
    categorical: bool
    marks: Floats

    def model(self, values: Floats) -> Floats:
        """Return values as `Space.for_model` does."""
        return values if self.categorical else self.scale.normalize(values[:, np.newaxis])[:, 0]

    def cells(self, thresholds: Floats) -> tuple[Floats, NDArray[np.intp]]:
        """Return the cuts, and the first cell of each class."""
        if self.categorical:
            n = int(self.scale.upper[0]) + 1
            return np.arange(n, dtype=np.float64), np.arange(n + 1) if self.marks.size else np.array([0, n])
        marked = self.model(self.marks)
        ends = np.column_stack([np.nextafter(marked, -np.inf), marked]).ravel()
        cuts = np.union1d(thresholds, ends)
        return cuts, np.concatenate([[0], np.searchsorted(cuts, ends) + 1, [len(cuts) + 1]])

    def below(self, cuts: Floats) -> Floats:
        """Return the probability of the cells before each one, and 1."""
        if self.categorical:
            return np.linspace(0.0, 1.0, len(cuts) + 1)
        shares = self._whole(cuts) if self.scale.is_whole[0] else np.clip(cuts, 0.0, 1.0)
        if self.scale.lower[0] == self.scale.upper[0]:
            shares = (cuts >= 0.0).astype(np.float64)
        return np.concatenate([[0.0], np.maximum.accumulate(shares), [1.0]])

    def _whole(self, cuts: Floats) -> Floats:
        """Return the share of whole numbers up to each cut."""
        lower, upper, log = self.scale.lower[0], self.scale.upper[0], self.scale.is_log[0]
        inside = np.clip(cuts, -1.0, 2.0)  # of infinities
        guess = (
            np.exp(np.log(lower) + inside * np.log(upper / lower))
            if log
            else lower + inside * (upper - lower)
        )
        last = np.clip(np.floor(guess), lower - 1, upper)
        last += (last < upper) & (self.model(np.minimum(last + 1, upper)) <= cuts)  # rounding
        last -= (last >= lower) & (self.model(np.maximum(last, lower)) > cuts)
        if not log:
            return np.asarray((last - lower + 1) / (upper - lower + 1))
        # On a log scale each number has ConfigSpace's interval (see `Scale.from_unit`).
        shrink = (upper - lower) / (upper - lower + 1)
        ends = np.log((lower + (last - lower + 1) * shrink) / lower) / np.log(upper / lower)
        return np.asarray(np.clip(ends, 0.0, 1.0))

    def examples(self) -> Floats:
        """Return a value of each class."""
        if self.categorical:
            return np.arange(self.scale.upper[0] + 1.0)
        middles = (self.marks[1:] + self.marks[:-1]) / 2
        between = np.concatenate([[self.marks[0] - 1.0], middles, [self.marks[-1] + 1.0]])
        values = np.repeat(between, 2)[:-1]
        values[1::2] = self.marks
        return values


def _all_parents(columns: Columns, activity: Activity) -> list[list[int]]:
    found: list[set[int]] = [set() for _ in range(len(columns))]
    for step in activity.steps:  # parents come before children
        direct = columns_of(step.predicate)
        for child in step.columns.tolist():
            found[child] = set(direct).union(*(found[parent] for parent in direct))
    return [sorted(each) for each in found]


def _marks(activity: Activity) -> dict[int, set[float]]:
    """Return the values that conditions compare each parent with."""
    marks: dict[int, set[float]] = {}
    for step in activity.steps:
        for column, value in _mentions(step.predicate):
            marks.setdefault(column, set()).add(value)
    return marks


def _mentions(predicate: Predicate) -> Iterator[tuple[int, float]]:
    match predicate:
        case Compares(column, _, value):
            yield column, value
        case IsOneOf(column, values):
            yield from ((column, value) for value in values)
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from _mentions(part)
        case _:
            raise AssertionError("conditions do not relate two parameters")


def _cases(
    columns: Columns, activity: Activity, marks: dict[int, set[float]], parents: list[int], *, child: int
) -> NDArray[np.uint8]:
    """Return for each combination of the parents' classes whether the child is active."""
    if not parents:
        return np.empty(0, dtype=np.uint8)
    examples = []
    for j in parents:
        scale, known = columns.scale.take(np.array([j])), np.array(sorted(marks[j]))
        examples.append(_Column(scale, categorical=bool(columns.categorical[j]), marks=known).examples())
    n_cases = prod(map(len, examples))
    if n_cases > _MOST_CASES:
        name = columns.each[child].name
        raise SpaceError(
            f"whether {name!r} is active depends on {n_cases:,} combinations of other values, too many to "
            "integrate over",
            hint="use fewer or simpler conditions",
        )
    rows = np.tile(columns.defaults, (n_cases, 1))
    rows[:, parents] = list(product(*examples))
    return activity.is_active(rows)[:, child].astype(np.uint8)
