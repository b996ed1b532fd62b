"""The progress of a validation or check, from the first run on."""

import io
from dataclasses import replace

import pytest

from tightrope.cli.terminal.console import Terminal, VisibleConsole
from tightrope.cli.terminal.run_progress import RunProgress
from tightrope.records import Config, Finished, Outcome, Queued, Run, Started, Status, Task, Trial


class _Clock:
    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def trial(number: int, instance: str) -> Trial:
    return Trial(number, Config({"x": 1}), 9.0, Task(instance))


def finished(of: Trial, status: Status = Status.DONE) -> Finished:
    return Finished(Run(of, Outcome(of.id, status, 1.0, 1.0)))


def progress(clock: _Clock) -> RunProgress:
    terminal = Terminal.of(quiet=False, verbose=False, is_json=False, no_color=True)
    return RunProgress(terminal, "validating", clock)


def test_the_first_run_is_shown_with_its_time(capsys: pytest.CaptureFixture[str]) -> None:
    clock = _Clock()
    shown = progress(clock)
    shown.watch(Queued(2, 6))
    assert capsys.readouterr().out == "6 runs, 2 of them done before\n"
    shown.watch(Started(trial(0, "a\nb.cnf"), 2))
    clock.now_s = 12.0
    shown.watch(Started(trial(1, "c.cnf"), 2))
    assert shown.line() == r"validating  2 of 6 runs done  running 0:12 on a\nb.cnf and 1 more"
    shown.watch(finished(trial(0, "a\nb.cnf")))
    shown.watch(finished(trial(1, "c.cnf"), Status.LOST))
    assert shown.line() == "validating  3 of 6 runs done"


def test_probes_are_counted_without_a_total() -> None:
    shown = progress(_Clock())
    shown.probed(trial(0, ""), None)
    assert shown.line() == "validating  0 runs done  running 0:00"
    shown.probed(trial(0, ""), object())
    assert (shown.line(), shown.n_done) == ("validating  1 run done", 1)


def test_a_terminal_shows_the_line_while_it_runs() -> None:
    console = VisibleConsole(file=io.StringIO(), width=80, force_terminal=True, legacy_windows=False)
    terminal = replace(Terminal.of(quiet=False, verbose=False, is_json=False, no_color=True), console=console)
    with RunProgress(terminal, "checking") as shown:
        shown.probed(trial(0, "a.cnf"), None)
    assert isinstance(console.file, io.StringIO)
    assert "checking  0 runs done" in console.file.getvalue()
