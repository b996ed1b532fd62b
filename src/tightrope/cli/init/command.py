"""The verb init: write a scenario for the program in this folder."""

from pathlib import Path

import click

from tightrope.cli.terminal.console import Terminal, with_terminal


@click.command("init")
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Parameters (PCS, irace, ConfigSpace JSON) or a scenario (SMAC, AClib, irace) to start from.",
)
@click.option("--solver", metavar="NAME", help="Use this known solver, here or on the PATH, such as cadical.")
@click.option("--force", is_flag=True, help="Overwrite an existing scenario.toml.")
@with_terminal
def command(source: Path | None, solver: str | None, force: bool, terminal: Terminal) -> None:
    """Write a commented scenario.toml for the program in this folder.

    Detects a program, parameters (*.pcs, parameters.txt), instances (train/ and test/, or a folder of files
    of one type) and features (*features*.csv). Asks no questions, and overwrites nothing.

    If the program it finds is named like a solver that prints its own options, such as kissat, init runs it
    with --range or --help to read them. It runs no other program. Other known solvers get parameters that
    tightrope knows.

    \b
    Examples:
      tightrope init
      tightrope init --solver cadical
      tightrope init --from solver.pcs
    """  # noqa: D301 (click needs the character \b, which keeps line breaks)
    from tightrope.cli.init.write import write

    write(source, solver, terminal, force=force)
