"""The verb check: test a scenario with a few real runs."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tightrope.cli.files import require_scenario
from tightrope.cli.main import Exit
from tightrope.cli.options import Duration
from tightrope.cli.terminal.console import Terminal, with_terminal
from tightrope.cli.terminal.output import one_line
from tightrope.cli.terminal.signals import tidy_stop
from tightrope.cli.terminal.words import count, duration

if TYPE_CHECKING:
    from tightrope.preflight.report import CheckLine, CheckReport, Marks


@click.command("check")
@click.argument("scenario", type=click.Path(path_type=Path), default="scenario.toml")
@click.option("--fast", is_flag=True, help="Run nothing: static checks only.")
@click.option(
    "--within", type=Duration(), default="2m", show_default=True, help="Time limit for all runs together."
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="Runs at the same time during the tuning, to estimate the budget.",
)
@with_terminal
def command(scenario: Path, fast: bool, within: float, workers: int, terminal: Terminal) -> Exit:
    """Test everything a tuning needs before you spend hours on it.

    Runs the default config twice with the same seed, once more to prove that it can be killed with all its
    children, and then a few random configs. Measures the start-up time, and estimates how many runs the
    budget allows.

    Exit code: 0 if the scenario can be tuned, perhaps with warnings; 1 if there are errors to fix.

    \b
    Examples:
      tightrope check
      tightrope check solver.toml --within 30s
    """  # noqa: D301 (click needs the character \b, which keeps line breaks)
    require_scenario(scenario, "check")
    from tightrope.api.check import check  # slow imports: report wrong arguments first
    from tightrope.cli.terminal.run_progress import RunProgress
    from tightrope.preflight.report import CheckReport
    from tightrope.scenario import read_scenario

    read = read_scenario(scenario)
    if not fast:
        terminal.say(f"checking {scenario}; this takes at most {duration(within)}")
    lines: list[CheckLine] = []
    marks = marks_for(terminal)

    def show(line: "CheckLine") -> None:
        lines.append(line)
        _show(line, marks, terminal)

    with tidy_stop(), RunProgress(terminal, "checking") as progress:
        try:
            check(read, fast=fast, within_s=within, slots=workers, watch=show, watch_runs=progress.probed)
        except KeyboardInterrupt:
            return _stopped(CheckReport(lines), progress.n_done, scenario, terminal)
    report = CheckReport(lines)
    terminal.data({"ready": report.is_ready, "lines": [line.as_dict() for line in report.lines]})
    _conclude(report, scenario, terminal)
    return Exit.DONE if report.is_ready else Exit.REFUSED


def _stopped(report: "CheckReport", n_runs: int, scenario: Path, terminal: Terminal) -> Exit:
    """Say what was checked before the user stopped it."""
    names = ", ".join(line.name for line in report.lines) or "nothing"
    terminal.data({"ready": False, "stopped": True, "lines": [line.as_dict() for line in report.lines]})
    _say_codes(report, terminal)
    again = f"tightrope check{_named(scenario)}"
    terminal.result(f"stopped after {count(n_runs, 'run')}; checked: {names}. To check the rest:  {again}")
    return Exit.INTERRUPTED


def marks_for(terminal: Terminal) -> "Marks":
    """Return the marks that the terminal can display."""
    from tightrope.preflight.report import ASCII_MARKS, MARKS

    try:
        "".join((MARKS.fine, MARKS.error)).encode(terminal.console.encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII_MARKS
    return MARKS


def _show(line: "CheckLine", marks: "Marks", terminal: Terminal) -> None:
    from tightrope.errors import Severity
    from tightrope.preflight.report import write_line

    style = {None: None, Severity.WARNING: "yellow", Severity.ERROR: "red"}[line.severity]
    if terminal.quiet and line.severity is not Severity.ERROR:
        return
    for text in write_line(line, marks):
        terminal.result(one_line(text), style=style)


def _conclude(report: "CheckReport", scenario: Path, terminal: Terminal) -> None:
    _say_codes(report, terminal)
    if report.is_ready:
        terminal.say(f"next:  tightrope tune{_named(scenario)}")
    else:
        terminal.say(f"fix the errors above, then:  tightrope check{_named(scenario)}")


def _named(scenario: Path) -> str:
    return "" if scenario == Path("scenario.toml") else f" {shlex.quote(str(scenario))}"


def _say_codes(report: "CheckReport", terminal: Terminal) -> None:
    # The code of an error matters more than that of a warning.
    if found := sorted(report.findings, key=lambda finding: finding.severity.value):
        terminal.say(f"more about a code:  tightrope explain {found[0].code}")
