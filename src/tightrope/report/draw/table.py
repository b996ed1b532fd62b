"""Table: the data of one figure, which the page offers as CSV and shows row by row on hover."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

_DIGITS = 6  # significant, of a number


@dataclass(frozen=True, slots=True)
class Table:
    r"""Rows under named columns.

    A column "config" holds numbers of configs; the page adds on hover what that config changes.

    Examples
    --------
    >>> table = Table(("config", "cost"))
    >>> table.add(3, 1 / 3)
    0
    >>> table.csv()
    'config,cost\n3,0.333333\n'
    """

    columns: Sequence[str]
    rows: list[tuple[Any, ...]] = field(default_factory=list)

    def add(self, *cells: Any) -> int:
        """Append a row and return its index."""
        assert len(cells) == len(self.columns), (self.columns, cells)
        self.rows.append(cells)
        return len(self.rows) - 1

    def extend(self, rows: Iterable[Sequence[Any]]) -> range:
        """Append rows and return their indices."""
        first = len(self.rows)
        for row in rows:
            self.add(*row)
        return range(first, len(self.rows))

    def csv(self) -> str:
        """Return the table as CSV."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([_cell(cell) for cell in row] for row in self.rows)
        return text.getvalue()

    @property
    def configs(self) -> set[tuple[str, int]]:
        """All configs in the table, by the name of their tuning ("" without such a column) and number."""
        columns = list(self.columns)
        if "config" not in columns:
            return set()
        place = columns.index("config")
        tuning = columns.index("tuning") if "tuning" in columns else None
        rows = [row for row in self.rows if row[place] != ""]
        return {("" if tuning is None else str(row[tuning]), int(row[place])) for row in rows}


def _cell(cell: Any) -> Any:
    if isinstance(cell, float):
        return f"{cell:.{_DIGITS}g}" if isfinite(cell) else ""
    return cell
