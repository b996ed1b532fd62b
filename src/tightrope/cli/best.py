"""The verb best: print the best config."""

from pathlib import Path

import click

from tightrope.cli.main import Exit
from tightrope.cli.options import run_folder
from tightrope.cli.runs.folder import RunFolder, chosen_folder
from tightrope.cli.runs.view import known_view, show_best
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
    view = None if stripped else known_view(opened)
    if view is None or not (terminal.is_json or form in view.best["texts"]):
        from tightrope.cli.runs.best import FORMATS, print_stripped  # slow imports
        from tightrope.cli.runs.look import look

        if stripped:
            print_stripped(opened, form, terminal)
            return Exit.DONE
        view, seen = look(opened, terminal)
        if not terminal.is_json:
            FORMATS[form](seen.progress.config, seen.scenario)  # raises if this format cannot express it
    show_best(view, form, terminal)
    return Exit.DONE
