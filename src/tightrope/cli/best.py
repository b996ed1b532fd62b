"""The verb best: print the best config."""

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
    type=click.Choice(["cli", "json", "toml", "pcs", "irace"]),
    default="cli",
    show_default=True,
    help="cli: the command line; json, toml: its values; pcs: the parameters with these defaults; "
    "irace: a configurations file.",
)
@with_terminal_on_stderr
def command(folder: Path | None, form: str, terminal: Terminal) -> Exit:
    """Print the best config that the tuning in DIR (the latest in ./runs) has found.

    What is asked for goes to stdout, what else there is to say to stderr.

    \b
    tightrope best
    tightrope best runs/solver --format toml >> scenario.toml
    """  # noqa: D301 (click's mark of lines that are to stay as they are)
    opened = RunFolder.open(chosen_folder(folder, terminal))
    from tightrope.cli.runs.best import present  # takes its time

    present(opened, form, terminal)
    return Exit.DONE
