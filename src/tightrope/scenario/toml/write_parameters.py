"""Writer of the keys `params` and `forbidden` of a scenario."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from ConfigSpace import ConfigurationSpace

from tightrope.errors import SpaceError
from tightrope.scenario.rules.parameters import Parameter, level_text
from tightrope.scenario.rules.text import Syntax, write_rule
from tightrope.scenario.rules.writable import refuse, require_writable, uniform_kind
from tightrope.scenario.toml.expression import write_name, write_text
from tightrope.scenario.toml.literal import write_key, write_pair, write_table
from tightrope.space.types import read_column


def write_inline(space: ConfigurationSpace) -> tuple[str, str]:
    """Write a space as keys of a scenario.

    Parameters
    ----------
    space : ConfigurationSpace
        The space to write.

    Returns
    -------
    tuple of str
        The key `forbidden`, possibly empty, which must come before all tables; and the table `params`.

    Raises
    ------
    SpaceError
        If TOML scenarios cannot express the space: for example distributions other than uniform.
    """
    require_writable(space)
    conditions = {condition.child.name: write_rule(condition, _TOML) for condition in space.conditions}
    width = max(len(write_key(name)) for name in space)
    lines = []
    for name, parameter in space.items():
        fields = _fields(parameter)
        if name in conditions:
            fields["when"] = conditions[name]
        lines.append(f"{write_key(name):{width}} = {write_table(fields)}\n")
    clauses = [write_rule(clause, _TOML) for clause in space.forbidden_clauses]
    forbidden = write_pair("forbidden", clauses) + "\n" if clauses else ""
    return forbidden, f"[params]\n{''.join(lines)}"


def _fields(parameter: Parameter) -> dict[str, Any]:
    kind = uniform_kind(parameter)
    if kind not in _FIELDS:
        raise refuse(parameter, file="TOML scenarios")
    fields = _FIELDS[kind](parameter)
    if (switch := (parameter.meta or {}).get("switch")) is not None:
        fields["switch"] = switch
    return fields


def _constant(parameter: Any) -> dict[str, Any]:
    return {"type": "constant", "value": parameter.value}


def _integer(parameter: Any) -> dict[str, Any]:
    return _number(parameter, kind="integer")


def _real(parameter: Any) -> dict[str, Any]:
    return _number(parameter, kind="real")


def _number(parameter: Any, *, kind: str) -> dict[str, Any]:
    fields = {"type": kind, "range": [parameter.lower, parameter.upper], "default": parameter.default_value}
    return fields | ({"log": True} if parameter.log else {})


def _categorical(parameter: Any) -> dict[str, Any]:
    return _choices(parameter, parameter.choices, kind="categorical")


def _ordinal(parameter: Any) -> dict[str, Any]:
    return _choices(parameter, parameter.sequence, kind="ordinal")


def _choices(parameter: Parameter, values: Any, *, kind: str) -> dict[str, Any]:
    plain = [value.item() if isinstance(value, np.generic) else value for value in values]
    if len({level_text(value) for value in plain}) < len(plain):
        raise SpaceError(
            f"some of the choices {plain} are equal as text", key=parameter.name, hint="rename one"
        )
    if kind == "categorical" and plain == [False, True] and all(isinstance(value, bool) for value in plain):
        return {"type": "boolean", "default": parameter.default_value}
    return {"type": kind, "values": plain, "default": parameter.default_value}


_FIELDS: Mapping[str | None, Callable[[Any], dict[str, Any]]] = {
    "float": _real,
    "integer": _integer,
    "categorical": _categorical,
    "ordinal": _ordinal,
    "constant": _constant,
}


def _name(parameter: Parameter) -> str:
    if "`" in parameter.name:
        raise SpaceError("invalid name for an expression", key=parameter.name, hint="rename it")
    return write_name(parameter.name)


def _value(parameter: Parameter, value: Any) -> str:
    text = level_text(value)
    return text if read_column(parameter).levels is None else write_text(text)


_TOML = Syntax(
    file="a scenario",
    all_of=" and ",
    any_of=" or ",
    member="{name} in [{values}]",
    name=_name,
    value=_value,
)
