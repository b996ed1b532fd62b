"""The verb status: show the progress of a tuning."""

from pathlib import Path

import click

from tightrope.cli.main import Exit
from tightrope.cli.options import run_folder
from tightrope.cli.runs.folder import RunFolder, chosen_folder
from tightrope.cli.runs.view import known_view, show_status
from tightrope.cli.terminal.console import Terminal, with_terminal


@click.command()
@run_folder
@click.option(
    "--watch",
    is_flag=True,
    help="Refresh every two seconds until the tuning ends. In a file or pipe: print a line for each change.",
)
@with_terminal
def command(folder: Path | None, watch: bool, terminal: Terminal) -> Exit:
    """Show the progress of the tuning in DIR (default: the latest in ./runs).

    This only reads the journal: it does not disturb a tuning that is running.

    \b
    Examples:
      tightrope status
      tightrope status runs/solver --watch
    """  # noqa: D301 (click needs the character \b, which keeps line breaks)
    opened = RunFolder.open(chosen_folder(folder, terminal))
    view = None if watch else known_view(opened)
    if view is None:
        from tightrope.cli.runs.status import find_view  # slow import, which a known view does not need

        view = find_view(opened, watch=watch, terminal=terminal)
    show_status(view, terminal)
    return Exit.DONE
