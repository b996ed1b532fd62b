"""Looking at a tuning: once, or again and again until it ends."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Group
from rich.live import Live
from rich.text import Text

from tightrope.budget import Budget
from tightrope.cli.runs.folder import RunFolder
from tightrope.cli.runs.replay import Replay, Replayed
from tightrope.cli.terminal.console import Terminal
from tightrope.cli.terminal.live import PULSE_S, Clock, improvement, line_parts
from tightrope.cli.terminal.phrases import Kind
from tightrope.cli.terminal.screen import WIDTH, facts, screen

_PERIOD_S: Final = 2.0  # between two looks


def show(folder: RunFolder, *, watch: bool, terminal: Terminal) -> None:
    """Show where a tuning stands, at once or when it has ended."""
    replay = Replay(folder, terminal)
    seen = _watch(folder, replay, terminal) if watch else replay.look()
    *lines, then = screen(folder, seen)
    for line in lines:
        terminal.result(terminal.folded(line, indent=WIDTH))
    terminal.result(then)
    terminal.data(facts(folder, seen))


def _watch(folder: RunFolder, replay: Replay, terminal: Terminal) -> Replayed:
    """Look again and again while somebody writes the journal; return what was seen last."""
    seen = replay.look()
    with _shown_on(folder, terminal) as tell:
        while seen.writer is not None:
            tell(seen)
            began_s = time.monotonic()
            time.sleep(_PERIOD_S)
            seen = replay.look()
            # A long journal takes its time to be read: rest as long as that, so that runs are not disturbed.
            time.sleep(max(0.0, time.monotonic() - began_s - _PERIOD_S))
    return seen


@contextmanager
def _shown_on(folder: RunFolder, terminal: Terminal) -> Iterator[Callable[[Replayed], None]]:
    """Return what shows a look: on a screen that lives, or in plain lines where nothing does."""
    if not terminal.can_redraw:
        yield Ticker(terminal).tell
        return
    with Live(console=terminal.console, auto_refresh=False, transient=True) as live:

        def tell(seen: Replayed) -> None:
            lines = (Text(line, no_wrap=False, overflow="fold") for line in screen(folder, seen))
            live.update(Group(*lines), refresh=True)

        yield tell


class Ticker:
    """Says in one line what is new: where it stands at first and now and then, and each improvement."""

    def __init__(self, terminal: Terminal, clock: Clock = time.monotonic) -> None:
        self._terminal, self._clock = terminal, clock
        self._n_improvements: int | None = None
        self._said_s = clock()

    def tell(self, seen: Replayed) -> None:
        """Say what is new since the last look, if anything is."""
        kind, n_improvements = Kind.of(seen.scenario), len(seen.trajectory)
        if self._n_improvements is not None and n_improvements > self._n_improvements:
            self._say(improvement(seen.progress, kind, wall_s=seen.wall_s))
        elif self._n_improvements is None or self._clock() - self._said_s >= PULSE_S:
            budget = Budget.of(seen.scenario.budget)
            self._say("  ".join(line_parts(seen.progress, budget, kind, wall_s=seen.wall_s)))
        self._n_improvements = n_improvements

    def _say(self, line: str) -> None:
        self._terminal.say(line)
        self._said_s = self._clock()
