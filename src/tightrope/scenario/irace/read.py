"""Reading parameter files of irace."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ConfigSpace import ConfigurationSpace
from ConfigSpace.hyperparameters import OrdinalHyperparameter

from tightrope.scenario.irace.expression import read_expression
from tightrope.scenario.irace.parameter import NAME, read_parameter
from tightrope.scenario.rules.builder import Draft
from tightrope.scenario.rules.rule import comparisons
from tightrope.scenario.text.source import Piece, Source

_SECTION = re.compile(r"\[\s*(\w+)\s*\]")
_DIGITS = re.compile(r"digits\s*=\s*[0-9]+")


def read_irace(
    path: str | Path, *, default: Mapping[str, Any] | None = None, forbidden: str | Path | None = None
) -> ConfigurationSpace:
    """Read a space from a parameter file of irace.

    Parameters
    ----------
    path : str or Path
        The file.
    default : mapping or None, default None
        The default config, which such files do not hold. What it leaves out starts at its first choice, or
        in the middle of its range.
    forbidden : str, Path or None, default None
        A file of forbidden combinations, one a line, if they are not in the file itself.

    Returns
    -------
    ConfigurationSpace
        The space; the switch of each parameter is in its `meta`.

    Raises
    ------
    ScenarioError
        If a file cannot be read or is not sound; it tells all faults, with their lines and columns.
    """
    more = None if forbidden is None else Source.of_file(forbidden)
    return _read(Source.of_file(path), default or {}, more)


def parse_irace(
    text: str, *, default: Mapping[str, Any] | None = None, file: str = "text"
) -> ConfigurationSpace:
    r"""Read a space from the text of a parameter file of irace.

    Parameters
    ----------
    text : str
        What the file holds.
    default : mapping or None, default None
        The default config, which such files do not hold.
    file : str, default "text"
        How errors call it.

    Returns
    -------
    ConfigurationSpace
        The space; the switch of each parameter is in its `meta`.

    Raises
    ------
    ScenarioError
        If the text is not sound; it tells all faults, with their lines and columns.

    Examples
    --------
    >>> space = parse_irace('''
    ... restarts  "--restarts="  c      (luby, fixed)
    ... interval  "--interval "  i,log  (1, 1000)      | restarts == "fixed"
    ... ''', default={"restarts": "fixed", "interval": 100})
    >>> dict(space.get_default_configuration())
    {'restarts': 'fixed', 'interval': 100}
    >>> space["interval"].meta["switch"]
    '--interval '
    """
    return _read(Source.of_text(text, file=file), default or {}, None)


def _read(source: Source, default: Mapping[str, Any], forbidden: Source | None) -> ConfigurationSpace:
    draft = Draft(source, default_hint="irace files hold no default: pass a default config that is legal")
    defaults = _pieces_of(default)
    section = "parameters"
    for piece in source.pieces():
        with draft.collecting():
            if heading := _SECTION.fullmatch(piece.text):
                section = heading[1]
            elif piece.text:
                _read_line(piece, section, draft, defaults)
    for piece in () if forbidden is None else forbidden.pieces():
        with draft.collecting():
            if piece.text:
                _read_line(piece, "forbidden", draft, defaults)
    for name in defaults.keys() - draft.names.keys():
        with draft.collecting():
            raise defaults[name].error("there is no such parameter", key=name, hint="leave it out")
    _refuse_order_of_choices(draft)
    return draft.finish()


def _read_line(piece: Piece, section: str, draft: Draft, defaults: Mapping[str, Piece]) -> None:
    if section == "parameters":
        _read_parameter(piece, draft, defaults)
    elif section == "forbidden":
        piece.refuse_invisible()
        draft.forbidden.append((piece, read_expression(piece)))
    # The digits to which irace rounds reals mean nothing to us: we do not round them.
    elif not (section == "global" and _DIGITS.fullmatch(piece.text)):
        raise piece.error(
            f"unknown in the section [{section}]", hint="known are [forbidden], and digits = 4 in [global]"
        )


def _read_parameter(piece: Piece, draft: Draft, defaults: Mapping[str, Piece]) -> None:
    found = NAME.match(piece.text)
    if not found:
        raise piece.error("expected the name of a parameter", hint="letters, digits, '.' and '_'")
    name, rest = piece.cut(0, found.end()), piece.cut(found.end()).strip()
    draft.declare(name)
    piece.refuse_invisible()
    parameter, rest = read_parameter(name, rest, defaults.get(name.text))
    draft.parameters[name.text] = parameter
    if not rest.text:
        return
    if not rest.text.startswith("|"):
        raise rest.error(f"unexpected {rest.text!r}", key=name.text, hint="a condition begins with |")
    condition = rest.cut(1).strip()
    if condition.text != "TRUE":  # as irace writes what is always active
        draft.add_condition(name, read_expression(condition))


def _pieces_of(default: Mapping[str, Any]) -> dict[str, Piece]:
    """Return the values of a config as if they stood in a file, so that errors can point to them."""
    source = Source("default", tuple(f"{name} = {value}" for name, value in default.items()))
    return {
        name: Piece(str(value), source, line, len(name) + 4)
        for line, (name, value) in enumerate(default.items(), start=1)
    }


def _refuse_order_of_choices(draft: Draft) -> None:
    """Refuse `<` and its kin between choices: irace compares them by the alphabet, whatever their order."""
    rules = [*(rule for rules in draft.conditions.values() for rule in rules), *draft.forbidden]
    for part in (part for _, claim in rules for part in comparisons(claim)):
        name = part.names[0]
        if part.relation in ("<", "<=", ">", ">=") and isinstance(
            draft.parameters.get(name.text), OrdinalHyperparameter
        ):
            with draft.collecting():
                raise name.error(
                    f"{part.relation!r} would compare the choices by the alphabet",
                    key=name.text,
                    hint="use %in% c(...)",
                )
