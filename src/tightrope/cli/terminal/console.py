"""Terminal: who says what to whom; prose for people, JSON for programs, and how much of it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from math import isfinite
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.text import Text

from tightrope.cli.terminal import words

_Command = TypeVar("_Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Terminal:
    """What a verb says: prose goes to stdout, or to stderr if stdout is for JSON.

    Attributes
    ----------
    quiet : bool
        Only results are said.
    verbose : bool
        Details are said as well.
    is_json : bool
        Stdout is for programs.
    console : Console
        Where prose goes.
    """

    quiet: bool
    verbose: bool
    is_json: bool
    console: Console

    @classmethod
    def of(
        cls, *, quiet: bool, verbose: bool, is_json: bool, no_color: bool, to_stderr: bool = False
    ) -> "Terminal":
        """Return the terminal that the options ask for; `to_stderr`, prose goes to stderr in any case."""
        # Nothing is guessed to be markup or coloured by its looks: it may be a user's path or value.
        console = Console(
            stderr=is_json or to_stderr,
            no_color=no_color or None,
            highlight=False,
            markup=False,
            soft_wrap=True,
            emoji=False,
        )
        return cls(quiet, verbose, is_json, console)

    @property
    def can_redraw(self) -> bool:
        """Whether what was said can be drawn anew: on a terminal that moves its cursor."""
        return self.console.is_terminal and not self.console.is_dumb_terminal

    def folded(self, text: str, *, indent: int = 0) -> str:
        """Return prose with lines that a terminal has room for; a file or pipe gets it as it is."""
        return words.folded(text, self.console.width, indent) if self.console.is_terminal else text

    def detail(self, text: str) -> None:
        """Say what only those want to know who asked for everything."""
        if self.verbose:
            self._print(text, "dim")

    def say(self, text: str = "", *, style: str | None = None) -> None:
        """Say something to people, unless they asked for quiet."""
        if not self.quiet:
            self._print(text, style)

    def result(self, text: str, *, style: str | None = None) -> None:
        """Say what the command was called for."""
        self._print(text, style)

    def warn(self, text: str) -> None:
        """Say what somebody ought to look at, whatever they asked for."""
        self._print(text, "yellow")

    def _print(self, text: str, style: str | None) -> None:
        # As a text with its style: a style of the whole printing would be that of the living line below, too.
        self.console.print(Text(text, style=style or ""))

    def data(self, value: Any) -> None:
        """Give programs their JSON, one value on a line, if they asked for it."""
        if self.is_json:
            click.echo(json.dumps(plain(value), allow_nan=False))


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it: infinite and unknown numbers become null."""
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, float):
        return value if isfinite(value) else None
    if value is None or isinstance(value, str | int):
        return value
    # A number of numpy's, or a choice that is an object of the user's.
    return plain(value.item()) if hasattr(value, "item") else str(value)


def with_terminal(command: _Command) -> _Command:
    """Give a verb the options -q, -v, --json and --no-color, and pass it what they mean as `terminal`."""
    return _with_terminal(command, to_stderr=False)


def with_terminal_on_stderr(command: _Command) -> _Command:
    """Do the same for a verb whose stdout is for what it was asked for alone."""
    return _with_terminal(command, to_stderr=True)


def _with_terminal(command: _Command, *, to_stderr: bool) -> _Command:
    @click.option("-q", "--quiet", is_flag=True, help="Say only the result.")
    @click.option("-v", "--verbose", is_flag=True, help="Say everything.")
    @click.option("--json", "is_json", is_flag=True, help="JSON on stdout, prose on stderr.")
    @click.option("--no-color", is_flag=True, help="No colours; NO_COLOR=1 does the same.")
    @wraps(command)
    def wrapped(*args: Any, quiet: bool, verbose: bool, is_json: bool, no_color: bool, **options: Any) -> Any:
        if quiet and verbose:
            raise click.UsageError("-q and -v contradict each other: leave one out.")
        terminal = Terminal.of(
            quiet=quiet, verbose=verbose, is_json=is_json, no_color=no_color, to_stderr=to_stderr
        )
        return command(*args, terminal=terminal, **options)

    return wrapped  # type: ignore[return-value]
