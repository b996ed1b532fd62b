"""Conversion of configs to rows and back; inactive is NaN, values are native, so decoding is exact."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import numpy as np

from tightrope.errors import SpaceError
from tightrope.records import Config
from tightrope.space.columns import Columns
from tightrope.space.legality import listed
from tightrope.space.scale import Floats


def encode_one(columns: Columns, config: Mapping[str, Any]) -> Floats:
    """Return the row of a config; each value is checked."""
    row = np.full(len(columns), np.nan)
    for name, value in config.items():
        position = columns.position.get(name)
        if position is None:
            raise _unknown_name(columns, name)
        row[position] = columns.each[position].code(value)
    return row


def decode_one(columns: Columns, row: Floats) -> Config:
    """Return the config of a row without inactive parameters (NaN)."""
    wrong = np.flatnonzero(~(columns.scale.is_inside(row) | np.isnan(row)))
    if wrong.size:
        column = columns.each[wrong[0]]
        raise SpaceError(
            "this number encodes no value of the parameter",
            key=column.name,
            value=float(row[wrong[0]]),
            hint=f"use numbers from {column.lower:g} to {column.upper:g}",
        )
    codes = zip(columns.each, row.tolist(), strict=True)
    return Config({column.name: column.value(code) for column, code in codes if code == code})


def _unknown_name(columns: Columns, name: str) -> SpaceError:
    similar = get_close_matches(str(name), columns.position)
    names = similar or list(columns.position)
    hint = f"did you mean {listed(names)}?" if similar else f"the space has {listed(names)}"
    return SpaceError("the space has no such parameter", key=name, hint=hint)
