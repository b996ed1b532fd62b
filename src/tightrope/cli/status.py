"""The verb status: where a tuning stands, by its journal."""

from pathlib import Path

import click

from tightrope.cli.main import Exit
from tightrope.cli.runs.folder import RunFolder, chosen_folder
from tightrope.cli.terminal.console import Terminal, with_terminal


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="[DIR]", required=False)
@click.option(
    "--watch",
    is_flag=True,
    help="Look again every two seconds, until the tuning ends; into a file or pipe, a line for what is new.",
)
@with_terminal
def command(folder: Path | None, watch: bool, terminal: Terminal) -> Exit:
    """Show where the tuning in DIR (the latest in ./runs) stands.

    It only reads the journal: a tuning that is under way does not notice.

    \b
    tightrope status
    tightrope status runs/solver --watch
    """  # noqa: D301 (click's mark of lines that are to stay as they are)
    opened = RunFolder.open(chosen_folder(folder, terminal))
    from tightrope.cli.runs.watch import show  # takes its time

    show(opened, watch=watch, terminal=terminal)
    return Exit.DONE
