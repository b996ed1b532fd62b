"""The verb export: write all runs for other programs."""

from pathlib import Path

import click

from tightrope.cli.main import Exit
from tightrope.cli.options import run_folder
from tightrope.cli.runs.folder import RunFolder, chosen_folder
from tightrope.cli.terminal.console import Terminal, with_terminal_on_stderr


@click.command()
@run_folder
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "jsonl", "parquet", "configspace", "smac3"]),
    default=None,
    show_default="csv, or jsonl with --json",
    help="csv, jsonl, parquet: one row per run; configspace: the parameters; smac3: a runhistory.json.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    show_default="stdout",
    metavar="FILE",
    help="Output file.",
)
@with_terminal_on_stderr
def command(folder: Path | None, form: str | None, output: Path | None, terminal: Terminal) -> Exit:
    """Export all runs of the tuning in DIR (default: the latest in ./runs).

    The cost of a run that was stopped at its cap (status "capped") is a lower bound: do not average it with
    the costs of finished runs.

    \b
    Examples:
      tightrope export -o runs.csv
      tightrope export runs/solver --format jsonl | jq .cost
    """  # noqa: D301 (click needs the character \b, which keeps line breaks)
    opened = RunFolder.open(chosen_folder(folder, terminal))
    from tightrope.cli.runs.export import export  # slow import: report wrong arguments first

    export(opened, form or ("jsonl" if terminal.is_json else "csv"), output, terminal=terminal)
    return Exit.DONE
