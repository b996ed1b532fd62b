"""The living line of a tuning, and what is printed above it: one line for each improvement."""

import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType
from typing import Final, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from tightrope.budget import Budget
from tightrope.cli.terminal import phrases, words
from tightrope.cli.terminal.console import Terminal
from tightrope.cli.terminal.phrases import Kind
from tightrope.compare.progress import Progress, ProgressTracker
from tightrope.records import Event, Finished, Improved, Noted, Resumed, Run, Status

Clock = Callable[[], float]

_REFRESHES_PER_S: Final = 4
_ADDED_UP_EVERY_S: Final = 0.2  # for the living line: adding up costs time that runs could use
PULSE_S: Final = 600.0
_BELOW: Final = 6  # columns by which the rest of an improvement is indented


class LiveProgress:
    """Shows a tuning while it goes on: a living line on a terminal, plain lines elsewhere.

    Parameters
    ----------
    terminal : Terminal
        Where it speaks, and how much.
    tracker : ProgressTracker
        Adds events up.
    budget : Budget
        What the tuning may spend.
    kind : Kind
        What its cost is.
    clock : callable
        Seconds since some moment.
    pulse_s : float
        Where nothing lives: how often it is said that all is well.
    """

    def __init__(
        self,
        terminal: Terminal,
        tracker: ProgressTracker,
        *,
        budget: Budget,
        kind: Kind,
        clock: Clock,
        pulse_s: float = PULSE_S,
    ) -> None:
        self._terminal, self._tracker, self._budget, self._kind = terminal, tracker, budget, kind
        self._clock, self._pulse_s = clock, pulse_s
        self._start_s = clock()
        self._added_up_s = clock()
        self._progress = tracker.progress()
        self._has_failed = False
        self._while_open = ExitStack()

    @property
    def wall_s(self) -> float:
        """Time that the tuning has taken, in earlier sittings as well."""
        return self._clock() - self._start_s

    def watch(self, event: Event) -> None:
        """Take an event, and say what is to be said of it."""
        self._tracker.take(event)
        if isinstance(event, Resumed):
            self._start_s = self._clock() - event.used_s
        is_news = isinstance(event, Improved | Resumed)
        if is_news or self._clock() - self._added_up_s >= _ADDED_UP_EVERY_S:
            self._progress, self._added_up_s = self._tracker.progress(), self._clock()
        if isinstance(event, Improved):
            said = improvement(self._progress, self._kind, wall_s=self.wall_s)
            self._terminal.say(self._terminal.folded(said, indent=_BELOW), style="green")
        elif isinstance(event, Finished):
            number = self._tracker.number(event.run.trial.config)
            self._terminal.detail(
                f"{words.clock(self.wall_s)}  {phrases.ended(event.run, number, self._kind)}"
            )
            self._show_first_failure(event.run, number)
        elif isinstance(event, Noted):
            self._terminal.detail(f"{words.clock(self.wall_s)}  {event.finding}")

    def _show_first_failure(self, run: Run, number: int) -> None:
        """Show what a failure looks like, once: others are counted."""
        if run.outcome.status is Status.FAILED and not self._has_failed:
            self._has_failed = True
            said = phrases.failure(run, number)
            self._terminal.say(f"{words.clock(self.wall_s)}  {said}", style="yellow")

    def __enter__(self) -> Self:
        if self._terminal.quiet:
            return self
        console = self._terminal.console
        if self._terminal.can_redraw:
            live = Live(
                console=console,
                get_renderable=self._render,
                refresh_per_second=_REFRESHES_PER_S,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._while_open.enter_context(live)
        else:
            self._while_open.enter_context(Pulse(self._say_line, self._pulse_s))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._while_open.close()

    def _render(self) -> RenderableType:
        return rendered(self._line_parts(), self._terminal.console)

    def _say_line(self) -> None:
        self._terminal.say("  ".join(self._line_parts()))

    def _line_parts(self) -> list[str]:
        progress = replace(self._progress, n_busy=self._tracker.n_busy)
        return line_parts(progress, self._budget, self._kind, wall_s=self.wall_s)


class Pulse:
    """Calls something again and again from a thread of its own, until it is left."""

    def __init__(self, beat: Callable[[], None], every_s: float) -> None:
        self._beat, self._every_s = beat, every_s
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pulse", daemon=True)

    def _run(self) -> None:
        while not self._ended.wait(self._every_s):
            self._beat()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._ended.set()
        self._thread.join()


def line_parts(progress: Progress, budget: Budget, kind: Kind, *, wall_s: float) -> list[str]:
    """Return the parts of the living line, the most important first."""
    against = phrases.compared(progress.against_default, kind, briefly=True)
    slots = f"{progress.n_busy} of {words.count(progress.slots, 'slot')} busy" if progress.slots else ""
    parts = [
        phrases.used_up(budget, progress, kind, wall_s=wall_s),
        f"incumbent #{progress.number}",
        phrases.estimated(progress.cost, kind),
        against,
        phrases.effort(progress, kind),
        phrases.source(progress),
        slots,
    ]
    return [part for part in parts if part]


def rendered(parts: list[str], console: Console) -> RenderableType:
    """Return the living line for a console: several lines if it is narrow."""
    first, *others = parts
    width = console.width - 1
    # Below the first part if there is room for the longest of the others.
    indent = max(2, min(len(first) + 2, width - max(map(len, others), default=0)))
    lines = phrases.flow(parts, width=width, indent=indent)
    return Group(*(Text(line, no_wrap=True, overflow="ellipsis") for line in lines))


def improvement(progress: Progress, kind: Kind, *, wall_s: float) -> str:
    """Say that there is a new incumbent, and in what it differs from the default."""
    cost = phrases.estimated(progress.cost, kind)
    against = phrases.compared(progress.against_default, kind, briefly=True)
    differs = phrases.changes(progress.config, progress.default)
    return f"{words.clock(wall_s)}  #{progress.number}  {cost}, {against}:  {differs}"
