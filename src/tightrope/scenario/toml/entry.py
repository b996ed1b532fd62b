"""Entries of a TOML file: values with their keys and positions."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, NoReturn

from tightrope.errors import Fault, ScenarioError
from tightrope.scenario.text.source import UNDECODABLE, Piece, Source
from tightrope.scenario.toml.places import KeyPath, Place, find_places
from tightrope.units import UnitError, parse_duration, parse_size

_POSITION = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_KINDS: Mapping[type, str] = {
    bool: "a boolean",
    str: "a string",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "a table",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A value in a file. `where` is the first line of its text, `name` the text of its key."""

    path: KeyPath
    value: Any
    where: Piece
    name: Piece
    places: Mapping[KeyPath, Place] = field(repr=False)

    @property
    def key(self) -> str:
        """The full key, such as 'instances.train'."""
        return ".".join(part for part in self.path if isinstance(part, str))

    def error(self, problem: str, *, hint: str = "") -> ScenarioError:
        """Return an error that points to the value."""
        return self.where.error(problem, key=self.key, hint=hint)

    def refuse(self, expected: str, *, hint: str = "") -> NoReturn:
        """Raise an error that says what was expected and what was found."""
        raise self.error(f"expected {expected}, found {_describe(self.value)}", hint=hint)

    def text(self, expected: str = "a string in quotes", *, hint: str = "") -> str:
        """Return the value, which must be a valid string without zero bytes."""
        if not isinstance(self.value, str):
            self.refuse(expected, hint=hint)
        if "\0" in self.value:
            raise self.error("the string contains a zero byte", hint="remove it")
        if UNDECODABLE in self.value:
            raise self.error("invalid UTF-8", hint="save the file as UTF-8, or correct the character")
        return self.value

    def number(self, expected: str = "a number", *, hint: str = "") -> float:
        """Return the value, which must be a number, and not nan."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            self.refuse(expected, hint=hint)
        try:
            number = float(self.value)
        except OverflowError:
            raise self.error("the number is too large", hint="use a smaller one") from None
        if number != number:
            self.refuse(expected, hint=hint)
        return number

    def integer(self, expected: str = "an integer") -> int:
        """Return the value, which must be an integer."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            self.refuse(expected)
        return self.value

    def boolean(self) -> bool:
        """Return the value, which must be true or false."""
        if not isinstance(self.value, bool):
            self.refuse("true or false")
        return self.value

    def duration_s(self) -> float:
        """Return a duration in seconds; a plain number is in seconds."""
        if not isinstance(self.value, str):
            return self.number("a duration", hint='write it like "300s", or a number of seconds')
        return self._with_unit(parse_duration)

    def size_mb(self) -> float:
        """Return a size in units of 10**6 bytes."""
        self.text("a size in quotes", hint='write it like "2GB"')
        return self._with_unit(parse_size)

    def one_of(self, known: Iterable[str]) -> str:
        """Return the value, which must be one of the known words."""
        words = tuple(known)
        text = self.text(f"one of {_listed(words)}")
        if text not in words:
            raise self.error(f"unknown value {text!r}", hint=suggest(text, words))
        return text

    def table(self, expected: str = "a table", *, hint: str = "") -> dict[str, "Entry"]:
        """Return the entries of a table."""
        if not isinstance(self.value, dict):
            self.refuse(expected, hint=hint)
        return {key: self._child(key, value) for key, value in self.value.items()}

    def items(self, expected: str = "a list", *, hint: str = "") -> list["Entry"]:
        """Return the entries of an array."""
        if not isinstance(self.value, list):
            self.refuse(expected, hint=hint)
        return [self._child(index, value) for index, value in enumerate(self.value)]

    def content(self) -> Piece:
        """Return a string as a piece, so that errors can point into it."""
        text = self.text()
        if self.where.text[1:-1] == text:
            return self.where.cut(1, -1)
        # With escapes or several lines, positions in the string differ from the file: show the string.
        lines = list(self.where.source.lines)
        lines[self.where.line - 1] = " ".join(text.splitlines())
        return Piece(
            lines[self.where.line - 1], Source(self.where.source.file, tuple(lines)), self.where.line, 1
        )

    def _child(self, part: str | int, value: Any) -> "Entry":
        path = (*self.path, part)
        place = self.places.get(path, Place(self.name, self.where))
        return Entry(path, value, place.value, place.key, self.places)

    def _with_unit(self, parse: Any) -> float:
        try:
            return float(parse(self.value))
        except UnitError as error:
            raise self.error(error.problem, hint=error.hint) from None


def read_document(source: Source) -> Entry:
    """Parse TOML; return the entry of the whole document, a table of all keys."""
    text = "\n".join(source.lines)
    if "\0" in text:  # a binary file, or UTF-16
        hint = "check the path, or save it as UTF-8"
        raise ScenarioError(Fault("not a text file in UTF-8", hint, source.file))
    start = Piece(source.lines[0], source, 1, 1)
    try:
        document, places = tomllib.loads(text), find_places(source)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(source, str(error)) from None
    except ValueError as error:  # an integer with thousands of digits
        raise start.error(f"invalid TOML: {error}", hint="use smaller numbers") from None
    except RecursionError:
        raise start.error("nested too deeply", hint="use fewer brackets") from None
    return Entry((), document, start, start, places)


def toml_source(text: str, *, file: str) -> Source:
    """Split a text into lines as TOML does."""
    plain = text.removeprefix("\N{BYTE ORDER MARK}").replace("\r\n", "\n")
    return Source(file, tuple(plain.split("\n")))


def suggest(text: str, known: Iterable[str]) -> str:
    """Return the hint for an unknown word: the closest known word, or all known words."""
    words = tuple(known)
    near = get_close_matches(text, words, n=1)
    return f"did you mean {near[0]!r}?" if near else f"expected one of {_listed(words)}"


def refuse_unknown(entries: Mapping[str, Entry], known: Iterable[str], *, what: str) -> None:
    """Raise one error for all unknown keys of a table."""
    words = tuple(known)
    faults = [
        fault
        for key, entry in entries.items()
        if key not in words
        for fault in entry.name.error(
            f"unknown {what} {key!r}", key=entry.key, hint=suggest(key, words)
        ).faults
    ]
    if faults:
        raise ScenarioError(*faults)


def _syntax_error(source: Source, message: str) -> ScenarioError:
    found = _POSITION.search(message)
    line = int(found[1]) if found and found[1] else len(source.lines)
    line = min(line, len(source.lines))
    column = int(found[2]) if found and found[2] else len(source.lines[line - 1]) + 1
    problem = _POSITION.sub("", message)
    where = Piece("", source, line, min(column, len(source.lines[line - 1]) + 1))
    return where.error(
        f"invalid TOML: {problem[:1].lower()}{problem[1:]}",
        hint=_syntax_hint(source.lines[line - 1], problem),
    )


def _syntax_hint(line: str, problem: str) -> str:
    if "overwrite" in problem or "twice" in problem:
        return "the key exists already: remove one of the two"
    value = line.partition("=")[2].strip()
    if value and value[0] not in "\"'[{" and not value[0].isdigit():
        return "put strings in quotes"
    return "check quotes and brackets"


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(repr(word) for word in words)


def _describe(value: Any) -> str:
    shown = repr(value) if not isinstance(value, bool) else str(value).lower()
    if isinstance(value, list | dict) or len(shown) > 60:
        return _KINDS.get(type(value), "a date")
    return shown if isinstance(value, bool | int | float | str) else f"a date or time, {value}"
