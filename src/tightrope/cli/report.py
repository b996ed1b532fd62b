"""The verb report: one HTML page about one or several tunings."""

from pathlib import Path

import click

from tightrope.cli.main import Exit
from tightrope.cli.runs.folder import RunFolder, chosen_folder
from tightrope.cli.terminal.console import Terminal, with_terminal


@click.command()
@click.argument("folders", metavar="[DIR]...", nargs=-1, type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write; else DIR/report.html, or ./report.html for several.",
)
@click.option("--open", "is_opened", is_flag=True, help="Open the page in a browser.")
@click.option(
    "--watch", is_flag=True, help="Write it again while the tuning runs; the open page reloads itself."
)
@with_terminal
def command(
    folders: tuple[Path, ...], out: Path | None, is_opened: bool, watch: bool, terminal: Terminal
) -> Exit:
    """Write one HTML page about the tuning in DIR (default: the latest in ./runs); several are compared.

    The page needs no network and no other file. It has the best command line, default against best, the
    progress, the caps, what was tried, the workers, and the data of each figure as CSV.

    \b
    Examples:
      tightrope report
      tightrope report runs/solver --open --watch
      tightrope report runs/seed-1 runs/seed-2 --out seeds.html
    """  # noqa: D301 (click needs the character \b, which keeps line breaks)
    opened = [RunFolder.open(each) for each in folders or (chosen_folder(None, terminal),)]
    from tightrope.cli.runs.report import write_report  # slow import: report wrong arguments first

    write_report(opened, out, is_opened=is_opened, watch=watch, terminal=terminal)
    return Exit.DONE
