"""Writing parameter files of irace."""

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
from tightrope.scenario.rules.text import Wording, write_rule
from tightrope.scenario.rules.writable import refuse_unsayable
from tightrope.scenario.text.source import is_plain

_DIGITS = 4  # to which irace rounds unless told otherwise


def write_irace(space: ConfigurationSpace) -> str:
    """Write a space as the text of a parameter file of irace.

    Defaults are left out, since such files hold none. Choices become strings, and a constant a parameter with
    one choice. A parameter's switch is that of its `meta`, or else made from its name.

    Parameters
    ----------
    space : ConfigurationSpace
        What is to be written.

    Returns
    -------
    str
        The text, which ends with a newline.

    Raises
    ------
    SpaceError
        If irace files cannot express the space: other distributions than uniform ones, names with other
        characters than letters, digits, '.' and '_', comparisons by the order of choices.

    Examples
    --------
    >>> from ConfigSpace import ConfigurationSpace, EqualsCondition
    >>> space = ConfigurationSpace({"kind": ["a", "b"], "depth": (1, 9)})
    >>> space.add(EqualsCondition(space["depth"], space["kind"], "b"))
    >>> print(write_irace(space), end="")
    kind "--kind " c ("a", "b")
    depth "--depth " i (1, 9) | kind == "b"
    """
    refuse_unsayable(space)
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
        "its name cannot stand in an expression of R", key=parameter.name, hint="begin with a letter"
    )


def _write_parameter(parameter: Parameter) -> str:
    name = parameter.name
    if not NAME.fullmatch(name):
        raise SpaceError(
            "its name cannot stand in an irace file", key=name, hint="rename it: letters, digits, '.' and '_'"
        )
    match parameter:
        case hp.Constant():
            kind, values = "c", _write_choices(parameter, [parameter.value])
        case hp.CategoricalHyperparameter() if np.ptp(parameter.probabilities) == 0.0:
            kind, values = "c", _write_choices(parameter, parameter.choices)
        case hp.OrdinalHyperparameter():
            kind, values = "o", _write_choices(parameter, parameter.sequence)
        case hp.UniformIntegerHyperparameter():
            kind, values = "i", f"{parameter.lower}, {parameter.upper}"
        case hp.UniformFloatHyperparameter():
            kind, values = "r", f"{parameter.lower}, {parameter.upper}"
        case _:
            raise SpaceError(
                "irace files know uniform distributions only",
                key=name,
                hint="remove the weights or the distribution",
            )
    log = ",log" if getattr(parameter, "log", False) else ""
    switch = (parameter.meta or {}).get("switch", f"--{name} ")
    return f"{name} {_quoted(parameter, switch)} {kind}{log} ({values})"


def _write_choices(parameter: Parameter, values: Iterable[Any]) -> str:
    texts = [_quoted(parameter, _text(value)) for value in values]
    if len(set(texts)) < len(texts):
        raise SpaceError(
            f"the choices {', '.join(texts)} cannot be told apart as text",
            key=parameter.name,
            hint="rename one",
        )
    return ", ".join(texts)


def _write_value(parameter: Parameter, value: Any) -> str:
    """Write a value within an expression, where R takes backslashes for escapes."""
    text = _text(value)
    if isinstance(parameter, hp.NumericalHyperparameter):
        return str(text)
    return _quoted(parameter, text, "\\")


_R = Wording(
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
        "this value cannot stand in an irace file",
        key=parameter.name,
        value=text,
        hint="use numbers, or strings without double quotes, '#' and backslashes",
    )


def _decimals(parameter: Parameter) -> int:
    """Count the decimals of a real parameter's bounds, which irace would round away."""
    if not isinstance(parameter, hp.UniformFloatHyperparameter):
        return 0
    exponents = [
        Decimal(str(bound)).normalize().as_tuple().exponent for bound in (parameter.lower, parameter.upper)
    ]
    return max(-int(exponent) for exponent in exponents)
