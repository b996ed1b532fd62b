"""Reader of irace parameter files."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ConfigSpace import ConfigurationSpace
from ConfigSpace.hyperparameters import OrdinalHyperparameter

from tightrope.scenario.irace.expression import read_expression
from tightrope.scenario.irace.parameter import NAME, read_parameter
from tightrope.scenario.rules.builder import SpaceBuilder
from tightrope.scenario.rules.rule import comparisons
from tightrope.scenario.text.source import Piece, Source

_SECTION = re.compile(r"\[\s*(\w+)\s*\]")
_DIGITS = re.compile(r"digits\s*=\s*[0-9]+")


def read_irace(
    path: str | Path, *, default: Mapping[str, Any] | None = None, forbidden: str | Path | None = None
) -> ConfigurationSpace:
    """Read a space from an irace parameter file.

    Parameters
    ----------
    path : str or Path
        The file.
    default : mapping or None, default None
        The default config, since irace files have none. Omitted parameters get their first choice, or the
        middle of their range.
    forbidden : str, Path or None, default None
        A separate file of forbidden combinations, one per line.

    Returns
    -------
    ConfigurationSpace
        The space; the switch of each parameter is in its `meta`.

    Raises
    ------
    ScenarioError
        If a file cannot be read or is invalid. The error lists all faults, with lines and columns.
    """
    more = None if forbidden is None else Source.of_file(forbidden)
    return _read(Source.of_file(path), default or {}, more)


def parse_irace(
    text: str, *, default: Mapping[str, Any] | None = None, file: str = "text"
) -> ConfigurationSpace:
    r"""Read a space from the content of an irace parameter file.

    Parameters
    ----------
    text : str
        The content of the file.
    default : mapping or None, default None
        The default config, since irace files have none.
    file : str, default "text"
        The file name to show in errors.

    Returns
    -------
    ConfigurationSpace
        The space; the switch of each parameter is in its `meta`.

    Raises
    ------
    ScenarioError
        If the text is invalid. The error lists all faults, with lines and columns.

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
    builder = SpaceBuilder(source, default_hint="irace files have no default: pass a legal default config")
    defaults = _pieces_of(default)
    section = "parameters"
    for piece in source.pieces():
        with builder.collecting():
            if heading := _SECTION.fullmatch(piece.text):
                section = heading[1]
            elif piece.text:
                _read_line(piece, section, builder, defaults)
    for piece in () if forbidden is None else forbidden.pieces():
        with builder.collecting():
            if piece.text:
                _read_line(piece, "forbidden", builder, defaults)
    for name in defaults.keys() - builder.names.keys():
        with builder.collecting():
            raise defaults[name].error("unknown parameter", key=name, hint="remove it from the default")
    _refuse_order_of_choices(builder)
    return builder.build()


def _read_line(piece: Piece, section: str, builder: SpaceBuilder, defaults: Mapping[str, Piece]) -> None:
    if section == "parameters":
        _read_parameter(piece, builder, defaults)
    elif section == "forbidden":
        piece.refuse_invisible()
        builder.forbidden.append((piece, read_expression(piece)))
    # irace rounds reals to this many digits; tightrope does not round.
    elif not (section == "global" and _DIGITS.fullmatch(piece.text)):
        raise piece.error(
            f"unknown line in the section [{section}]", hint="use [forbidden], or digits = 4 in [global]"
        )


def _read_parameter(piece: Piece, builder: SpaceBuilder, defaults: Mapping[str, Piece]) -> None:
    found = NAME.match(piece.text)
    if not found:
        raise piece.error("expected the name of a parameter", hint="use letters, digits, '.' and '_'")
    name, rest = piece.cut(0, found.end()), piece.cut(found.end()).strip()
    builder.declare(name)
    piece.refuse_invisible()
    parameter, rest = read_parameter(name, rest, defaults.get(name.text))
    builder.parameters[name.text] = parameter
    if not rest.text:
        return
    if not rest.text.startswith("|"):
        raise rest.error(f"unexpected {rest.text!r}", key=name.text, hint="start a condition with |")
    condition = rest.cut(1).strip()
    if condition.text != "TRUE":  # irace's way to write "always active"
        builder.add_condition(name, read_expression(condition))


def _pieces_of(default: Mapping[str, Any]) -> dict[str, Piece]:
    """Return the values of a config as pieces of an imagined file, so that errors can point to them."""
    source = Source("default", tuple(f"{name} = {value}" for name, value in default.items()))
    return {
        name: Piece(str(value), source, line, len(name) + 4)
        for line, (name, value) in enumerate(default.items(), start=1)
    }


def _refuse_order_of_choices(builder: SpaceBuilder) -> None:
    """Collect a fault for each `<`, `<=`, `>` or `>=` between choices: irace compares them alphabetically."""
    lines = [*(line for lines in builder.conditions.values() for line in lines), *builder.forbidden]
    for part in (part for _, rule in lines for part in comparisons(rule)):
        name = part.names[0]
        if part.relation in ("<", "<=", ">", ">=") and isinstance(
            builder.parameters.get(name.text), OrdinalHyperparameter
        ):
            with builder.collecting():
                raise name.error(
                    f"{part.relation!r} would compare the choices alphabetically",
                    key=name.text,
                    hint="use %in% c(...)",
                )
