"""Reader of the keys that define the target command."""

import os
from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from tightrope.errors import SpaceError, TargetError
from tightrope.run.answer import Reader
from tightrope.run.command import CommandTarget
from tightrope.scenario.instance_table import Row, match_rows, read_rows
from tightrope.scenario.instances import Instances
from tightrope.scenario.irace.switches import style_of
from tightrope.scenario.text.source import Piece, Source
from tightrope.scenario.toml.document import Document
from tightrope.scenario.toml.entry import Entry
from tightrope.space import Space

_RENAMED: Mapping[str, str] = {
    "flags": "flags",
    "memory": "memory_mb",
    "grace": "grace_s",
    "keep": "keep_kb",
    "env": "env",
    "shell": "shell",
}


def read_target(document: Document, space: Space, *, answer: Reader, instances: Instances) -> CommandTarget:
    """Build the target command.

    Parameters
    ----------
    document : Document
        The scenario.
    space : Space
        Its parameters.
    answer : Reader
        The reader of its answers.
    instances : Instances
        The instances; the name "" means no instance.
    """
    values = document.values
    settings: dict[str, Any] = {_RENAMED[key]: values[key] for key in _RENAMED if key in values}
    with document.faults.collecting():
        settings["limit_s"] = _limit_s(document, answer)
    for key in ("expected", "specifics"):
        with document.faults.collecting():
            settings[key] = _by_instance(document, key, instances)
    if style := _style(document, space):
        settings["parameters"] = style
    try:
        target = CommandTarget(
            values["command"],
            clock=clock_of(document, answer),
            answer=answer,
            names=space.names,
            cwd=_cwd(document),
            **settings,
        )
    except TargetError as error:
        raise document.entries["command"].error(error.problem, hint=error.hint) from None
    _check_places(document, target, space, has_instances="instances" in document.entries)
    return target


def clock_of(document: Document, answer: Reader) -> Any:
    """Return the clock that measures runs, "cpu" or "wall"."""
    cost, clock = document.values.get("cost"), document.values.get("clock")
    if clock is not None and not answer.prints_cost:
        hint = f'write cost = "{clock}"'
        raise document.entries["clock"].error("`clock` is for printed costs only", hint=hint)
    return clock or ("wall" if cost == "wall" else "cpu")


def path_from_cwd(document: Document) -> Callable[[str], str]:
    """Return a function that makes the path of an instance relative to the folder of the command."""
    if "cwd" not in document.values:
        return str
    cwd = _cwd(document)

    def from_cwd(name: str) -> str:
        path = document.folder / name
        return os.path.relpath(path, cwd) if os.path.exists(path) and not os.path.isabs(name) else name

    return from_cwd


def _cwd(document: Document) -> str:
    folder = os.path.abspath(document.folder / str(document.values.get("cwd", "")))
    if "cwd" in document.entries and not os.path.isdir(folder):
        raise document.entries["cwd"].error(
            f"there is no folder {folder!r}", hint="create it, or check the path"
        )
    return folder


def _limit_s(document: Document, answer: Reader) -> float:
    limit_s: float | None = document.values.get("time_limit")
    if limit_s is None:
        if answer.prints_cost and "time_limit" not in document.entries:
            where = document.entries.get("cost") or document.entries["answer"]
            raise where.error("a printed cost needs a time limit", hint='add time_limit = "60s"')
        return inf
    if not answer.prints_cost:
        hint = "remove it; the ceiling limits the time"
        raise document.entries["time_limit"].error("`time_limit` is for printed costs only", hint=hint)
    if not 0 < limit_s < inf:
        document.entries["time_limit"].refuse("a positive duration")
    return limit_s


def _style(document: Document, space: Space) -> str | dict[str, str] | None:
    style: str | dict[str, str] | None = document.values.get("style")
    if isinstance(style, dict):
        entry = document.entries["style"]
        missing = [name for name in space.names if name not in style]
        if unknown := [name for name in style if name not in space.names]:
            raise entry.table()[unknown[0]].error(f"unknown parameter {unknown[0]!r}", hint="remove it")
        if missing and "{parameters}" in str(document.values["command"]):
            raise entry.error(
                f"no pattern for {missing[0]!r}", hint=f'add "{missing[0]}" = "--{{name}}={{value}}"'
            )
        return style
    if style is not None:
        return style
    try:
        return style_of(space.configspace)
    except SpaceError as error:
        raise document.entries["params"].error(str(error), hint="set `style`") from None


def _by_instance(document: Document, key: str, instances: Instances) -> dict[str, str]:
    """Read one string per instance, from a table or a CSV file."""
    entry = document.values.get(key)
    if entry is None:
        return {}
    if isinstance(entry.value, str):
        _, *rows = read_rows(Source.of_file(document.file(entry)))
    else:
        fields = entry.table("a table by instance, or the path of a CSV file")
        rows = [row_of(field, field) for field in fields.values()]
    for row in rows:
        if len(row.cells) != 1:
            problem = f"expected an instance and one string, found {len(row.cells)} strings"
            raise row.name.error(problem, key=key, hint="separate them with one comma")
    found = match_rows(rows, (*instances.train, *instances.test), key=key)
    used = {id(row) for row in found.values()}
    if isinstance(entry.value, dict) and (lost := [row for row in rows if id(row) not in used]):
        raise lost[0].name.error(
            f"unknown instance {lost[0].name.text!r}", key=key, hint="check the spelling"
        )
    from_cwd = path_from_cwd(document)
    return {from_cwd(name): row.cells[0].text for name, row in found.items()}


def row_of(entry: Entry, *cells: Entry) -> Row:
    """Return an entry of a table as a row."""
    return Row(_at(entry.name, str(entry.path[-1])), tuple(_text_of(cell) for cell in cells))


def _text_of(field: Entry) -> Piece:
    if isinstance(field.value, bool) or not isinstance(field.value, str | int | float):
        field.refuse("a string or a number")
    return _at(field.where, str(field.value))


def _at(piece: Piece, text: str) -> Piece:
    return Piece(text, piece.source, piece.line, piece.column)


def _check_places(document: Document, target: CommandTarget, space: Space, *, has_instances: bool) -> None:
    entry, places = document.entries["command"], target.template.placeholders
    if has_instances and "instance" not in places:
        raise entry.error("the command has no {instance}", hint="add {instance} where the instance goes")
    if "instance" in places and not has_instances:
        raise entry.error(
            "the command has {instance}, but the scenario has no instances", hint='add instances = "train/*"'
        )
    lost = [name for name in space.names if name not in places]
    if lost and "parameters" not in places:
        raise entry.error(
            f"the command does not use the parameter {lost[0]!r}", hint="add {parameters} where parameters go"
        )
