"""Reader of the keys `params` and `forbidden` of a scenario."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ConfigSpace import ConfigurationSpace
from ConfigSpace.hyperparameters import Constant

from tightrope.scenario.rules.builder import SpaceBuilder
from tightrope.scenario.rules.parameters import Meta, Parameter, Range, level_text, make_choices, make_number
from tightrope.scenario.text.source import Piece
from tightrope.scenario.toml.entry import Entry, refuse_unknown
from tightrope.scenario.toml.expression import read_rule

_COMMON = ("type", "when", "switch")
_FORM = 'write for example { type = "integer", range = [1, 64], default = 8 }'


def read_inline(params: Entry, forbidden: Entry | None) -> ConfigurationSpace:
    """Read a table of parameters and a list of forbidden combinations."""
    builder = SpaceBuilder(params.where.source, default_hint="change the default of one of these parameters")
    entries = params.table()
    if not entries:
        raise params.error("no parameters are declared", hint=_FORM)
    fields: dict[str, Mapping[str, Entry]] = {}
    for name, entry in entries.items():
        with builder.collecting():
            declared = _at(entry.name, name)
            builder.declare(declared)
            _check_name(name, entry)
            fields[name] = entry.table(f"a table that describes the parameter {name!r}", hint=_FORM)
            builder.parameters[name] = _make_parameter(_Declaration(name, entry, fields[name]))
    for name in fields:
        with builder.collecting():
            if (when := fields[name].get("when")) is not None:
                rule = read_rule(when.content(), builder.names.keys())
                builder.add_condition(_at(entries[name].name, name), rule)
    _read_forbidden(forbidden, builder)
    return builder.build()


def _read_forbidden(forbidden: Entry | None, builder: SpaceBuilder) -> None:
    hint = "write a list of strings such as [\"alpha > 0.5 and mode == 'fast'\"]"
    with builder.collecting():
        for entry in () if forbidden is None else forbidden.items(hint=hint):
            with builder.collecting():
                piece = entry.content()
                builder.forbidden.append((piece, read_rule(piece, builder.names.keys())))


def _check_name(name: str, entry: Entry) -> None:
    if not name or not name.isprintable() or "`" in name:
        raise entry.name.error("invalid name of a parameter", key=entry.key, hint="rename it")


@dataclass(frozen=True, slots=True)
class _Declaration:
    """The declaration of a parameter in a scenario."""

    name: str
    entry: Entry
    fields: Mapping[str, Entry]

    @property
    def kind(self) -> str:
        if "type" not in self.fields:
            hint = f"add type = ..., one of {', '.join(_TYPES)}"
            raise self.entry.error("the parameter has no type", hint=hint)
        return self.fields["type"].one_of(_TYPES)

    @property
    def meta(self) -> Meta:
        return None if "switch" not in self.fields else {"switch": self.fields["switch"].text()}

    def require(self, key: str, *, hint: str) -> Entry:
        if key not in self.fields:
            raise self.entry.error(f"{self.kind} parameters need {key!r}", hint=hint)
        return self.fields[key]


def _make_parameter(declared: _Declaration) -> Parameter:
    kind = declared.kind
    own, make = _TYPES[kind]
    refuse_unknown(declared.fields, (*_COMMON, *own), what=f"key for {kind} parameters")
    return make(declared)


def _make_number(declared: _Declaration) -> Parameter:
    fields = declared.fields
    bounds = declared.require("range", hint="add range = [lower, upper]").items(
        "a range [lower, upper]", hint="write two numbers"
    )
    if len(bounds) != 2:
        raise fields["range"].error(f"expected two bounds, found {len(bounds)}", hint="write [lower, upper]")
    number = Range(
        _number(bounds[0]),
        _number(bounds[1]),
        _number(fields["default"]) if "default" in fields else None,
        is_integer=declared.kind == "integer",
        is_log="log" in fields and fields["log"].boolean(),
    )
    return make_number(declared.name, number, meta=declared.meta)


def _make_choices(declared: _Declaration) -> Parameter:
    fields = declared.fields
    choices = declared.require("values", hint='add values = ["a", "b"]').items("a list of choices")
    if not choices:
        raise fields["values"].error("the list of choices is empty", hint="add at least one")
    return make_choices(
        declared.name,
        [_choice(choice) for choice in choices],
        default=_choice(fields["default"]) if "default" in fields else None,
        is_ordered=declared.kind == "ordinal",
        values=[choice.value for choice in choices],
        meta=declared.meta,
    )


def _make_boolean(declared: _Declaration) -> Parameter:
    choices = [_at(declared.entry.name, level_text(value)) for value in (False, True)]
    default = choices["default" in declared.fields and declared.fields["default"].boolean()]
    return make_choices(declared.name, choices, default=default, values=(False, True), meta=declared.meta)


def _make_constant(declared: _Declaration) -> Parameter:
    value = declared.require("value", hint="add value = ...")
    _choice(value)
    return Constant(declared.name, value.value, meta=declared.meta)


_TYPES: Mapping[str, tuple[tuple[str, ...], Callable[[_Declaration], Parameter]]] = {
    "real": (("range", "default", "log"), _make_number),
    "integer": (("range", "default", "log"), _make_number),
    "categorical": (("values", "default"), _make_choices),
    "ordinal": (("values", "default"), _make_choices),
    "boolean": (("default",), _make_boolean),
    "constant": (("value",), _make_constant),
}


def _number(entry: Entry) -> Piece:
    entry.number()
    return _at(entry.where, repr(entry.value))


def _choice(entry: Entry) -> Piece:
    value: Any = entry.value
    if not isinstance(value, bool | int | float | str) or value != value:  # nan equals nothing
        entry.refuse("a string, a number, true or false")
    return _at(entry.where, level_text(value))


def _at(piece: Piece, text: str) -> Piece:
    """Return a text with the position of a piece."""
    return Piece(text, piece.source, piece.line, piece.column)
