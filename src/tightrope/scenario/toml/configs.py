"""Reader of the configs in a scenario: the default, the candidates and the initial ones."""

from typing import Any

import numpy as np

from tightrope.errors import SpaceError
from tightrope.scenario.rules.parameters import level_text, read_value
from tightrope.scenario.text.faults import Faults
from tightrope.scenario.text.source import Piece
from tightrope.scenario.toml.entry import Entry, refuse_unknown
from tightrope.space import Space


def read_config(entry: Entry, space: Space) -> dict[str, Any]:
    """Return the config in a table. Omitted parameters get their defaults; inactive ones are removed."""
    fields, faults = entry.table("a table of values"), Faults()
    row = np.full((1, len(space)), np.nan)
    with faults.collecting():
        refuse_unknown(fields, space.names, what="parameter")
    for name, value in fields.items():
        with faults.collecting():
            if name in space.names:
                position = space.columns.position[name]
                parameter = space.configspace[name]
                row[0, position] = space.columns.each[position].code(read_value(parameter, _piece(value)))
    faults.raise_if_any()
    config = space.decode(space.activate(row)[0])
    try:
        space.encode(config)
    except SpaceError as error:
        raise entry.error(error.problem, hint=error.hint) from None
    return dict(config)


def _piece(entry: Entry) -> Piece:
    value = entry.value
    if not isinstance(value, bool | int | float | str):
        entry.refuse("a value")
    return Piece(level_text(value), entry.where.source, entry.where.line, entry.where.column)
