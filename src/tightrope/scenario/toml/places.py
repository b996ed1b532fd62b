"""Positions of keys and values in a TOML text, which tomllib does not report."""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate
from typing import NamedTuple

from tightrope.scenario.text.source import Piece, Source

KeyPath = tuple[str | int, ...]  # names of keys, and indices in arrays

_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_STRING = re.compile(
    r'"""(?:\\.|"{0,2}[^"\\])*"{3,5}'
    r"|'''(?:'{0,2}[^'])*'{3,5}"
    r'|"(?:\\.|[^"\\])*"'
    r"|'[^']*'",
    re.DOTALL,
)
# A string of one line without escapes in an array, with its comma and blanks: what long lists consist of.
_PLAIN_ITEM = re.compile(r"""("[^"\\\n]*"(?!")|'[^'\n]*'(?!'))[ \t\n]*(?:,(?:[ \t\n]|\#[^\n]*)*|(?=\]))""")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_DOT = re.compile(r"[ \t]*\.[ \t]*")
_OTHER = re.compile(r"[^,\]}#\n]*")  # numbers, truth values, dates


class Place(NamedTuple):
    """The piece of a key, and the piece of the first line of its value."""

    key: Piece
    value: Piece


def find_places(source: Source) -> Mapping[KeyPath, Place]:
    """Find all keys and values in a valid TOML text."""
    scanner = _Scanner(source)
    scanner.read_document()
    return scanner.places


class _Scanner:
    """Scans a valid text once; each `_read_` method stops after the last character it used."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._text = "\n".join(source.lines)
        self._starts = [0, *accumulate(len(line) + 1 for line in source.lines)]
        self._position = 0
        self._last: dict[KeyPath, int] = {}  # index of the last table in each array of tables
        self.places: dict[KeyPath, Place] = {}

    def read_document(self) -> None:
        table: KeyPath = ()
        self._skip(_BLANK)
        while self._position < len(self._text):
            if self._takes("[["):
                table = self._read_header(is_array=True)
            elif self._takes("["):
                table = self._read_header(is_array=False)
            else:
                self._read_pair(table)
            self._skip(_BLANK)

    def _read_header(self, *, is_array: bool) -> KeyPath:
        """Read the name of a table, after its opening brackets."""
        path: KeyPath = ()
        parts = self._read_key()
        for i, (name, piece) in enumerate(parts, start=1):
            path = (*path, name)
            self.places.setdefault(path, Place(piece, piece))
            if path in self._last and not (is_array and i == len(parts)):
                path = (*path, self._last[path])
        if is_array:
            self._last[path] = self._last.get(path, -1) + 1
            path = (*path, self._last[path])
            self.places[path] = Place(parts[-1][1], parts[-1][1])
        self._position = self._text.index("]", self._position) + (2 if is_array else 1)
        return path

    def _read_pair(self, table: KeyPath) -> None:
        parts = self._read_key()
        path = table
        for name, piece in parts:
            path = (*path, name)
            self.places.setdefault(path, Place(piece, piece))
        self._position = self._text.index("=", self._position) + 1
        self._skip(_BLANK)
        self._read_value(path, parts[-1][1])

    def _read_key(self) -> list[tuple[str, Piece]]:
        parts = []
        self._skip(_BLANK)
        while True:
            start = self._position
            quoted = self._skip(_STRING)
            text = tomllib.loads(f"key = {quoted}")["key"] if quoted else self._skip(_BARE_KEY)
            parts.append((text, self._piece(start)))
            if not self._skip(_DOT):
                return parts

    def _read_value(self, path: KeyPath, key: Piece) -> None:
        start = self._position
        if self._takes("["):
            self._read_array(path, key)
        elif self._takes("{"):
            self._read_inline_table(path)
        elif not self._skip(_STRING):
            self._skip(_OTHER)
        self.places[path] = Place(key, self._piece(start).strip())

    def _read_array(self, path: KeyPath, key: Piece) -> None:
        index = 0
        self._skip(_BLANK)
        while not self._takes("]"):
            found = _PLAIN_ITEM.match(self._text, self._position)
            if found is not None:
                self._position = found.end()
                self.places[(*path, index)] = Place(key, self._piece_of(found[1], found.start()))
                index += 1
                continue
            self._read_value((*path, index), key)
            index += 1
            self._skip(_BLANK)
            self._takes(",")
            self._skip(_BLANK)

    def _read_inline_table(self, path: KeyPath) -> None:
        self._skip(_BLANK)
        while not self._takes("}"):
            self._read_pair(path)
            self._skip(_BLANK)
            self._takes(",")
            self._skip(_BLANK)

    def _takes(self, sign: str) -> bool:
        found = self._text.startswith(sign, self._position)
        self._position += len(sign) if found else 0
        return found

    def _skip(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._position)
        self._position = found.end() if found else self._position
        return found[0] if found else ""

    def _piece(self, start: int) -> Piece:
        """Return the text from `start` to the current position, up to the end of the line."""
        return self._piece_of(self._text[start : self._position].partition("\n")[0], start)

    def _piece_of(self, text: str, start: int) -> Piece:
        line = bisect_right(self._starts, start)
        return Piece(text, self._source, line, start - self._starts[line - 1] + 1)
