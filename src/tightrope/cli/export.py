"""The verb export: write all runs for other programs."""

from pathlib import Path

import click

from tightrope.cli.main import Exit
from tightrope.cli.runs.folder import RunFolder, chosen_folder
from tightrope.cli.terminal.console import Terminal, with_terminal_on_stderr


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="[DIR]", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "jsonl", "parquet", "configspace", "smac3"]),
    default=None,
    help="csv, jsonl, parquet: one row for each run; configspace: the parameters; smac3: a runhistory.json. "
    "Usually csv; with --json, jsonl.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Usually stdout.")
@with_terminal_on_stderr
def command(folder: Path | None, form: str | None, output: Path | None, terminal: Terminal) -> Exit:
    """Write all runs of the tuning in DIR (the latest in ./runs) for other programs.

    The cost of a run that was cut short (status capped) is a lower bound: do not average it with others.

    \b
    tightrope export -o runs.csv
    tightrope export runs/solver --format jsonl | jq .cost
    """  # noqa: D301 (click's mark of lines that are to stay as they are)
    opened = RunFolder.open(chosen_folder(folder, terminal))
    from tightrope.cli.runs.export import extract  # takes its time

    usual = "jsonl" if terminal.is_json else "csv"
    extract(opened, form or usual, output, terminal=terminal)
    return Exit.DONE
