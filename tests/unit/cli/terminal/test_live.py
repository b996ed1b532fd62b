"""The live line, and the lines above it."""

import io
import re
import threading
from math import inf

import pytest
from rich.console import Console

from tightrope import Scenario
from tightrope.budget import Budget
from tightrope.cli.terminal.console import Terminal
from tightrope.cli.terminal.live import Heartbeat, LiveProgress, render_line
from tightrope.cli.terminal.phrases import Kind
from tightrope.compare.progress import ProgressTracker
from tightrope.errors import Finding, Severity
from tightrope.records import (
    Basis,
    Config,
    Event,
    Finished,
    Improved,
    Incumbent,
    Noted,
    Outcome,
    Resumed,
    Run,
    Selected,
    Started,
    Status,
    Task,
    Trial,
)

DEFAULT, OTHER = Config({"x": 0.5}), Config({"x": 0.2})
KIND = Kind("CPU time", is_time=True)


class Clock:
    """Shows what it is set to."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def run_of(number: int, config: Config, instance: str, cost: float, status: Status = Status.DONE) -> Run:
    return Run(Trial(number, config, 10.0, Task(instance)), Outcome(number, status, cost, cost))


def events() -> list[Event]:
    """Return a short tuning: a default that was cut once, and something better."""
    selected = Selected((OTHER,), Basis.MODEL)
    runs = [
        run_of(0, DEFAULT, "a", 4.0),
        run_of(1, DEFAULT, "b", 10.0, Status.CAPPED),
        run_of(2, OTHER, "a", 2.0),
        run_of(3, OTHER, "b", 2.0),
    ]
    told: list[Event] = []
    for run in runs:
        told += [selected] * (run.trial.id == 2) + [Started(run.trial, 2), Finished(run)]
    return [*told, Improved(Incumbent(OTHER, 2.0, 2)), Started(run_of(4, OTHER, "c", 1.0).trial, 2)]


def show_on(console: Console, clock: Clock, *, quiet: bool = False, verbose: bool = False) -> LiveProgress:
    scenario = Scenario(space={"x": (0.0, 1.0)}, instances=["a", "b", "c"], ceiling=10.0, budget=100.0)
    terminal = Terminal(quiet, verbose, is_json=False, console=console)
    return LiveProgress(terminal, ProgressTracker(scenario), budget=Budget(wall="1h"), kind=KIND, clock=clock)


def console_of(*, is_terminal: bool, width: int = 200) -> Console:
    return Console(
        file=io.StringIO(),
        force_terminal=is_terminal,
        width=width,
        highlight=False,
        soft_wrap=True,
        color_system=None,
    )


def said_on(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def play(show: LiveProgress, clock: Clock, what: list[Event]) -> None:
    for event in what:
        clock.now_s += 10.0
        show.watch(event)


def test_a_pipe_gets_one_line_for_an_improvement() -> None:
    console, clock = console_of(is_terminal=False), Clock()
    with show_on(console, clock) as show:
        play(show, clock, events())
    assert said_on(console) == (
        "1:40  #1  2.00 s on 2 tasks, >= 3.5x faster than the default (1 of its runs cut):  x = 0.2 (0.5)\n"
    )


def test_a_terminal_shows_the_live_line() -> None:
    console, clock = console_of(is_terminal=True), Clock()
    with show_on(console, clock) as show:
        play(show, clock, events())
    assert (
        "1:50 of 1:00:00  incumbent #1  2.00 s on 2 tasks  >= 3.5x faster than the default (1 of its runs "
        "cut)  4 runs, 25 % cut short  challengers from the model and at random  1 of 2 slots busy"
    ) in said_on(console)


def test_a_narrow_terminal_gets_several_lines() -> None:
    console = console_of(is_terminal=False, width=30)
    console.print(render_line(["0:10 of 1:00", "incumbent #1", "2.00 s on 2 tasks"], console))
    assert said_on(console) == "0:10 of 1:00  incumbent #1\n            2.00 s on 2 tasks\n"


def test_what_is_wider_than_the_terminal_is_cut() -> None:
    console = console_of(is_terminal=False, width=20)
    console.print(render_line(["0:10 of 1:00", "a part that is longer than the line"], console))
    assert all(len(line) <= 20 for line in said_on(console).splitlines())


def test_quiet_shows_nothing() -> None:
    console, clock = console_of(is_terminal=True), Clock()
    with show_on(console, clock, quiet=True) as show:
        play(show, clock, events())
    assert said_on(console) == ""


def test_verbose_tells_every_run_and_finding() -> None:
    console, clock = console_of(is_terminal=False), Clock()
    noted = Noted(Finding("T01", Severity.WARNING, "trial 1", "it claims 9 s"))
    with show_on(console, clock, verbose=True) as show:
        play(show, clock, [*events()[:4], noted])
    assert said_on(console) == (
        "0:20  run 0  #0  a seed 0  cap 10.0 s  done, 4.00 s\n"
        "0:40  run 1  #0  b seed 0  cap 10.0 s  cut at 10.0 s\n"
        "0:50  T01 trial 1: it claims 9 s\n"
    )


def test_only_the_first_failure_is_shown_with_its_output() -> None:
    console, clock = console_of(is_terminal=False), Clock()
    note = "exit code 3\n$ ./solver --x=0.2 a\nstderr: no licence"
    runs = [
        Run(Trial(i, OTHER, 10.0, Task("a")), Outcome(i, Status.FAILED, inf, 0.1, note=note)) for i in (1, 2)
    ]
    with show_on(console, clock) as show:
        play(show, clock, [Finished(run) for run in runs])
    assert said_on(console) == (
        "0:10  #1 failed on a; further failures are only counted\n"
        "    exit code 3\n    $ ./solver --x=0.2 a\n    stderr: no licence\n"
    )


def test_time_goes_on_from_where_it_was() -> None:
    clock = Clock()
    show = show_on(console_of(is_terminal=False), clock)
    show.watch(Resumed((run_of(0, DEFAULT, "a", 4.0),), (), (), 500.0))
    clock.now_s += 7.0
    assert show.wall_s == 507.0


def test_a_heartbeat_calls_until_its_context_is_left() -> None:
    beaten, before = threading.Event(), threading.enumerate()
    with Heartbeat(beaten.set, 0.001):
        assert beaten.wait(60.0)
    assert set(threading.enumerate()) <= set(before)


def test_an_improvement_is_broken_between_words_where_the_terminal_is_narrow() -> None:
    console, clock = console_of(is_terminal=True, width=40), Clock()
    show = show_on(console, clock)
    play(show, clock, events())
    assert said_on(console) == (
        "1:40  #1  2.00 s on 2 tasks, >= 3.5x\n"
        "      faster than the default (1 of its\n"
        "      runs cut):  x = 0.2 (0.5)\n"
    )


def test_only_the_improvement_itself_is_coloured() -> None:
    console, clock = (
        Console(file=io.StringIO(), force_terminal=True, color_system="standard", width=200),
        Clock(),
    )
    with show_on(console, clock) as show:
        play(show, clock, events())
    green = re.findall(r"\x1b\[32m(.*?)\x1b\[0m", said_on(console), re.DOTALL)
    assert [text.split("  ")[:2] for text in green] == [["1:40", "#1"]]


def test_a_terminal_that_cannot_move_its_cursor_gets_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    console, clock = console_of(is_terminal=True), Clock()
    with show_on(console, clock) as show:
        play(show, clock, events())
        assert "heartbeat" in {thread.name for thread in threading.enumerate()}
    assert said_on(console) == (
        "1:40  #1  2.00 s on 2 tasks, >= 3.5x faster than the default (1 of its runs\n"
        "      cut):  x = 0.2 (0.5)\n"
    )
