"""The verb ablate: which changes matter, and the smallest set of them that keeps the gain."""

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
    "--strip",
    is_flag=True,
    help="Print the command line of the smallest set of changes that keeps the gain, ready to paste.",
)
@click.option(
    "--budget",
    type=BudgetLimit(can_add=True),
    metavar="LIMIT",
    show_default="that of the tuning",
    help="Budget of the whole ablation: 1h, '1h cpu' or '500 runs'; +30m adds to the tuning's.",
)
@click.option(
    "--workers", type=click.IntRange(min=1), metavar="N", help="Runs at once; else as in the tuning."
)
@click.option(
    "--tasks",
    "n_tasks",
    type=click.IntRange(min=1),
    metavar="N",
    show_default="all, but at most 60",
    help="Number of training tasks that configs are compared on.",
)
@with_terminal
def command(
    folder: Path | None,
    strip: bool,
    budget: Limit | None,
    workers: int | None,
    n_tasks: int | None,
    terminal: Terminal,
) -> Exit:
    """Find the changes that make the best config of the tuning in DIR better than the default.

    A model of all runs proposes which changes matter, and capped runs on the training instances decide. The
    result is the path from the default to the stripped config, which has only the changes that keep the
    gain; every other option is back at its default. Runs are kept in DIR/ablation.journal: after Ctrl-C or
    kill -9 the same command resumes. DIR defaults to the latest folder in ./runs.

    \b
    Examples:
      tightrope ablate
      tightrope ablate runs/solver --strip
      tightrope best runs/solver --stripped
    """  # noqa: D301 (click needs the character \b, which keeps line breaks)
    opened = RunFolder.open(chosen_folder(folder, terminal))
    from tightrope.cli.runs.ablate import Asked, ablate_folder  # slow import: report wrong arguments first

    asked = Asked(strip=strip, budget=budget, workers=workers, n_tasks=n_tasks)
    return ablate_folder(opened, asked, terminal)
