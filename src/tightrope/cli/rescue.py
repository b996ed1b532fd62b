"""The verb rescue: set damaged rows of a journal aside, and keep all others."""

from pathlib import Path

import click

from tightrope.cli.main import Exit
from tightrope.cli.runs.folder import chosen_folder
from tightrope.cli.terminal.console import Terminal, with_terminal


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path), metavar="[DIR]", required=False)
@with_terminal
def command(path: Path | None, terminal: Terminal) -> Exit:
    """Check the journals of the tuning in DIR (default: the latest in ./runs), and repair damaged ones.

    Rows that are not what was written are set aside and named; all others are kept. The damaged file stays
    beside the new one. DIR may also be a single journal.

    \b
    Examples:
      tightrope rescue runs/solver
      tightrope rescue runs/solver/tuning.journal
    """  # noqa: D301 (click needs the character \b, which keeps line breaks)
    path = path or chosen_folder(None, terminal)
    from tightrope.cli.runs.rescue import rescue_all  # slow import: report wrong arguments first

    return rescue_all(path, terminal)
