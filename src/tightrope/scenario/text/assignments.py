"""Reader of `key = value` lines, the scenario format of SMAC and irace."""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path

from tightrope.errors import Fault, ScenarioError
from tightrope.scenario.rules.parameters import is_number
from tightrope.scenario.text.faults import Faults
from tightrope.scenario.text.source import Piece, Source
from tightrope.scenario.toml.entry import suggest

_LINE = re.compile(r"([A-Za-z][\w.-]*)\s*(?:=|<-|:)\s*(.*)", re.DOTALL)
_LINE_WITHOUT_SIGN = re.compile(
    r"(?:--)?([A-Za-z][\w-]*)\s+([^\s{\[|\"].*)", re.DOTALL
)  # excludes lines of a parameter file
_ABSENT = ("", "NA", "NULL")  # values that count as not given
_TRUTHS = {"1": True, "true": True, "t": True, "0": False, "false": False, "f": False}


@dataclass(frozen=True, slots=True)
class Setting:
    """A key as the file spells it, and its value."""

    key: Piece
    value: Piece

    def error(self, problem: str, *, hint: str = "") -> ScenarioError:
        """Return an error that points to the value."""
        return self.value.error(problem, key=self.key.text, hint=hint)


@dataclass(frozen=True, slots=True)
class Assignments:
    """The settings of a file, by their canonical names."""

    source: Source
    folder: Path
    settings: Mapping[str, Setting]
    faults: Faults = field(default_factory=Faults)

    def __contains__(self, name: str) -> bool:
        return name in self.settings

    def __getitem__(self, name: str) -> Setting:
        if name in self.settings:
            return self.settings[name]
        raise ScenarioError(
            Fault(f"the key `{name}` is missing", "add it; it is required", self.source.file, key=name)
        )

    def text(self, name: str, default: str) -> str:
        """Return a setting as text, or the default."""
        return self.settings[name].value.text if name in self.settings else default

    def number(self, name: str) -> float:
        """Return a setting that must be a positive number."""
        setting = self[name]
        number = float(setting.value.text) if is_number(setting.value.text) else -1.0
        if not (number > 0 and isfinite(number)):
            raise setting.error(f"expected a positive number, found {setting.value.text!r}")
        return number

    def boolean(self, name: str, *, default: bool) -> bool:
        """Return a setting that must be 0 or 1, true or false."""
        if name not in self.settings:
            return default
        setting = self.settings[name]
        if setting.value.text.lower() not in _TRUTHS:
            raise setting.error(f"expected 0 or 1, found {setting.value.text!r}")
        return _TRUTHS[setting.value.text.lower()]

    def file(self, name: str) -> Path:
        """Return the path of a file that a setting refers to; it must exist."""
        setting = self[name]
        path = self.folder / setting.value.text
        if not os.path.isfile(path):
            raise setting.error(f"there is no file {str(path)!r}", hint="check the path")
        return path

    def locate(self, error: ScenarioError, names: Mapping[str, str]) -> ScenarioError:
        """Return the error with faults that point to their settings; `names` maps keys to settings."""
        faults: list[Fault] = []
        for fault in error.faults:
            setting = self.settings.get(names.get(fault.key or "", fault.key or ""))
            if setting is None or fault.file:
                file = fault.file or self.source.file
                faults.append(Fault(fault.problem, fault.hint, file, fault.line, fault.column, fault.key))
            else:
                faults.extend(setting.error(fault.problem, hint=fault.hint).faults)
        return ScenarioError(*faults)


def keys_of(source: Source) -> list[str]:
    """Return everything that looks like a key, to detect the format of a file."""
    matches = (_LINE.fullmatch(line.strip()) for line in source.lines)
    return [found[1] for found in matches if found]


def whitespace_keys_of(source: Source) -> list[str]:
    """Return everything that looks like a key followed by whitespace, which SMAC accepts."""
    matches = (_LINE_WITHOUT_SIGN.fullmatch(line.strip()) for line in source.lines)
    return [found[1] for found in matches if found]


def read_assignments(
    source: Source,
    folder: Path,
    *,
    names: Mapping[str, str],
    ignored: Iterable[str],
    normalize: Callable[[str], str],
    read_value: Callable[[Piece], Piece],
    sign_is_optional: bool = False,
) -> Assignments:
    """Read the settings of a file.

    Parameters
    ----------
    source : Source
        The text of the file.
    folder : Path
        The folder that relative paths start from.
    names : mapping from str to str
        The canonical name of each normalised key.
    ignored : iterable of str
        Normalised keys to skip without an error.
    normalize : callable
        Maps all spellings of a key to one.
    read_value : callable
        Reads the value: the text after the sign, up to the end of the line.
    sign_is_optional : bool, default=False
        Whether whitespace may replace the sign.
    """
    settings: dict[str, Setting] = {}
    faults, skipped = Faults(), set(ignored)
    for number, line in enumerate(source.lines, start=1):
        with faults.collecting():
            piece = Piece(line, source, number, 1).strip()
            if not piece.text or piece.text.startswith("#"):
                continue
            given, value = _read_line(piece, sign_is_optional=sign_is_optional)
            key = normalize(given.text)
            if key in skipped:
                continue
            if key not in names:
                hint = f"{suggest(given.text, names)} (or put # before the line to skip it)"
                raise given.error(f"{given.text!r} is not supported", hint=hint)
            setting = Setting(given, read_value(value))
            if setting.value.text in _ABSENT:
                continue
            first = settings.setdefault(names[key], setting)
            if first is not setting:
                problem = f"duplicate key, first in line {first.key.line}"
                raise setting.key.error(problem, key=setting.key.text, hint="remove one of the two")
    return Assignments(source, folder, settings, faults)


def _read_line(piece: Piece, *, sign_is_optional: bool) -> tuple[Piece, Piece]:
    """Return key and value."""
    found = _LINE.fullmatch(piece.text) or (sign_is_optional and _LINE_WITHOUT_SIGN.fullmatch(piece.text))
    if not found:
        raise piece.error("expected key = value", hint="start comments with #")
    piece.refuse_invisible()
    return piece.cut(*found.span(1)), piece.cut(*found.span(2))
