"""Show the status of a tuning: once, or repeatedly until the tuning ends."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Group
from rich.live import Live
from rich.text import Text

from tightrope.budget import Budget
from tightrope.cli.runs.folder import RunFolder
from tightrope.cli.runs.look import look, view_of
from tightrope.cli.runs.replay import Replay, Replayed
from tightrope.cli.runs.view import View
from tightrope.cli.terminal.console import Terminal
from tightrope.cli.terminal.live import HEARTBEAT_S, Clock, improvement, line_parts
from tightrope.cli.terminal.output import visible
from tightrope.cli.terminal.phrases import Kind
from tightrope.cli.terminal.status_screen import status_lines

_REFRESH_S: Final = 2.0


def find_view(folder: RunFolder, *, watch: bool, terminal: Terminal) -> View:
    """Return what is to be printed of a tuning, now or, if it is watched, when it has ended."""
    if not watch:
        return look(folder, terminal)[0]
    seen = _watch(folder, Replay(folder, terminal), terminal)
    return view_of(seen, folder.settings).placed(folder.path)


def _watch(folder: RunFolder, replay: Replay, terminal: Terminal) -> Replayed:
    """Show the status repeatedly while a process writes the journal; return the last status."""
    seen = replay.look()
    with _display(folder, terminal) as display:
        while seen.writer is not None:
            display(seen)
            began_s = time.monotonic()
            time.sleep(_REFRESH_S)
            seen = replay.look()
            # Reading a long journal takes CPU time: rest as long as that took, so as not to disturb runs.
            time.sleep(max(0.0, time.monotonic() - began_s - _REFRESH_S))
    return seen


@contextmanager
def _display(folder: RunFolder, terminal: Terminal) -> Iterator[Callable[[Replayed], None]]:
    """Yield a function that displays a status: on a redrawn screen if possible, else in plain lines."""
    if not terminal.can_redraw:
        yield StatusLog(terminal).add
        return
    with Live(console=terminal.console, auto_refresh=False, transient=True) as live:

        def draw(seen: Replayed) -> None:
            *now, _ = status_lines(folder, seen)  # the next command would be the one that is running
            lines = (Text(visible(line), no_wrap=False, overflow="fold") for line in now)
            live.update(Group(*lines), refresh=True)

        yield draw


class StatusLog:
    """Prints one line per change: the status at first and every ten minutes, and each improvement."""

    def __init__(self, terminal: Terminal, clock: Clock = time.monotonic) -> None:
        self._terminal, self._clock = terminal, clock
        self._n_improvements: int | None = None
        self._printed_s = clock()

    def add(self, seen: Replayed) -> None:
        """Print what is new since the last status, if anything is."""
        kind, n_improvements = Kind.of(seen.scenario), len(seen.trajectory)
        if self._n_improvements is not None and n_improvements > self._n_improvements:
            self._print(improvement(seen.progress, kind, wall_s=seen.wall_s))
        elif self._n_improvements is None or self._clock() - self._printed_s >= HEARTBEAT_S:
            budget = Budget.of(seen.scenario.budget)
            self._print("  ".join(line_parts(seen.progress, budget, kind, wall_s=seen.wall_s)))
        self._n_improvements = n_improvements

    def _print(self, line: str) -> None:
        self._terminal.say(line)
        self._printed_s = self._clock()
