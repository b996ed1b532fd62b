"""Terminal: prints messages for people and JSON for programs, as -q, -v and --json ask for."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from math import isfinite
from typing import Any, TypeVar

import click
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from tightrope.cli.terminal import words
from tightrope.cli.terminal.output import printable, visible, write_result

_Command = TypeVar("_Command", bound=Callable[..., Any])


class VisibleConsole(Console):
    """A console that makes the text of every message, table and live line visible before it is printed."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render; only rich's own control codes reach the terminal as they are."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else printable(text, self.encoding), style, control)


@dataclass(frozen=True, slots=True)
class Terminal:
    """Output of a verb: messages go to stdout, or to stderr if stdout holds JSON.

    Attributes
    ----------
    quiet : bool
        Print results and warnings only.
    verbose : bool
        Print details as well.
    is_json : bool
        Print JSON on stdout and messages on stderr.
    console : Console
        Where messages go.
    """

    quiet: bool
    verbose: bool
    is_json: bool
    console: Console

    @classmethod
    def of(
        cls, *, quiet: bool, verbose: bool, is_json: bool, no_color: bool, to_stderr: bool = False
    ) -> "Terminal":
        """Return the terminal for these options; with `to_stderr`, messages always go to stderr."""
        # No markup and no automatic highlighting: the text may be a user's path or value.
        console = VisibleConsole(
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
        """Whether lines can be redrawn: it is a terminal that can move its cursor."""
        return self.console.is_terminal and not self.console.is_dumb_terminal

    def folded(self, text: str, *, indent: int = 0) -> str:
        """Wrap text to the width of the terminal; text for a file or pipe stays as it is."""
        return words.folded(text, self.console.width, indent) if self.console.is_terminal else text

    def detail(self, text: str) -> None:
        """Print a detail: only with -v."""
        if self.verbose:
            self._print(text, "dim")

    def say(self, text: str = "", *, style: str | None = None) -> None:
        """Print a message: not with -q."""
        if not self.quiet:
            self._print(text, style)

    def result(self, text: str, *, style: str | None = None) -> None:
        """Print a result: always."""
        self._print(text, style)

    def warn(self, text: str) -> None:
        """Print a warning: always."""
        self._print(text, "yellow")

    def _print(self, text: str, style: str | None) -> None:
        # The style belongs to the text: given to print(), it would colour the live line below as well.
        self.console.print(Text(visible(text), style=style or ""))

    def data(self, value: Any) -> None:
        """Print a value as one line of JSON: only with --json."""
        if self.is_json:
            write_result(json.dumps(plain(value), allow_nan=False) + "\n")


def plain(value: Any) -> Any:
    """Convert a value to what JSON can hold: infinity and NaN become null."""
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, float):
        return value if isfinite(value) else None
    if value is None or isinstance(value, str | int):
        return value
    # A numpy number, or a choice that is an object of the user's.
    return plain(value.item()) if hasattr(value, "item") else str(value)


def with_terminal(command: _Command) -> _Command:
    """Add the options -q, -v, --json and --no-color to a verb, and pass it a `terminal`."""
    return _with_terminal(command, to_stderr=False)


def with_terminal_on_stderr(command: _Command) -> _Command:
    """Do the same for a verb whose stdout holds nothing but its result."""
    return _with_terminal(command, to_stderr=True)


def _with_terminal(command: _Command, *, to_stderr: bool) -> _Command:
    @click.option("-q", "--quiet", is_flag=True, help="Print results and warnings only.")
    @click.option("-v", "--verbose", is_flag=True, help="Print details, such as every run.")
    @click.option("--json", "is_json", is_flag=True, help="Print JSON on stdout, messages on stderr.")
    @click.option("--no-color", is_flag=True, help="Disable colours, as does NO_COLOR=1.")
    @wraps(command)
    def wrapped(*args: Any, quiet: bool, verbose: bool, is_json: bool, no_color: bool, **options: Any) -> Any:
        if quiet and verbose:
            raise click.UsageError("-q and -v cannot be used together.")
        terminal = Terminal.of(
            quiet=quiet, verbose=verbose, is_json=is_json, no_color=no_color, to_stderr=to_stderr
        )
        return command(*args, terminal=terminal, **options)

    return wrapped  # type: ignore[return-value]
