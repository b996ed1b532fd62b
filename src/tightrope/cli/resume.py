"""The verb resume: continue a tuning."""

from pathlib import Path

import click

from tightrope.cli.main import Exit
from tightrope.cli.options import BudgetLimit, run_folder
from tightrope.cli.runs.folder import RunFolder, chosen_folder
from tightrope.cli.terminal.console import Terminal, with_terminal
from tightrope.cli.terminal.limits import Limit


@click.command()
@run_folder
@click.option(
    "--budget",
    type=BudgetLimit(can_add=True),
    metavar="LIMIT",
    help="Add to the budget: +2h, '+2h cpu' or '+500 runs'. Without the plus sign, replace it.",
)
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Runs at the same time from now on.")
@click.option("--dask", metavar="ADDR", help="Send runs to this Dask cluster from now on.")
@with_terminal
def command(
    folder: Path | None, budget: Limit | None, workers: int | None, dask: str | None, terminal: Terminal
) -> Exit:
    """Continue the tuning in DIR (default: the latest in ./runs), however it ended.

    Runs that were interrupted are repeated; finished runs are not. A new budget is saved.

    \b
    Examples:
      tightrope resume
      tightrope resume runs/solver --budget +2h
    """  # noqa: D301 (click needs the character \b, which keeps line breaks)
    opened = RunFolder.open(chosen_folder(folder, terminal))
    from tightrope.cli.runs.session import resume  # slow import: report wrong arguments first

    return resume(opened, budget=budget, workers=workers, dask=dask, terminal=terminal)
