"""The text of a file, and pieces of it that know their line and column."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tightrope.errors import Fault, ScenarioError

_LINE_END = re.compile(r"\r\n|\n|\r")
UNDECODABLE = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class Source:
    """A file's name and lines."""

    file: str
    lines: tuple[str, ...] = field(repr=False)

    @classmethod
    def of_text(cls, text: str, *, file: str) -> "Source":
        """Split a text into lines, with any kind of line end."""
        return cls(file, tuple(_LINE_END.split(text.removeprefix("\N{BYTE ORDER MARK}"))))

    @classmethod
    def of_file(cls, path: str | Path) -> "Source":
        """Read a file. Invalid UTF-8 becomes replacement characters, which are legal in comments."""
        try:
            content = Path(path).read_bytes()
        except FileNotFoundError:
            raise ScenarioError(Fault("there is no such file", "check the path", str(path))) from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise ScenarioError(Fault(f"cannot be read: {reason}", "check the path", str(path))) from None
        return cls.of_text(content.decode("utf-8", errors="replace"), file=str(path))

    def pieces(self) -> Iterator["Piece"]:
        """Yield the text of each line before '#', without surrounding whitespace."""
        for number, line in enumerate(self.lines, start=1):
            yield Piece(line.partition("#")[0], self, number, 1).strip()


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line, and its position. Line and column count from 1."""

    text: str
    source: Source = field(repr=False)
    line: int
    column: int

    def cut(self, start: int, end: int | None = None) -> "Piece":
        """Return the part between two positions, like a slice."""
        start, end, _ = slice(start, end).indices(len(self.text))
        return Piece(self.text[start:end], self.source, self.line, self.column + start)

    def strip(self) -> "Piece":
        """Return the piece without surrounding whitespace."""
        start = len(self.text) - len(self.text.lstrip())
        return self.cut(start, start + len(self.text.strip()))

    def split(self, separator: str) -> list["Piece"]:
        """Split at a separator outside braces, and strip the parts."""
        parts, start, depth, i = [], 0, 0, 0
        while i < len(self.text):
            depth += {"{": 1, "}": -1}.get(self.text[i], 0)
            if depth <= 0 and self.text.startswith(separator, i):
                parts.append(self.cut(start, i).strip())
                start = i = i + len(separator)
            else:
                i += 1
        return [*parts, self.cut(start).strip()]

    def refuse_invisible(self) -> None:
        """Raise an error for characters that are legal in comments only: invisible ones and invalid UTF-8."""
        for i, character in enumerate(self.text):
            if not is_plain(character):
                where, code = self.cut(i), f"U+{ord(character):04X}"
                if character == UNDECODABLE:
                    raise where.error(
                        "invalid UTF-8", hint="save the file as UTF-8, or correct the character"
                    )
                raise where.error(f"invisible character {code}", hint="remove it")

    def error(self, problem: str, *, key: str | None = None, hint: str = "") -> ScenarioError:
        """Return an error that points to this piece."""
        excerpt = self.source.lines[self.line - 1]
        return ScenarioError(
            Fault(problem, hint, self.source.file, self.line, self.column, key=key, excerpt=excerpt)
        )


def is_plain(text: str) -> bool:
    """Return whether a text has only printable characters and whitespace."""
    return all(
        (character.isprintable() or character.isspace()) and character != UNDECODABLE for character in text
    )
