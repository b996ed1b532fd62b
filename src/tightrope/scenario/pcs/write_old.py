"""Writer of PCS files in the old dialect, the only one that ParamILS and the first SMAC read."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from ConfigSpace import ConfigurationSpace
from ConfigSpace import forbidden as no
from ConfigSpace.conditions import AndConjunction, Condition, EqualsCondition, InCondition, NotEqualsCondition

from tightrope.errors import SpaceError
from tightrope.scenario.pcs.write import join_sections, write_name, write_value, write_values
from tightrope.scenario.rules.forbidden import CLAUSE_JOINS
from tightrope.scenario.rules.writable import require_writable, uniform_kind
from tightrope.space.types import read_column

_HINT = "use the new dialect"


def write_old_pcs(space: ConfigurationSpace) -> str:
    """Write a space as the content of a PCS file, in the old dialect.

    Parameters
    ----------
    space : ConfigurationSpace
        The space to write.

    Returns
    -------
    str
        The file content in the old dialect, with a newline at the end.

    Raises
    ------
    SpaceError
        If the old dialect cannot express the space: ordered choices, and rules other than equality with
        listed values.

    Examples
    --------
    >>> from ConfigSpace import ConfigurationSpace, EqualsCondition
    >>> space = ConfigurationSpace({"kind": ["a", "b"], "depth": (1, 9)})
    >>> space.add(EqualsCondition(space["depth"], space["kind"], "b"))
    >>> print(write_old_pcs(space), end="")
    kind {a, b}[a]
    depth [1, 9][5]i
    <BLANKLINE>
    Conditionals:
    depth | kind in {b}
    """
    require_writable(space)
    lines = [_write_parameter(parameter) for parameter in space.values()]
    conditions = [line for condition in space.conditions for line in _write_condition(condition)]
    clauses = [line for clause in space.forbidden_clauses for line in _write_clause(clause)]
    return join_sections(lines, {"Conditionals:": conditions, "Forbidden:": clauses})


def _write_parameter(parameter: Any) -> str:
    flags = ""
    match uniform_kind(parameter):
        case "constant":
            domain = write_values(parameter, [parameter.value])
        case "categorical":
            domain = write_values(parameter, parameter.choices)
        case "integer" | "float" as kind:
            domain = f"[{parameter.lower}, {parameter.upper}]"
            flags = ("i" if kind == "integer" else "") + ("l" if parameter.log else "")
        case _:
            raise SpaceError(
                "the old dialect supports only unordered choices and uniform numbers",
                key=parameter.name,
                hint=_HINT,
            )
    return f"{write_name(parameter)} {domain}[{write_value(parameter, parameter.default_value)}]{flags}"


def _write_condition(condition: Any) -> Iterator[str]:
    """Yield one line for each parent; all must hold."""
    parts: tuple[Any, ...] = condition.components if isinstance(condition, AndConjunction) else (condition,)
    for part in parts:
        if not isinstance(part, Condition):
            raise SpaceError(f"the old dialect cannot express {part}", hint=_HINT)
        yield f"{part.child.name} | {part.parent.name} in {write_values(part.parent, _values_of(part))}"


def _values_of(condition: Any) -> list[Any]:
    if isinstance(condition, InCondition):
        return list(condition.values)
    if isinstance(condition, EqualsCondition):
        return [condition.value]
    levels = read_column(condition.parent).levels if isinstance(condition, NotEqualsCondition) else None
    if levels is None:
        raise SpaceError(f"the old dialect cannot express {condition}", hint=_HINT)
    return [level for level in levels if level != condition.value]


def _write_clause(clause: no.ForbiddenLike) -> Iterator[str]:
    """Yield one line for each forbidden combination of single values."""
    for term in CLAUSE_JOINS.alternatives(clause):
        for combination in product(*(_pairs(part) for part in term)):
            yield f"{{{', '.join(combination)}}}"


def _pairs(clause: Any) -> list[str]:
    if not isinstance(clause, no.ForbiddenInClause | no.ForbiddenEqualsClause):
        raise SpaceError(f"the old dialect cannot express {clause}", hint=_HINT)
    values = clause.values if isinstance(clause, no.ForbiddenInClause) else [clause.value]
    parameter = clause.hyperparameter
    return [f"{parameter.name}={write_value(parameter, value)}" for value in values]
