"""The verb merge: a final race between the best configs of several tunings."""

from pathlib import Path

import click

from tightrope.cli.main import Exit
from tightrope.cli.options import BudgetLimit
from tightrope.cli.runs.folder import RUNS, RunFolder, refuse_used
from tightrope.cli.terminal.console import Terminal, with_terminal
from tightrope.cli.terminal.limits import Limit
from tightrope.errors import UsageError


@click.command()
@click.argument("folders", metavar="DIR...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=RUNS / "merged",
    show_default=True,
    metavar="DIR",
    help="Run folder of the final race.",
)
@click.option(
    "--budget",
    type=BudgetLimit(can_add=False),
    metavar="LIMIT",
    show_default="until the race is decided on all training tasks",
    help="Budget of the final race, besides the runs that are reused: 1h, '1h cpu' or '100 runs'.",
)
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Runs at the same time.")
@with_terminal
def command(
    folders: tuple[Path, ...], out: Path, budget: Limit | None, workers: int | None, terminal: Terminal
) -> Exit:
    """Let the best configs of several tunings of one scenario, and the default, race against each other.

    Runs of these configs in all folders are reused, and only missing ones are run. The result is an ordinary
    run folder: `status`, `validate`, `best` and `resume` work with it.

    \b
    Examples:
      tightrope tune --seed 1 --out runs/one
      tightrope tune --seed 2 --out runs/two
      tightrope merge runs/one runs/two
    """  # noqa: D301 (click needs the character \b, which keeps line breaks)
    if len({folder.resolve() for folder in folders}) < 2:
        raise UsageError("a merge needs at least two run folders", hint="tightrope merge runs/one runs/two")
    refuse_used(out)
    opened = [RunFolder.open(folder) for folder in dict.fromkeys(folders)]
    from tightrope.cli.runs.merge import merge  # slow import: report wrong arguments first

    return merge(opened, out, budget=budget, workers=workers, terminal=terminal)
