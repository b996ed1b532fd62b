"""Reader of PCS files, in both dialects."""

import re
from pathlib import Path

from ConfigSpace import ConfigurationSpace

from tightrope.scenario.pcs.parameter import read_parameter
from tightrope.scenario.pcs.rule import NAME, read_rule
from tightrope.scenario.rules.builder import SpaceBuilder
from tightrope.scenario.rules.rule import all_of
from tightrope.scenario.text.source import Piece, Source

_HEADING = re.compile(r"(parameters|conditionals?|conditions?|forbiddens?)\s*:?", re.IGNORECASE)
_CONDITION = re.compile(r"[^{\[|]*\|")


def read_pcs(path: str | Path) -> ConfigurationSpace:
    """Read a space from a PCS file.

    The two dialects may be mixed, and lines may be in any order. Choices are the strings of the file. If a
    parameter has several conditions, all must hold.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    ConfigurationSpace
        The space.

    Raises
    ------
    ScenarioError
        If the file cannot be read or is invalid. The error lists all faults, with lines and columns.
    """
    return _read(Source.of_file(path))


def parse_pcs(text: str, *, file: str = "text") -> ConfigurationSpace:
    """Read a space from the content of a PCS file.

    Parameters
    ----------
    text : str
        The content of the file.
    file : str, default "text"
        The file name to show in errors.

    Returns
    -------
    ConfigurationSpace
        The space.

    Raises
    ------
    ScenarioError
        If the text is invalid. The error lists all faults, with lines and columns.

    Examples
    --------
    >>> space = parse_pcs('''
    ... restarts {luby, fixed}[luby]    # the old dialect
    ... interval integer [1, 1000] [100] log
    ... interval | restarts in {fixed}
    ... ''')
    >>> dict(space.get_default_configuration())
    {'restarts': 'luby'}
    """
    return _read(Source.of_text(text, file=file))


def _read(source: Source) -> ConfigurationSpace:
    builder = SpaceBuilder(source, default_hint="change the default of one of these parameters")
    for piece in source.pieces():
        with builder.collecting():
            _read_line(piece, builder)
    return builder.build()


def _read_line(piece: Piece, builder: SpaceBuilder) -> None:
    if not piece.text or _HEADING.fullmatch(piece.text):
        return
    if piece.text.startswith("{"):
        _read_forbidden(piece, builder)
    elif _CONDITION.match(piece.text):
        _read_condition(piece, builder)
    else:
        name, rest = _take_name(piece)
        builder.declare(name)
        piece.refuse_invisible()
        builder.parameters[name.text] = read_parameter(name, rest)


def _read_condition(piece: Piece, builder: SpaceBuilder) -> None:
    piece.refuse_invisible()
    child, rest = _take_name(piece)
    if not rest.text.startswith("|"):
        raise rest.error(
            "expected one name before '|'", key=child.text, hint="write child | parent in {a, b}"
        )
    builder.add_condition(child, read_rule(rest.cut(1).strip()))


def _read_forbidden(piece: Piece, builder: SpaceBuilder) -> None:
    piece.refuse_invisible()
    if not piece.text.endswith("}"):
        raise piece.error("'{' is not closed", hint="write forbidden combinations like {a = 1, b = 2}")
    parts = piece.cut(1, -1).split(",")
    builder.forbidden.append((piece, all_of([read_rule(part) for part in parts])))


def _take_name(piece: Piece) -> tuple[Piece, Piece]:
    found = NAME.match(piece.text)
    if not found:
        raise piece.error("expected the name of a parameter", hint="start comments with #")
    return piece.cut(0, found.end()), piece.cut(found.end()).strip()
