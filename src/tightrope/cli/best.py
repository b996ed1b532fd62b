"""The verb best: print the best config."""

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
    type=click.Choice(["cli", "json", "toml", "pcs", "irace"]),
    default="cli",
    show_default=True,
    help="cli: a command line; json, toml: the values; pcs: the parameters, with these values as defaults; "
    "irace: a configurations file.",
)
@click.option("--stripped", is_flag=True, help="The config of `tightrope ablate`, with fewer changes.")
@with_terminal_on_stderr
def command(folder: Path | None, form: str, stripped: bool, terminal: Terminal) -> Exit:
    """Print the best config found by the tuning in DIR (default: the latest in ./runs).

    The config goes to stdout, everything else to stderr.

    \b
    Examples:
      tightrope best
      tightrope best runs/solver --format toml >> scenario.toml
      tightrope best runs/solver --stripped
    """  # noqa: D301 (click needs the character \b, which keeps line breaks)
    opened = RunFolder.open(chosen_folder(folder, terminal))
    from tightrope.cli.runs.best import print_best  # slow import: report wrong arguments first

    print_best(opened, form, terminal, is_stripped=stripped)
    return Exit.DONE
