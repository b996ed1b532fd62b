"""Style: how a parameter and its value are written on a command line."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tightrope.errors import TargetError


@dataclass(frozen=True, slots=True)
class Style:
    """How parameters become command-line arguments.

    Parameters
    ----------
    parameters : str or mapping from str to str
        One pattern for all, or one for each parameter. A pattern is split at spaces into arguments, then
        `{name}` and `{value}` are filled in: "--{name}={value}", "-{name} {value}", "{value}".
    flags : str or None
        The pattern for a boolean parameter that is True, such as "--{name}"; after a "/", the pattern for
        False, such as "-{name}/-no-{name}". None: booleans are written like all others, as true and false.

    Examples
    --------
    >>> Style().words("alpha", 0.5)
    ['--alpha=0.5']
    >>> Style("-{name} {value}", flags="-{name}/-no-{name}").words("luby", False)
    ['-no-luby']
    """

    parameters: str | Mapping[str, str] = "--{name}={value}"
    flags: str | None = None

    def __post_init__(self) -> None:
        patterns = (
            {"parameters": self.parameters} if isinstance(self.parameters, str) else dict(self.parameters)
        )
        for key, pattern in patterns.items():
            if "{value}" not in pattern:
                raise TargetError(
                    f"the pattern {pattern!r} for {key!r} has no {{value}}", hint="write '--{name}={value}'"
                )
        if self.flags is not None and "{name}" not in self.flags:
            raise TargetError(
                f"the pattern {self.flags!r} for flags has no {{name}}", hint="write '--{name}'"
            )

    def words(self, name: str, value: Any) -> list[str]:
        """Return the arguments that set one parameter."""
        native = value.item() if hasattr(value, "item") else value
        if self.flags is not None and isinstance(native, bool):
            on, _, off = self.flags.partition("/")
            return [word.replace("{name}", name) for word in shlex.split(on if native else off)]
        return [_fill(word, name, write(native)) for word in shlex.split(self._pattern(name))]

    def _pattern(self, name: str) -> str:
        if isinstance(self.parameters, str):
            return self.parameters
        if name not in self.parameters:
            raise TargetError(
                f"parameter {name!r} has no pattern", hint=f"add a pattern for {name!r} to parameters"
            )
        return self.parameters[name]


def write(value: Any) -> str:
    """Write one value; a number reads back as the same number."""
    native = value.item() if hasattr(value, "item") else value
    text = str(native).lower() if isinstance(native, bool) else str(native)
    if "\0" in text:
        raise TargetError(f"the value {text!r} contains a zero byte, which a command line cannot hold")
    return text


def _fill(word: str, name: str, value: str) -> str:
    # The value is inserted last: it may itself look like a placeholder.
    return value.join(part.replace("{name}", name) for part in word.split("{value}"))
