"""Live progress of a tuning: one line that is redrawn, and a line above it for each improvement."""

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
from tightrope.cli.terminal.output import one_line, visible
from tightrope.cli.terminal.phrases import Kind
from tightrope.compare.progress import Progress, ProgressTracker
from tightrope.records import Event, Finished, Improved, Noted, Resumed, Run, Status

Clock = Callable[[], float]

_REFRESHES_PER_S: Final = 4
_SUMMARY_EVERY_S: Final = 0.2  # summing up takes CPU time that runs could use
HEARTBEAT_S: Final = 600.0  # between two progress lines where lines cannot be redrawn
_INDENT: Final = 6  # of the wrapped lines of an improvement


class LiveProgress:
    """Shows a tuning while it runs: a live line on a terminal, plain lines elsewhere.

    Parameters
    ----------
    terminal : Terminal
        Where it prints.
    tracker : ProgressTracker
        Sums up the events.
    budget : Budget
        Budget of the tuning.
    kind : Kind
        Kind of its cost.
    clock : callable
        Returns seconds since a fixed moment.
    heartbeat_s : float
        Seconds between two progress lines where lines cannot be redrawn.
    """

    def __init__(
        self,
        terminal: Terminal,
        tracker: ProgressTracker,
        *,
        budget: Budget,
        kind: Kind,
        clock: Clock,
        heartbeat_s: float = HEARTBEAT_S,
    ) -> None:
        self._terminal, self._tracker, self._budget, self._kind = terminal, tracker, budget, kind
        self._clock, self._heartbeat_s = clock, heartbeat_s
        self._start_s = clock()
        self._summed_up_s = clock()
        self._progress: Progress | None = None  # as of `_summed_up_s`, once there is a line to show
        self._has_failed = False
        self._while_open = ExitStack()

    @property
    def wall_s(self) -> float:
        """Wall time of the tuning, earlier sessions included."""
        return self._clock() - self._start_s

    def watch(self, event: Event) -> None:
        """Take an event and print what is worth printing."""
        self._tracker.take(event)
        if isinstance(event, Resumed):
            self._start_s = self._clock() - event.used_s
        is_due = self._clock() - self._summed_up_s >= _SUMMARY_EVERY_S
        if isinstance(event, Improved):
            text = improvement(self._sum_up(), self._kind, wall_s=self.wall_s)
            self._terminal.say(self._terminal.folded(text, indent=_INDENT), style="green")
        elif is_due or isinstance(event, Resumed):
            self._sum_up()
        if isinstance(event, Finished):
            number = self._tracker.number(event.run.trial.config)
            self._terminal.detail(
                f"{words.clock(self.wall_s)}  {phrases.ended(event.run, number, self._kind)}"
            )
            self._show_first_failure(event.run, number)
        elif isinstance(event, Noted):
            self._terminal.detail(f"{words.clock(self.wall_s)}  {one_line(str(event.finding))}")

    def _sum_up(self) -> Progress:
        progress = self._tracker.progress()
        self._progress, self._summed_up_s = progress, self._clock()
        return progress

    def _show_first_failure(self, run: Run, number: int) -> None:
        """Print the first failure in full; later ones are only counted."""
        if run.outcome.status is Status.FAILED and not self._has_failed:
            self._has_failed = True
            text = phrases.failure(run, number)
            self._terminal.say(f"{words.clock(self.wall_s)}  {text}", style="yellow")

    def __enter__(self) -> Self:
        if self._terminal.quiet:
            return self
        self._sum_up()
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
            self._while_open.enter_context(Heartbeat(self._say_line, self._heartbeat_s))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._while_open.close()

    def _render(self) -> RenderableType:
        return render_line(self._line_parts(), self._terminal.console)

    def _say_line(self) -> None:
        self._terminal.say("  ".join(self._line_parts()))

    def _line_parts(self) -> list[str]:
        assert self._progress is not None  # since __enter__, which starts whatever asks for a line
        progress = replace(self._progress, n_busy=self._tracker.n_busy)
        return line_parts(progress, self._budget, self._kind, wall_s=self.wall_s)


class Heartbeat:
    """Calls a function periodically in its own thread, until the context is left."""

    def __init__(self, call: Callable[[], None], every_s: float) -> None:
        self._call, self._every_s = call, every_s
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def _run(self) -> None:
        while not self._ended.wait(self._every_s):
            self._call()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._ended.set()
        self._thread.join()


def line_parts(progress: Progress, budget: Budget, kind: Kind, *, wall_s: float) -> list[str]:
    """Return the parts of the live line, the most important first."""
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


def render_line(parts: list[str], console: Console) -> RenderableType:
    """Lay out the live line for a console: several lines if it is narrow."""
    first, *others = map(visible, parts)  # before it is cut to the width
    width = console.width - 1
    # Aligned after the first part if the longest of the others still fits.
    indent = max(2, min(len(first) + 2, width - max(map(len, others), default=0)))
    lines = phrases.flow([first, *others], width=width, indent=indent)
    return Group(*(Text(line, no_wrap=True, overflow="ellipsis") for line in lines))


def improvement(progress: Progress, kind: Kind, *, wall_s: float) -> str:
    """Describe a new incumbent and how it differs from the default."""
    cost = phrases.estimated(progress.cost, kind)
    against = phrases.compared(progress.against_default, kind, briefly=True)
    differs = phrases.changes(progress.config, progress.default)
    return f"{words.clock(wall_s)}  #{progress.number}  {cost}, {against}:  {differs}"
