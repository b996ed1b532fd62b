"""tightrope check: everything that a tuning needs is looked at, and really run."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tightrope.cli.main import Exit
from tightrope.cli.runs.folder import require_file
from tightrope.cli.terminal.console import Voice, speaking
from tightrope.cli.terminal.duration import DURATION
from tightrope.cli.terminal.words import duration

if TYPE_CHECKING:
    from tightrope.preflight.report import CheckLine, CheckReport, Marks


@click.command("check")
@click.argument("scenario", type=click.Path(path_type=Path), default="scenario.toml")
@click.option("--fast", is_flag=True, help="Run nothing: only what can be seen on paper.")
@click.option("--within", type=DURATION, default="2m", show_default=True, help="Time for all runs together.")
@click.option("--workers", type=click.IntRange(1), default=1, help="Runs at once, for the arithmetic.")
@speaking
def command(scenario: Path, fast: bool, within: float, workers: int, voice: Voice) -> Exit:
    """Look at everything that a tuning needs, before hours are spent on it.

    Runs the default config, again with the same seed, once more to prove that it can be cut short with all
    its children, and a few random configs; times the start-up; and does the arithmetic of the budget.

    Exit code 0 if you can go on, perhaps with warnings; 1 if something must be mended.

    \b
    tightrope check
    tightrope check solver.toml --within 30s
    """  # noqa: D301 (click's mark of lines that are to stay as they are)
    require_file(scenario)
    from tightrope.api.check import check  # takes its time
    from tightrope.scenario import read_scenario

    read = read_scenario(scenario)
    if not fast:
        voice.say(f"checking {scenario}, which takes {duration(within)} at most")
    marks = marks_for(voice)
    report = check(
        read, fast=fast, within_s=within, slots=workers, watch=lambda line: _show(line, marks, voice)
    )
    voice.data({"ready": report.is_ready, "lines": [line.as_dict() for line in report.lines]})
    _conclude(report, scenario, voice)
    return Exit.DONE if report.is_ready else Exit.REFUSED


def marks_for(voice: Voice) -> "Marks":
    """Return marks that the terminal can show."""
    from tightrope.preflight.report import ASCII_MARKS, MARKS

    try:
        "".join((MARKS.fine, MARKS.error)).encode(voice.console.encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII_MARKS
    return MARKS


def _show(line: "CheckLine", marks: "Marks", voice: Voice) -> None:
    from tightrope.errors import Severity
    from tightrope.preflight.report import write_line

    style = {None: None, Severity.WARNING: "yellow", Severity.ERROR: "red"}[line.severity]
    if voice.quiet and line.severity is not Severity.ERROR:
        return
    for text in write_line(line, marks):
        voice.result(text, style=style)


def _conclude(report: "CheckReport", scenario: Path, voice: Voice) -> None:
    named = "" if scenario == Path("scenario.toml") else f" {scenario}"
    # Errors come first: whoever looks up one code looks up the one that matters.
    if found := sorted(report.findings, key=lambda finding: finding.severity.value):
        voice.say(f"what a code means:  tightrope explain {found[0].code}")
    if report.is_ready:
        voice.say(f"next:  tightrope tune{named}")
    else:
        voice.say(f"mend what is marked, then:  tightrope check{named}")
