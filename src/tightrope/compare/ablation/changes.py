"""Changes: what leads from one config to another, in parts that can be made one by one."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.records import Config
from tightrope.space import Space

Floats = NDArray[np.float64]

Chosen = frozenset[int]  # numbers of changes


@dataclass(frozen=True, slots=True)
class Change:
    """A parameter, and its value before and after; None where it is inactive."""

    name: str
    before: Any
    after: Any


class Changes:
    """The changes from one config to another, numbered from 0.

    A change is a set of columns that only make sense together: a column that one of the two configs uses and
    the other does not changes together with the parents that switch it.

    Parameters
    ----------
    space : Space
        The parameters.
    default, best : Config
        The two configs.

    Examples
    --------
    >>> space = Space.of({"x": (0, 9), "y": (0, 9), "z": (0, 9)})
    >>> changes = Changes(space, Config({"x": 1, "y": 1, "z": 1}), Config({"x": 1, "y": 2, "z": 3}))
    >>> len(changes), changes.config({1})
    (2, Config({'x': 1, 'y': 1, 'z': 3}))
    """

    def __init__(self, space: Space, default: Config, best: Config) -> None:
        self._space = space
        self.default, self.best = default, best
        self._before, self._after = space.encode([default, best])
        self._parts = list(_parts(space, self._before, self._after))
        # A parameter that neither config uses may become active between them.
        self._filled = np.where(np.isnan(self._before), space.columns.defaults, self._before)

    def __len__(self) -> int:
        return len(self._parts)

    @property
    def all(self) -> Chosen:
        """The numbers of all changes."""
        return frozenset(range(len(self._parts)))

    def row(self, chosen: Iterable[int]) -> Floats:
        """Return the row of the default with these changes; a clause may forbid it."""
        row = self._filled.copy()
        for number in chosen:
            part = self._parts[number]
            row[part] = np.where(np.isnan(self._after[part]), row[part], self._after[part])
        activated: Floats = self._space.activate(row[np.newaxis])[0]
        return activated

    def config(self, chosen: Iterable[int]) -> Config | None:
        """Return the default with these changes; None if a clause forbids it."""
        row = self.row(chosen)
        return self._space.decode(row) if self._space.is_legal(row[np.newaxis])[0] else None

    def describe(self, numbers: Iterable[int]) -> tuple[Change, ...]:
        """Return the parameters of some changes."""
        columns = sorted(column for number in numbers for column in self._parts[number])
        names = [self._space.names[column] for column in columns]
        return tuple(Change(name, self.default.get(name), self.best.get(name)) for name in names)


def _parts(space: Space, before: Floats, after: Floats) -> Iterator[list[int]]:
    """Yield the columns of each change: a switched column is in the part of the parents that changed."""
    is_on, will_be_on = ~np.isnan(before), ~np.isnan(after)
    changed = np.flatnonzero((is_on != will_be_on) | (is_on & will_be_on & (before != after))).tolist()
    parts = {column: {column} for column in changed}
    for column in changed:
        if is_on[column] != will_be_on[column]:
            for parent in space.parents(column) & parts.keys():
                joined = parts[column] | parts[parent]
                parts.update(dict.fromkeys(joined, joined))
    seen: set[int] = set()
    for column in changed:
        if column not in seen:
            seen |= parts[column]
            yield sorted(parts[column])
