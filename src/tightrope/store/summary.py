"""Runs added up, for each config or for each task."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, overload

import numpy as np

from tightrope.records import Status
from tightrope.store.columns import CODES, Columns, Floats, Ints
from tightrope.store.frame import pandas

_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True, eq=False)
class Summary(Generic[_Key]):
    """One element for each config, or task, that was run, in the order of first appearance in the journal.

    Attributes
    ----------
    keys : sequence of Config or Task
        What the numbers are about.
    n_runs, n_done, n_capped, n_failed, n_lost : array of int
        How many runs there were, and how they ended.
    mean_cost : array of float
        Mean cost of the runs that finished; NaN if none did.
    at_least : array of float
        Lower bound of the mean cost of the runs that finished or were capped: the mean with each capped run
        at its bound. NaN if there is none.
    largest_bound : array of float
        Largest bound of a capped run; NaN if there is none.
    spent : array of float
        What all runs were charged.
    """

    keys: Sequence[_Key]
    n_runs: Ints
    n_done: Ints
    n_capped: Ints
    n_failed: Ints
    n_lost: Ints
    mean_cost: Floats
    at_least: Floats
    largest_bound: Floats
    spent: Floats

    def __len__(self) -> int:
        return len(self.keys)

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each key."""
        names = [name for name in self.__slots__ if name != "keys"]
        keys = np.empty(len(self.keys), dtype=object)
        for i, key in enumerate(self.keys):
            keys[i] = key
        return pandas().DataFrame({"key": keys, **{name: getattr(self, name) for name in names}})


def summarize(columns: Columns, group: Ints, keys: Sequence[_Key]) -> Summary[_Key]:
    """Add up the runs of each group; `group` holds each run's index into `keys`."""
    n_all = np.bincount(group, minlength=len(keys))
    (used,) = np.nonzero(n_all)

    def total(weights: Floats) -> Floats:
        sums = np.bincount(group, weights=weights, minlength=len(keys))
        return np.asarray(sums[used], dtype=np.float64)

    counts = {
        status: total((columns.status == code).astype(float)).astype(np.int64)
        for status, code in CODES.items()
    }
    done = columns.status == CODES[Status.DONE]
    capped = columns.status == CODES[Status.CAPPED]
    n_done, n_capped = counts[Status.DONE], counts[Status.CAPPED]
    known = total(np.where(done, columns.cost, 0.0))
    bounds = total(np.where(capped, columns.cost, 0.0))
    largest = np.full(len(keys), -np.inf)
    np.maximum.at(largest, group[capped], columns.cost[capped])
    return Summary(
        keys=_Picked(keys, used.tolist()),
        n_runs=n_all[used],
        n_done=n_done,
        n_capped=n_capped,
        n_failed=counts[Status.FAILED],
        n_lost=counts[Status.LOST],
        mean_cost=_ratio(known, n_done),
        at_least=_ratio(known + bounds, n_done + n_capped),
        largest_bound=np.where(n_capped > 0, largest[used], np.nan),
        spent=total(columns.spent),
    )


class _Picked(Sequence[_Key]):
    """Some elements of a sequence, fetched when they are asked for."""

    def __init__(self, keys: Sequence[_Key], places: list[int]) -> None:
        self._keys = keys
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> _Key: ...
    @overload
    def __getitem__(self, index: slice) -> list[_Key]: ...
    def __getitem__(self, index: int | slice) -> _Key | list[_Key]:
        if isinstance(index, slice):
            return [self._keys[place] for place in self._places[index]]
        return self._keys[self._places[index]]


def _ratio(total: Floats, n: Ints) -> Floats:
    ratio: Floats = np.divide(total, n, out=np.full(total.shape, np.nan), where=n > 0)
    return ratio
