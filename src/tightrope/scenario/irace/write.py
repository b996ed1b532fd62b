"""Writer of irace parameter files."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import numpy as np
from ConfigSpace import ConfigurationSpace
from ConfigSpace import hyperparameters as hp

from tightrope.errors import SpaceError
from tightrope.scenario.irace.expression import is_name
from tightrope.scenario.irace.parameter import NAME
from tightrope.scenario.rules.parameters import Parameter, level_text
from tightrope.scenario.rules.text import Syntax, write_rule
from tightrope.scenario.rules.writable import refuse, require_writable, uniform_kind
from tightrope.scenario.text.source import is_plain
from tightrope.space.types import read_column

_DIGITS = 4  # irace's default precision


def write_irace(space: ConfigurationSpace) -> str:
    """Write a space as the content of an irace parameter file.

    Defaults are omitted, since irace files have none. Choices become strings. A constant becomes a parameter
    with one choice. The switch of a parameter is taken from its `meta`, or else made from its name.

    Parameters
    ----------
    space : ConfigurationSpace
        The space to write.

    Returns
    -------
    str
        The content of the parameter file, with a newline at the end.

    Raises
    ------
    SpaceError
        If irace files cannot express the space: distributions other than uniform, names with characters other
        than letters, digits, '.' and '_', comparisons of ordered choices.

    Examples
    --------
    >>> from ConfigSpace import ConfigurationSpace, EqualsCondition
    >>> space = ConfigurationSpace({"kind": ["a", "b"], "depth": (1, 9)})
    >>> space.add(EqualsCondition(space["depth"], space["kind"], "b"))
    >>> print(write_irace(space), end="")
    kind "--kind " c ("a", "b")
    depth "--depth " i (1, 9) | kind == "b"
    """
    require_writable(space)
    conditions = {condition.child.name: f" | {write_rule(condition, _R)}" for condition in space.conditions}
    lines = [_write_parameter(each) + conditions.get(each.name, "") for each in space.values()]
    if space.forbidden_clauses:
        lines += ["", "[forbidden]", *(write_rule(clause, _R) for clause in space.forbidden_clauses)]
    digits = max((_decimals(parameter) for parameter in space.values()), default=0)
    if digits > _DIGITS:
        lines += ["", "[global]", f"digits = {digits}"]
    return "\n".join([*lines, ""])


def _name(parameter: Parameter) -> str:
    if is_name(parameter.name):
        return parameter.name
    raise SpaceError(
        "invalid name for an R expression", key=parameter.name, hint="rename it: begin with a letter"
    )


def _write_parameter(parameter: Any) -> str:
    name = parameter.name
    if not NAME.fullmatch(name):
        raise SpaceError(
            "invalid name for an irace file", key=name, hint="rename it: letters, digits, '.' and '_'"
        )
    match uniform_kind(parameter):
        case "constant":
            kind, values = "c", _write_choices(parameter, [parameter.value])
        case "categorical":
            kind, values = "c", _write_choices(parameter, parameter.choices)
        case "ordinal":
            kind, values = "o", _write_choices(parameter, parameter.sequence)
        case "integer":
            kind, values = "i", f"{parameter.lower}, {parameter.upper}"
        case "float":
            kind, values = "r", f"{parameter.lower}, {parameter.upper}"
        case _:
            raise refuse(parameter, file="irace files")
    log = ",log" if getattr(parameter, "log", False) else ""
    switch = (parameter.meta or {}).get("switch", f"--{name} ")
    return f"{name} {_quoted(parameter, switch)} {kind}{log} ({values})"


def _write_choices(parameter: Parameter, values: Iterable[Any]) -> str:
    texts = [_quoted(parameter, _text(value)) for value in values]
    if len(set(texts)) < len(texts):
        raise SpaceError(
            f"some of the choices {', '.join(texts)} are equal as text",
            key=parameter.name,
            hint="rename one",
        )
    return ", ".join(texts)


def _write_value(parameter: Parameter, value: Any) -> str:
    """Write a value in an expression, where a backslash would start an escape in R."""
    text = _text(value)
    if read_column(parameter).levels is None:
        return str(text)
    return _quoted(parameter, text, "\\")


_R = Syntax(
    file="an irace file",
    all_of=" & ",
    any_of=" | ",
    member="{name} %in% c({values})",
    name=_name,
    value=_write_value,
)


def _text(value: Any) -> Any:
    plain = value.item() if isinstance(value, np.generic) else value
    return level_text(plain) if isinstance(plain, int | float) else plain


def _quoted(parameter: Parameter, text: Any, *refused: str) -> str:
    marks = ('"', "#", "\n", "\r", *refused)
    if isinstance(text, str) and is_plain(text) and not any(mark in text for mark in marks):
        return f'"{text}"'
    raise SpaceError(
        "cannot write this value to an irace file",
        key=parameter.name,
        value=text,
        hint="use numbers, or strings without double quotes, '#' and backslashes",
    )


def _decimals(parameter: Parameter) -> int:
    """Return how many decimals the bounds of a real parameter have; irace would round them."""
    if not isinstance(parameter, hp.UniformFloatHyperparameter):
        return 0
    exponents = [
        Decimal(str(bound)).normalize().as_tuple().exponent for bound in (parameter.lower, parameter.upper)
    ]
    return max(-int(exponent) for exponent in exponents)
