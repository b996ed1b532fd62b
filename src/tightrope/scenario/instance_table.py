"""Tables with one row per instance: features, expected answers and specifics."""

import csv
import os
import re
import warnings
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
    """One row of a table: the name of an instance, and the other cells."""

    name: Piece
    cells: tuple[Piece, ...]


def read_features(
    source: Source, instances: Sequence[str], *, needed: Iterable[str]
) -> dict[str, tuple[float, ...]]:
    """Read features from a CSV table with a header. The first column has the names of the instances.

    Parameters
    ----------
    source : Source
        The text of the table, with commas between columns.
    instances : sequence of str
        All training and test instances.
    needed : iterable of str
        The instances that must have features.
    """
    header, *rows = read_rows(source)
    if not header.cells:
        raise header.name.error(
            "the table has no features", key="features", hint="separate columns with commas"
        )
    faults = Faults()
    for row in rows:
        with faults.collecting():
            if len(row.cells) != len(header.cells):
                raise row.name.error(
                    f"expected {len(header.cells)} features as in the header, found {len(row.cells)}",
                    key="features",
                    hint="give each row as many columns as the header",
                )
            for cell in row.cells:
                _number(cell)
    faults.raise_if_any()
    return features_of(rows, instances, needed=needed, where=header.name)


def features_of(
    rows: Sequence[Row], instances: Sequence[str], *, needed: Iterable[str], where: Piece
) -> dict[str, tuple[float, ...]]:
    """Return the features of each instance that has a row. Errors about missing rows point to `where`."""
    found = match_rows(rows, instances, key="features")
    missing = [name for name in needed if name not in found]
    if missing:
        more = f" and {len(missing) - _MAX_NAMED} more" if len(missing) > _MAX_NAMED else ""
        raise where.error(
            f"no features for {', '.join(repr(name) for name in missing[:_MAX_NAMED])}{more}",
            key="features",
            hint="the first column must be the path, the file name, or the file name without extension",
        )
    return {name: tuple(_number(cell) for cell in found[name].cells) for name in instances if name in found}


def read_rows(source: Source) -> list[Row]:
    """Split a CSV table into rows; there is at least one, the header."""
    rows = []
    for number, line in enumerate(source.lines, start=1):
        if line.strip():
            cells = _cells(Piece(line, source, number, 1))
            rows.append(Row(cells[0], tuple(cells[1:])))
    if not rows:
        raise Piece("", source, 1, 1).error("the table is empty", hint="add a header and rows")
    return rows


def match_rows(rows: Sequence[Row], instances: Sequence[str], *, key: str) -> dict[str, Row]:
    """Return the row of each instance that has one.

    Names are compared as they are, then as normalised paths, then by file name, then by file name without
    extension; the first match counts. An ambiguous match is an error. A row that repeats another one
    is left out with a warning.
    """
    rows = _without_repeats(rows)
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


def _without_repeats(rows: Sequence[Row]) -> list[Row]:
    """Return the rows without those that are equal to an earlier one; warn of these."""
    first: dict[tuple[str, ...], Row] = {}
    repeats = []
    for row in rows:
        if first.setdefault((row.name.text, *(cell.text for cell in row.cells)), row) is not row:
            repeats.append(row)
    if repeats:
        name, more = repeats[0].name, f" and {len(repeats) - 1} more" * (len(repeats) > 1)
        warnings.warn(
            f"{name.source.file}:{name.line}: the row of {name.text!r}{more} repeats an earlier one",
            stacklevel=2,
        )
    return list(first.values())


def _ambiguity(rows: Sequence[Row], names: Sequence[str], key: str) -> Exception:
    if len(rows) > 1:
        problem = f"more than one row for the instance {names[0]!r}: also line {rows[0].name.line}"
    else:
        problem = f"this row matches both {names[0]!r} and {names[1]!r}"
    return rows[-1].name.error(problem, key=key, hint="use the same names as the scenario")


_ALIASES: tuple[Callable[[str], str], ...] = (
    lambda name: name,
    os.path.normpath,
    lambda name: PurePath(name).name,
    lambda name: PurePath(name).name.partition(".")[0],
)


def _cells(line: Piece) -> list[Piece]:
    """Split a line at commas outside quotes. With quotes, every cell has the position of the line."""
    if '"' not in line.text:
        return [line.cut(*found.span()).strip() for found in _CELL.finditer(line.text)]
    try:
        texts = next(csv.reader([line.text], skipinitialspace=True, strict=True))
    except (csv.Error, StopIteration) as error:
        raise line.error(f"invalid CSV: {error}", hint="check the quotes") from None
    return [Piece(text.strip(), line.source, line.line, line.column) for text in texts]


def _number(cell: Piece) -> float:
    if cell.text.lower() in _MISSING:
        return nan
    if not is_number(cell.text) or abs(float(cell.text)) == inf:
        raise cell.error(
            f"{cell.text!r} is not a number",
            key="features",
            hint="leave the cell empty if the value is missing",
        )
    return float(cell.text)
