"""Progress of a verb that runs a few trials: a line that is redrawn on a terminal, plain lines elsewhere."""

import time
from contextlib import ExitStack
from types import TracebackType
from typing import Final, Self

from rich.live import Live
from rich.text import Text

from tightrope.cli.terminal import words
from tightrope.cli.terminal.console import Terminal
from tightrope.cli.terminal.live import HEARTBEAT_S, Clock, Heartbeat
from tightrope.cli.terminal.output import one_line
from tightrope.records import Event, Finished, Queued, Started, Status, Trial

_REFRESHES_PER_S: Final = 4


class RunProgress:
    """Shows what runs, for how long, and how many runs are done, from the first run on.

    Parameters
    ----------
    terminal : Terminal
        Where it prints.
    doing : str
        What the verb does, such as "validating".
    clock : callable
        Returns seconds since a fixed moment.
    """

    def __init__(self, terminal: Terminal, doing: str, clock: Clock = time.monotonic) -> None:
        self._terminal, self._doing, self._clock = terminal, doing, clock
        self._began_s: dict[int, float] = {}
        self._running: dict[int, Trial] = {}
        self._n_done = 0
        self._n_all: int | None = None
        self._while_open = ExitStack()

    @property
    def n_done(self) -> int:
        """Number of runs that are done."""
        return self._n_done

    def probed(self, trial: Trial, probe: object | None) -> None:
        """Take the start of a run, or with a probe its end."""
        if probe is None:
            self._begin(trial)
        else:
            self._running.pop(trial.id, None)
            self._n_done += 1

    def _begin(self, trial: Trial) -> None:
        self._running[trial.id], self._began_s[trial.id] = trial, self._clock()

    def watch(self, event: Event) -> None:
        """Take an event of a validation."""
        if isinstance(event, Queued):
            self._n_done, self._n_all = event.n_done, event.n_all
            there = f", {event.n_done} of them done before" if event.n_done else ""
            self._terminal.say(f"{words.count(event.n_all, 'run')}{there}")
        elif isinstance(event, Started):
            self._begin(event.trial)
        elif isinstance(event, Finished):
            trial, status = event.run.trial, event.run.outcome.status
            self._running.pop(trial.id, None)
            self._n_done += status is not Status.LOST
            self._terminal.detail(f"{one_line(trial.task.instance)} seed {trial.task.seed}: {status.value}")

    def line(self) -> str:
        """Return the line, such as "validating  3 of 40 runs done  running 0:12 on a.cnf"."""
        whole = "" if self._n_all is None else f" of {self._n_all}"
        runs = "run" if (self._n_all or self._n_done) == 1 else "runs"
        parts = [self._doing, f"{self._n_done}{whole} {runs} done"]
        if self._running:
            first = min(self._running, key=lambda trial: self._began_s[trial])
            since = words.clock(self._clock() - self._began_s[first])
            others = f" and {len(self._running) - 1} more" if len(self._running) > 1 else ""
            on = one_line(self._running[first].task.instance)
            parts.append(f"running {since}{f' on {on}' if on else ''}{others}")
        return "  ".join(parts)

    def __enter__(self) -> Self:
        if self._terminal.quiet:
            return self
        if self._terminal.can_redraw:
            live = Live(
                console=self._terminal.console,
                get_renderable=lambda: Text(self.line(), no_wrap=True, overflow="ellipsis"),
                refresh_per_second=_REFRESHES_PER_S,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._while_open.enter_context(live)
        else:
            beat = Heartbeat(lambda: self._terminal.say(self.line()), HEARTBEAT_S)
            self._while_open.enter_context(beat)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._while_open.close()
