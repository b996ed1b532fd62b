"""Reading PCS files, the format of ParamILS, SMAC and AClib."""

import re
from pathlib import Path

from ConfigSpace import ConfigurationSpace

from tightrope.scenario.pcs.parameter import read_parameter
from tightrope.scenario.pcs.rule import NAME, read_claim
from tightrope.scenario.rules.builder import Draft
from tightrope.scenario.rules.rule import all_of
from tightrope.scenario.text.source import Piece, Source

_HEADING = re.compile(r"(parameters|conditionals?|conditions?|forbiddens?)\s*:?", re.IGNORECASE)
_CONDITION = re.compile(r"[^{\[|]*\|")


def read_pcs(path: str | Path) -> ConfigurationSpace:
    """Read a space from a PCS file.

    Each line says by itself what it is, so both dialects and any order of the lines are understood. Choices
    stay the strings of the file. Several conditions of one parameter must all hold.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    ConfigurationSpace
        The space that the file describes.

    Raises
    ------
    ScenarioError
        If the file cannot be read or is not sound; it tells all faults, with their lines and columns.
    """
    return _read(Source.of_file(path))


def parse_pcs(text: str, *, file: str = "text") -> ConfigurationSpace:
    """Read a space from the text of a PCS file.

    Parameters
    ----------
    text : str
        What the file holds.
    file : str, default "text"
        How errors call it.

    Returns
    -------
    ConfigurationSpace
        The space that the text describes.

    Raises
    ------
    ScenarioError
        If the text is not sound; it tells all faults, with their lines and columns.

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
    draft = Draft(source, default_hint="change the default of one of these parameters")
    for piece in source.pieces():
        with draft.collecting():
            _read_line(piece, draft)
    return draft.finish()


def _read_line(piece: Piece, draft: Draft) -> None:
    if not piece.text or _HEADING.fullmatch(piece.text):
        return
    if piece.text.startswith("{"):
        _read_forbidden(piece, draft)
    elif _CONDITION.match(piece.text):
        _read_condition(piece, draft)
    else:
        name, rest = _take_name(piece)
        draft.declare(name)
        piece.refuse_invisible()
        draft.parameters[name.text] = read_parameter(name, rest)


def _read_condition(piece: Piece, draft: Draft) -> None:
    piece.refuse_invisible()
    child, rest = _take_name(piece)
    if not rest.text.startswith("|"):
        raise rest.error(
            "expected one name before '|'", key=child.text, hint="write child | parent in {a, b}"
        )
    draft.add_condition(child, read_claim(rest.cut(1).strip()))


def _read_forbidden(piece: Piece, draft: Draft) -> None:
    piece.refuse_invisible()
    if not piece.text.endswith("}"):
        raise piece.error("'{' is not closed", hint="write forbidden combinations like {a = 1, b = 2}")
    parts = piece.cut(1, -1).split(",")
    draft.forbidden.append((piece, all_of([read_claim(part) for part in parts])))


def _take_name(piece: Piece) -> tuple[Piece, Piece]:
    found = NAME.match(piece.text)
    if not found:
        raise piece.error("expected the name of a parameter", hint="put # before a comment")
    return piece.cut(0, found.end()), piece.cut(found.end()).strip()
