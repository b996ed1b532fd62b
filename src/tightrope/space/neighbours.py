"""The one-exchange neighbourhood: configs that differ from a given one in a single parameter.

| symbol | meaning | shape |
| --- | --- | --- |
| rows | the configs whose neighbours are returned | (k, d) |
| origin, column, value | an exchange: row `origin` gets `value` in `column` | (m,) each |
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from tightrope.space.scale import Floats, Ints, Mask, Scale
from tightrope.space.space import Space

_OVERDRAW = 3  # draws for each value, because those of an integer may coincide


def neighbours(
    space: Space, rows: ArrayLike, rng: np.random.Generator, *, n_draws: int = 4, spread: float = 0.2
) -> tuple[Floats, Ints]:
    """Return all neighbours of the given configs: configs that differ in one parameter.

    An active categorical parameter takes every other choice, an ordinal one the adjacent choices. A number
    takes `n_draws` values from a normal distribution around its own; an integer takes the nearest others
    instead of draws that coincide, and all others if there are at most `n_draws`. Parameters that become
    active get their default, those that become inactive lose their value, and forbidden configs are left
    out. All neighbours of one config are distinct; different configs may share a neighbour.

    Parameters
    ----------
    space : Space
        The space of the configs.
    rows : array of shape (k, d)
        Legal configs.
    rng : numpy.random.Generator
        Source of the draws for numbers.
    n_draws : int, default 4
        Number of values drawn for a numeric parameter.
    spread : float, default 0.2
        Standard deviation of the draws, as a share of the parameter's range on its own scale.

    Returns
    -------
    found : array of shape (m, d)
        The neighbours.
    origin : array of int of shape (m,)
        Index of the row that each is a neighbour of, ascending.

    Examples
    --------
    >>> space = Space.of({"kind": ["a", "b", "c"], "flag": [False, True]})
    >>> found, origin = neighbours(space, space.default()[None, :], np.random.default_rng(0))
    >>> [dict(space.decode(row)) for row in found]
    [{'flag': True, 'kind': 'a'}, {'flag': False, 'kind': 'b'}, {'flag': False, 'kind': 'c'}]
    """
    if n_draws < 1 or not spread > 0.0:
        raise ValueError(f"n_draws and spread must be positive, got {n_draws!r} and {spread!r}")
    rows = space.as_rows(rows)
    exchanges = _all_exchanges(space, rows, rng, n_draws=n_draws, spread=spread)
    found = rows[exchanges.origin]
    found[np.arange(len(found)), exchanges.column] = exchanges.value
    affected = np.flatnonzero(space.is_parent[exchanges.column])
    if affected.size:
        found[affected] = space.activate(found[affected])
    forbidden = space.is_forbidden(found)
    if forbidden.any():
        return found[~forbidden], exchanges.origin[~forbidden]
    return found, exchanges.origin


@dataclass(frozen=True, slots=True, eq=False)
class _Exchanges:
    origin: Ints
    column: Ints
    value: Floats


def _all_exchanges(
    space: Space, rows: Floats, rng: np.random.Generator, *, n_draws: int, spread: float
) -> _Exchanges:
    """Collect the exchanges of all kinds, in the order of their rows and columns."""
    n_values, ordinal = space.n_values, space.columns.ordinal
    listed = (space.categorical | (n_values <= n_draws + 1.0)) & ~ordinal
    active = ~np.isnan(rows)
    parts = [
        _every_other(rows, active & listed, scale=space.columns.scale),
        _adjacent(rows, active & ordinal, n_values=n_values),
        _drawn(
            rows,
            active & ~(listed | ordinal),
            scale=space.columns.scale,
            rng=rng,
            n_draws=n_draws,
            spread=spread,
        ),
    ]
    origin = np.concatenate([part.origin for part in parts])
    column = np.concatenate([part.column for part in parts])
    order = np.lexsort((column, origin))
    value = np.concatenate([part.value for part in parts])
    return _Exchanges(origin[order], column[order], value[order])


def _every_other(rows: Floats, where: Mask, *, scale: Scale) -> _Exchanges:
    origin, column = np.nonzero(where)
    n_others = scale.n_values[column].astype(np.intp) - 1
    pair = np.repeat(np.arange(len(origin)), n_others)
    first = np.cumsum(n_others) - n_others
    shift = np.arange(len(pair)) - first[pair] + 1
    origin, column = origin[pair], column[pair]
    lower = scale.lower[column]
    value = lower + (rows[origin, column] - lower + shift) % scale.n_values[column]
    return _Exchanges(origin, column, value)


def _adjacent(rows: Floats, where: Mask, *, n_values: Floats) -> _Exchanges:
    origin, column = np.nonzero(where)
    value = rows[origin, column] + np.array([[-1.0], [1.0]])
    inside = (value >= 0.0) & (value < n_values[column])
    side, pair = np.nonzero(inside)
    return _Exchanges(origin[pair], column[pair], value[side, pair])


def _drawn(
    rows: Floats, where: Mask, *, scale: Scale, rng: np.random.Generator, n_draws: int, spread: float
) -> _Exchanges:
    """Draw near the current value; an integer takes the nearest others instead of draws that coincide."""
    origin, column = np.nonzero(where)
    own, kind = rows[origin, column], scale.take(column)
    drawn = kind.from_unit(_normal(kind.to_unit(own), spread, n=n_draws * _OVERDRAW, rng=rng))
    steps = np.outer(np.arange(1, n_draws + 1), [1.0, -1.0]).reshape(-1, 1)
    nearest = own + steps * rng.choice([1.0, -1.0], len(own))
    candidates = np.concatenate([drawn, np.where(kind.is_whole, nearest, own)])
    usable = kind.is_inside(candidates) & (candidates != own)
    draw, pair = np.nonzero(_first_distinct(candidates, usable, n=n_draws))
    return _Exchanges(origin[pair], column[pair], candidates[draw, pair])


def _normal(centre: Floats, spread: float, *, n: int, rng: np.random.Generator) -> Floats:
    """Draw n times, shape (n, len(centre)), from normal distributions truncated to [0, 1]."""
    low, high = ndtr(-centre / spread), ndtr((1.0 - centre) / spread)
    draws = centre + spread * ndtri(low + (high - low) * rng.random((n, len(centre))))
    return np.clip(draws, 0.0, 1.0)


def _first_distinct(candidates: Floats, usable: Mask, *, n: int) -> Mask:
    """Mark the first n usable candidates of each column that do not repeat an earlier one."""
    fresh = usable.copy()
    for i in range(1, len(candidates)):
        fresh[i] &= ~np.any(candidates[i] == candidates[:i], axis=0)
    chosen: Mask = fresh & (np.cumsum(fresh, axis=0) <= n)
    return chosen
