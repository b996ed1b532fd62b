"""The verb demo: a real solver, tuned before your eyes."""

import shlex
import subprocess
from pathlib import Path
from typing import Any

import click

from tightrope.cli import tune, validate
from tightrope.cli.main import Exit
from tightrope.cli.terminal import words
from tightrope.cli.terminal.console import Terminal, with_terminal
from tightrope.cli.terminal.limits import Limit, new_limit
from tightrope.demo.folder import N_INSTANCES, write_folder
from tightrope.demo.kissat import find_kissat

_WORKERS = 2


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("tightrope-demo"),
    show_default=True,
    metavar="DIR",
    help="The folder for everything.",
)
@click.option("--budget", callback=new_limit, metavar="5m", help="Of the tuning; usually 180 s of CPU time.")
@click.option(
    "--instances",
    "n_instances",
    type=click.IntRange(min=1),
    default=N_INSTANCES,
    show_default=True,
    metavar="N",
    help="Formulas to tune on, and as many to test on.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Of the tuning's random choices; the formulas stay the same.",
)
@with_terminal
def command(out: Path, budget: Limit | None, n_instances: int, seed: int, terminal: Terminal) -> Exit:
    """Tune a real SAT solver, Kissat, on generated formulas: about two minutes.

    Writes formulas and a scenario into a folder, with a link to the solver; tunes 18 options; and compares
    the best config with the default on formulas that the tuning has not seen. Afterwards the folder is one
    like any other, for `tightrope status`, `resume`, `validate` and `best`.

    Needs the extra `demo`:  pip install "tightrope[demo]"

    \b
    tightrope demo
    tightrope demo --budget 5m --out /tmp/demo
    """  # noqa: D301 (click's mark of lines that are to stay as they are)
    executable = find_kissat()
    scenario = write_folder(out, executable, _params_of(executable), n_instances=n_instances)
    folder = out / "runs" / "kissat"
    terminal.say(
        f"wrote {scenario}, with Kissat, {words.count(n_instances, 'formula')} to tune on and {n_instances} "
        "to test on.\nEach formula says of two equal circuits that they differ; Kissat must refute it."
    )
    _show(terminal, "tune", scenario, "--workers", _WORKERS, "--out", folder)
    ended = _call(
        tune.command, terminal, scenario=scenario, workers=_WORKERS, out=folder, budget=budget, seed=seed
    )
    if ended is Exit.DONE:
        _show(terminal, "validate", folder)
        ended = _call(validate.command, terminal, folder=folder)
    if ended is Exit.DONE:
        terminal.say("your own solver:  cd to its folder, then  tightrope init")
    return ended


def _params_of(executable: Path) -> str:
    """Return the parameters that Kissat itself tells, in PCS syntax."""
    from tightrope.cli.init.kissat import read_range, space_of
    from tightrope.scenario import write_pcs

    told = subprocess.run([executable, "--range"], capture_output=True, text=True, check=True).stdout
    return write_pcs(space_of(read_range(told)))


def _show(terminal: Terminal, *arguments: object) -> None:
    terminal.say(f"\n$ tightrope {shlex.join(map(str, arguments))}", style="bold")


def _call(verb: click.Command, terminal: Terminal, **options: Any) -> Exit:
    """Do what the command line of another verb would."""
    spoken = {"quiet": terminal.quiet, "verbose": terminal.verbose, "is_json": terminal.is_json}
    context = click.get_current_context()
    ended: Exit = context.invoke(verb, **options, **spoken, no_color=terminal.console.no_color)
    return ended
