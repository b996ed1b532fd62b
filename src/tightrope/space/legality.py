"""Legal rows, and error messages for illegal ones."""

from collections.abc import Sequence

import numpy as np

from tightrope.errors import SpaceError
from tightrope.space.columns import Columns
from tightrope.space.conditions import Activity
from tightrope.space.forbidden import Clause, is_forbidden
from tightrope.space.predicates import holds
from tightrope.space.scale import Floats, Mask

_MAX_NAMES_SHOWN = 8


def find_legal(columns: Columns, activity: Activity, clauses: tuple[Clause, ...], *, rows: Floats) -> Mask:
    """Return which rows have values in range exactly where they are active, and violate no clause."""
    given = ~np.isnan(rows)
    legal: Mask = np.all(columns.scale.is_inside(rows) | ~given, axis=1)
    legal &= np.all(activity.is_active(rows) == given, axis=1)
    legal[legal] = ~is_forbidden(clauses, rows[legal])
    return legal


def refuse_illegal(
    columns: Columns, activity: Activity, clauses: tuple[Clause, ...], *, rows: Floats
) -> None:
    """Raise an error that explains the first illegal row, if there is one."""
    illegal = np.flatnonzero(~find_legal(columns, activity, clauses, rows=rows))
    if illegal.size == 0:
        return
    row = rows[illegal[:1]]
    active, given = activity.is_active(row)[0], ~np.isnan(row[0])
    names = np.array([column.name for column in columns.each], dtype=object)
    if (active & ~given).any():
        raise SpaceError(
            f"no value for {listed(names[active & ~given])}",
            hint="give every active parameter a value, or change a copy of the default",
        )
    if (given & ~active).any():
        raise SpaceError(
            f"{listed(names[given & ~active])} must not have a value: other values make it inactive",
            hint="leave inactive parameters out",
        )
    violated = next(clause.text for clause in clauses if holds(clause.predicate, row)[0])
    raise SpaceError(
        f"the space forbids this config ({violated})", hint="change one of the values that the clause names"
    )


def listed(names: Sequence[str]) -> str:
    """Return the first few names, for a message."""
    shown = ", ".join(repr(name) for name in names[:_MAX_NAMES_SHOWN])
    more = len(names) - _MAX_NAMES_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
