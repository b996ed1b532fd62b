"""The verb resume: go on with a tuning."""

from pathlib import Path

import click

from tightrope.cli.main import Exit
from tightrope.cli.runs.folder import RunFolder, chosen_folder
from tightrope.cli.terminal.console import Terminal, with_terminal
from tightrope.cli.terminal.limits import Limit, any_limit


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="[DIR]", required=False)
@click.option(
    "--budget", callback=any_limit, metavar="+2h", help="More: +2h, '+2h cpu', '+500 runs'; or another: 10h."
)
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Runs at once, from now on.")
@click.option("--dask", metavar="ADDR", help="Send runs to this Dask cluster, from now on.")
@with_terminal
def command(
    folder: Path | None, budget: Limit | None, workers: int | None, dask: str | None, terminal: Terminal
) -> Exit:
    """Go on with the tuning in DIR (the latest in ./runs), however it ended.

    Runs that were under way then are run again; nothing else is. A raised budget is remembered.

    \b
    tightrope resume
    tightrope resume runs/solver --budget +2h
    """  # noqa: D301 (click's mark of lines that are to stay as they are)
    opened = RunFolder.open(chosen_folder(folder, terminal))
    from tightrope.cli.runs.start import go_on  # takes its time

    return go_on(opened, budget=budget, workers=workers, dask=dask, terminal=terminal)
