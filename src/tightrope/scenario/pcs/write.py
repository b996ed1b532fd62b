"""Writer of PCS files in the new dialect."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from ConfigSpace import ConfigurationSpace
from ConfigSpace import forbidden as no
from ConfigSpace.conditions import (
    AndConjunction,
    Condition,
    ConditionLike,
    EqualsCondition,
    GreaterThanCondition,
    InCondition,
    LessThanCondition,
    NotEqualsCondition,
    OrConjunction,
)

from tightrope.errors import SpaceError
from tightrope.scenario.pcs.rule import NAME
from tightrope.scenario.rules.forbidden import CLAUSE_JOINS, is_at_least
from tightrope.scenario.rules.normal_form import Joins
from tightrope.scenario.rules.parameters import Parameter, is_number, level_text
from tightrope.scenario.rules.writable import refuse, require_writable, uniform_kind
from tightrope.scenario.text.source import is_plain
from tightrope.space.types import read_column

_CONDITIONS: Mapping[type, str] = {
    EqualsCondition: "==",
    NotEqualsCondition: "!=",
    LessThanCondition: "<",
    GreaterThanCondition: ">",
}
# Looked up by exact class, since some of these are subclasses of each other.
_CLAUSES: Mapping[type, str] = {
    no.ForbiddenEqualsClause: "=",
    no.ForbiddenLessThanClause: "<",
    no.ForbiddenLessThanEqualsClause: "<=",
    no.ForbiddenGreaterThanClause: ">",
    no.ForbiddenGreaterThanEqualsClause: ">=",
    no.ForbiddenEqualsRelation: "=",
    no.ForbiddenLessThanRelation: "<",
    no.ForbiddenLessThanEqualsRelation: "<=",
    no.ForbiddenGreaterThanRelation: ">",
    no.ForbiddenGreaterThanEqualsRelation: ">=",
}
_CONDITION_JOINS = Joins(AndConjunction, OrConjunction)
_SEPARATORS = ("{", "}", ",", "#", "&&", "||", "\n", "\r")


def write_pcs(space: ConfigurationSpace) -> str:
    """Write a space as the content of a PCS file, in the new dialect.

    `parse_pcs` reads the same space from it, with these exceptions: a constant becomes a parameter with one
    choice; numbers and booleans among choices become strings; nested rules become alternatives, since PCS
    files have no parentheses.

    Parameters
    ----------
    space : ConfigurationSpace
        The space to write.

    Returns
    -------
    str
        The file content in the new dialect, with a newline at the end.

    Raises
    ------
    SpaceError
        If PCS files cannot express the space: for example distributions other than uniform, names with
        whitespace, choices with commas or braces.

    Examples
    --------
    >>> from ConfigSpace import ConfigurationSpace, EqualsCondition
    >>> space = ConfigurationSpace({"kind": ["a", "b"], "depth": (1, 9)})
    >>> space.add(EqualsCondition(space["depth"], space["kind"], "b"))
    >>> print(write_pcs(space), end="")
    kind categorical {a, b} [a]
    depth integer [1, 9] [5]
    <BLANKLINE>
    # Conditions:
    depth | kind == b
    """
    require_writable(space)
    lines = [_write_parameter(parameter) for parameter in space.values()]
    conditions = [_write_condition(condition) for condition in space.conditions]
    clauses = [line for clause in space.forbidden_clauses for line in _write_clause(clause)]
    return join_sections(lines, {"# Conditions:": conditions, "# Forbidden:": clauses})


def join_sections(parameters: Sequence[str], sections: Mapping[str, Sequence[str]]) -> str:
    """Join the lines of a file: parameters, then sections with headings. Empty sections are omitted."""
    lines = [*parameters]
    for heading, section in sections.items():
        if section:
            lines += ["", heading, *section]
    return "\n".join([*lines, ""])


def _write_parameter(parameter: Any) -> str:
    name = write_name(parameter)
    match uniform_kind(parameter):
        case "constant":
            domain = f"categorical {write_values(parameter, [parameter.value])}"
        case "categorical":
            domain = f"categorical {write_values(parameter, parameter.choices)}"
        case "ordinal":
            domain = f"ordinal {write_values(parameter, parameter.sequence)}"
        case "integer":
            domain = f"integer [{parameter.lower}, {parameter.upper}]"
        case "float":
            domain = f"real [{parameter.lower}, {parameter.upper}]"
        case _:
            raise refuse(parameter, file="PCS files")
    log = " log" if getattr(parameter, "log", False) else ""
    return f"{name} {domain} [{write_value(parameter, parameter.default_value)}]{log}"


def _write_condition(condition: ConditionLike) -> str:
    """Write a condition as one line, since SMAC accepts one line per child."""
    terms = _CONDITION_JOINS.alternatives(condition)
    text = " || ".join(" && ".join(_write_comparison(part) for part in term) for term in terms)
    return f"{condition.child.name} | {text}"


def _write_comparison(condition: Condition) -> str:
    parent = condition.parent
    if isinstance(condition, InCondition):
        return f"{parent.name} in {write_values(parent, condition.values)}"
    relation = _CONDITIONS.get(type(condition))
    if relation is None:
        raise SpaceError(
            f"cannot write a {type(condition).__name__} to a PCS file",
            key=condition.child.name,
            hint="use ConfigSpace's own conditions",
        )
    return f"{parent.name} {relation} {write_value(parent, condition.value)}"


def _write_clause(clause: no.ForbiddenLike) -> Iterator[str]:
    """Yield one line for each forbidden combination."""
    for term in CLAUSE_JOINS.alternatives(clause):
        yield f"{{{', '.join(_write_simple_clause(part) for part in term)}}}"


def _write_simple_clause(clause: Any) -> str:
    if isinstance(clause, no.ForbiddenInClause):
        return f"{clause.hyperparameter.name} in {write_values(clause.hyperparameter, clause.values)}"
    if is_at_least(clause):
        parameter, value = clause.components[0].hyperparameter, clause.components[0].value
        return f"{parameter.name} >= {write_value(parameter, value)}"
    relation = _CLAUSES.get(type(clause))
    if relation is None:
        raise SpaceError(
            f"cannot write a {type(clause).__name__} to a PCS file",
            hint="use ConfigSpace's own clauses",
        )
    if isinstance(clause, no.ForbiddenRelation):
        _check_relation(clause, relation)
        return f"{clause.left.name} {relation} {clause.right.name}"
    return f"{clause.hyperparameter.name} {relation} {write_value(clause.hyperparameter, clause.value)}"


def _check_relation(clause: no.ForbiddenRelation, relation: str) -> None:
    """Raise an error for a relation that would be read differently.

    In PCS files choices are text, and a choice may have the name of a parameter.
    """
    left, right = read_column(clause.left).levels, read_column(clause.right).levels
    name = clause.right.name
    if left is None or right is None:
        is_readable = left is right and not is_number(name)
    else:
        is_text = all(isinstance(level, str) for level in (*left, *right))
        is_readable = is_text and relation == "=" and name not in left
    if not is_readable:
        raise SpaceError(f"cannot write {clause} to a PCS file", hint="compare two numbers, or forbid values")


def write_name(parameter: Parameter) -> str:
    """Return the name of a parameter, which must be valid in PCS files."""
    name = parameter.name
    if not (NAME.fullmatch(name) and is_plain(name)):
        raise SpaceError("invalid name for a PCS file", key=name, hint="rename it: letters, digits, _ - . :")
    return name


def write_values(parameter: Parameter, values: Iterable[Any]) -> str:
    """Write choices in braces."""
    texts = [write_value(parameter, value) for value in values]
    if len(set(texts)) < len(texts):
        raise SpaceError(
            f"some of the choices {', '.join(texts)} are equal as text",
            key=parameter.name,
            hint="rename one",
        )
    return f"{{{', '.join(texts)}}}"


def write_value(parameter: Parameter, value: Any) -> str:
    """Write one value."""
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, str | int | float):
        text = level_text(plain)
        if text and text == text.strip() and is_plain(text) and not any(mark in text for mark in _SEPARATORS):
            return text
    raise SpaceError(
        "cannot write this value to a PCS file",
        key=parameter.name,
        value=value,
        hint="use numbers, or strings without commas, braces, '#', '&&', '||' and outer whitespace",
    )
