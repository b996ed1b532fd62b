"""Tables with one row for each instance: features, and answers that are known."""

import csv
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf, nan
from pathlib import PurePath

from tightrope.scenario.rules.parameters import is_number
from tightrope.scenario.text.faults import Faults
from tightrope.scenario.text.source import Piece, Source

_MISSING = ("", "nan", "na", "?")
_MAX_NAMED = 3
_CELL = re.compile(r"(?:^|(?<=,))[^,]*")


@dataclass(frozen=True, slots=True)
class Row:
    """The name of an instance as a table gives it, and what stands behind it."""

    name: Piece
    cells: tuple[Piece, ...]


def read_features(
    source: Source, instances: Sequence[str], *, needed: Iterable[str]
) -> dict[str, tuple[float, ...]]:
    """Read features from a table with a header, whose first column names the instances.

    Parameters
    ----------
    source : Source
        The text of the table, with commas between its columns.
    instances : sequence of str
        All instances, for training and for testing.
    needed : iterable of str
        Those that must have features.
    """
    header, *rows = read_rows(source)
    if not header.cells:
        raise header.name.error("no features", key="features", hint="put commas between the columns")
    faults = Faults()
    for row in rows:
        with faults.collecting():
            if len(row.cells) != len(header.cells):
                raise row.name.error(
                    f"{len(row.cells)} features, where the header names {len(header.cells)}",
                    key="features",
                    hint="every row needs as many columns as the header",
                )
            for cell in row.cells:
                _number(cell)
    faults.tell()
    return features_of(rows, instances, needed=needed, where=header.name)


def features_of(
    rows: Sequence[Row], instances: Sequence[str], *, needed: Iterable[str], where: Piece
) -> dict[str, tuple[float, ...]]:
    """Return the numbers of each instance that has a row; `where` is blamed for those that need one."""
    found = match(rows, instances, key="features")
    missing = [name for name in needed if name not in found]
    if missing:
        more = f" and {len(missing) - _MAX_NAMED} more" if len(missing) > _MAX_NAMED else ""
        raise where.error(
            f"no features for {', '.join(repr(name) for name in missing[:_MAX_NAMED])}{more}",
            key="features",
            hint="name an instance by its path, its file name, or that without its ending",
        )
    return {name: tuple(_number(cell) for cell in found[name].cells) for name in instances if name in found}


def read_rows(source: Source) -> list[Row]:
    """Cut a table with commas into rows; there is at least one, the header."""
    rows = []
    for number, line in enumerate(source.lines, start=1):
        if line.strip():
            cells = _cells(Piece(line, source, number, 1))
            rows.append(Row(cells[0], tuple(cells[1:])))
    if not rows:
        raise Piece("", source, 1, 1).error("the table is empty", hint="it needs a header and rows")
    return rows


def match(rows: Sequence[Row], instances: Sequence[str], *, key: str) -> dict[str, Row]:
    """Return the row of each instance that has one.

    A name that is the same goes before one with the same file name, and that before one that is the same
    without its ending. What could mean several is an error.
    """
    found: dict[str, Row] = {}
    for alias in _ALIASES:
        by_alias: dict[str, list[Row]] = {}
        used = {id(row) for row in found.values()}
        for row in rows:
            if id(row) not in used:
                by_alias.setdefault(alias(row.name.text), []).append(row)
        waiting: dict[str, list[str]] = {}
        for name in instances:
            if name not in found and alias(name) in by_alias:
                waiting.setdefault(alias(name), []).append(name)
        for text, names in waiting.items():
            same = by_alias[text]
            if len(same) > 1 or len(names) > 1:
                raise _ambiguity(same, names, key)
            found[names[0]] = same[0]
    return found


def _ambiguity(rows: Sequence[Row], names: Sequence[str], key: str) -> Exception:
    if len(rows) > 1:
        problem = f"the instance {names[0]!r} has several rows: also in line {rows[0].name.line}"
    else:
        problem = f"this row may be that of {names[0]!r} or of {names[1]!r}"
    return rows[-1].name.error(problem, key=key, hint="name instances as the scenario does")


_ALIASES: tuple[Callable[[str], str], ...] = (
    lambda name: name,
    os.path.normpath,
    lambda name: PurePath(name).name,
    lambda name: PurePath(name).name.partition(".")[0],
)


def _cells(line: Piece) -> list[Piece]:
    """Cut a line at commas outside quotes; where a cell begins is known if nothing is quoted."""
    if '"' not in line.text:
        return [line.cut(*found.span()).strip() for found in _CELL.finditer(line.text)]
    try:
        texts = next(csv.reader([line.text], skipinitialspace=True, strict=True))
    except (csv.Error, StopIteration) as error:
        raise line.error(f"the line cannot be read: {error}", hint="check its quotes") from None
    return [Piece(text.strip(), line.source, line.line, line.column) for text in texts]


def _number(cell: Piece) -> float:
    if cell.text.lower() in _MISSING:
        return nan
    if not is_number(cell.text) or abs(float(cell.text)) == inf:
        raise cell.error(f"{cell.text!r} is not a number", key="features", hint="leave out what is missing")
    return float(cell.text)
