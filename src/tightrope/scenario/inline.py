"""Parameters that stand in the scenario itself."""

from collections.abc import Callable, Mapping
from typing import Any

from ConfigSpace import ConfigurationSpace
from ConfigSpace.hyperparameters import Constant

from tightrope.scenario.draft import Draft
from tightrope.scenario.entry import Entry, refuse_unknown
from tightrope.scenario.parameters import Meta, Parameter, Range, level_text, make_choices, make_number
from tightrope.scenario.source import Piece
from tightrope.scenario.toml_expression import read_claim

_COMMON = ("type", "when", "switch")
_FORM = 'write for example { type = "integer", range = [1, 64], default = 8 }'


def read_inline(params: Entry, forbidden: Entry | None) -> ConfigurationSpace:
    """Read a table of parameters, and a list of forbidden combinations."""
    draft = Draft(params.where.source, default_hint="change the default of one of these parameters")
    entries = params.table()
    if not entries:
        raise params.error("no parameters are declared", hint=_FORM)
    fields: dict[str, Mapping[str, Entry]] = {}
    for name, entry in entries.items():
        with draft.collecting():
            declared = _at(entry.name, name)
            draft.declare(declared)
            _check_name(name, entry)
            fields[name] = entry.table(f"a table that describes the parameter {name!r}", hint=_FORM)
            draft.parameters[name] = _read_parameter(name, entry, fields[name])
    for name in fields:
        with draft.collecting():
            if (when := fields[name].get("when")) is not None:
                claim = read_claim(when.content(), draft.names.keys())
                draft.add_condition(_at(entries[name].name, name), claim)
    _read_forbidden(forbidden, draft)
    return draft.finish()


def _read_forbidden(forbidden: Entry | None, draft: Draft) -> None:
    hint = "write a list of texts such as [\"alpha > 0.5 and mode == 'fast'\"]"
    with draft.collecting():
        for entry in () if forbidden is None else forbidden.items(hint=hint):
            with draft.collecting():
                piece = entry.content()
                draft.forbidden.append((piece, read_claim(piece, draft.names.keys())))


def _check_name(name: str, entry: Entry) -> None:
    if not name or not name.isprintable() or "`" in name:
        raise entry.name.error("this cannot be the name of a parameter", key=entry.key, hint="rename it")


def _read_parameter(name: str, entry: Entry, fields: Mapping[str, Entry]) -> Parameter:
    if "type" not in fields:
        raise entry.error("the parameter has no type", hint=f"add type = ..., one of {', '.join(_TYPES)}")
    kind = fields["type"].one_of(_TYPES)
    own, make = _TYPES[kind]
    refuse_unknown(fields, (*_COMMON, *own), what=f"key of {kind} parameters")
    meta: Meta = None if "switch" not in fields else {"switch": fields["switch"].text()}
    return make(name, entry, fields, meta)


def _read_number(name: str, entry: Entry, fields: Mapping[str, Entry], meta: Meta) -> Parameter:
    bounds = _needed("range", entry, fields, hint="add range = [lower, upper]").items(
        "a range [lower, upper]", hint="write two numbers"
    )
    if len(bounds) != 2:
        raise fields["range"].error(f"expected two bounds, found {len(bounds)}", hint="write [lower, upper]")
    default = fields.get("default")
    declared = Range(
        _number(bounds[0]),
        _number(bounds[1]),
        None if default is None else _number(default),
        is_integer=fields["type"].value == "integer",
        is_log="log" in fields and fields["log"].truth(),
    )
    return make_number(name, declared, meta=meta)


def _read_choices(name: str, entry: Entry, fields: Mapping[str, Entry], meta: Meta) -> Parameter:
    choices = _needed("values", entry, fields, hint='add values = ["a", "b"]').items("a list of choices")
    if not choices:
        raise fields["values"].error("no choices", hint="name at least one")
    default = fields.get("default")
    return make_choices(
        name,
        [_choice(choice) for choice in choices],
        default=None if default is None else _choice(default),
        is_ordered=fields["type"].value == "ordinal",
        values=[choice.value for choice in choices],
        meta=meta,
    )


def _read_boolean(name: str, entry: Entry, fields: Mapping[str, Entry], meta: Meta) -> Parameter:
    choices = [_at(entry.name, level_text(value)) for value in (False, True)]
    default = choices["default" in fields and fields["default"].truth()]
    return make_choices(name, choices, default=default, values=(False, True), meta=meta)


def _read_constant(name: str, entry: Entry, fields: Mapping[str, Entry], meta: Meta) -> Parameter:
    value = _needed("value", entry, fields, hint="add value = ...")
    _choice(value)
    return Constant(name, value.value, meta=meta)


_Make = Callable[[str, Entry, Mapping[str, Entry], Meta], Parameter]
_TYPES: Mapping[str, tuple[tuple[str, ...], _Make]] = {
    "real": (("range", "default", "log"), _read_number),
    "integer": (("range", "default", "log"), _read_number),
    "categorical": (("values", "default"), _read_choices),
    "ordinal": (("values", "default"), _read_choices),
    "boolean": (("default",), _read_boolean),
    "constant": (("value",), _read_constant),
}


def _needed(key: str, entry: Entry, fields: Mapping[str, Entry], *, hint: str) -> Entry:
    if key not in fields:
        raise entry.error(f"{fields['type'].value} parameters need {key!r}", hint=hint)
    return fields[key]


def _number(entry: Entry) -> Piece:
    entry.number()
    return _at(entry.where, repr(entry.value))


def _choice(entry: Entry) -> Piece:
    value: Any = entry.value
    if not isinstance(value, bool | int | float | str):
        entry.refuse("a text, a number, true or false")
    return _at(entry.where, level_text(value))


def _at(piece: Piece, text: str) -> Piece:
    """Return a text as if it stood where a piece does."""
    return Piece(text, piece.source, piece.line, piece.column)
