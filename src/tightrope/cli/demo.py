"""The verb demo: tune a real SAT solver."""

import shlex
import subprocess
from pathlib import Path
from typing import Any

import click

from tightrope.cli import ablate, report, tune, validate
from tightrope.cli.main import Exit
from tightrope.cli.options import BudgetLimit
from tightrope.cli.runs.folder import RunFolder
from tightrope.cli.terminal import words
from tightrope.cli.terminal.console import Terminal, with_terminal
from tightrope.cli.terminal.limits import Limit, read_limit
from tightrope.demo.folder import N_INSTANCES, write_folder
from tightrope.demo.kissat import find_kissat

_WORKERS = 2
_STRIP_BUDGET = read_limit("120s cpu")


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("tightrope-demo"),
    show_default=True,
    metavar="DIR",
    help="Folder for all files.",
)
@click.option(
    "--budget",
    type=BudgetLimit(can_add=False),
    metavar="LIMIT",
    show_default="180s cpu, and 120s cpu",
    help="Budget of the tuning, and of the stripping: 5m, '5m cpu' or '500 runs'.",
)
@click.option(
    "--instances",
    "n_instances",
    type=click.IntRange(min=1),
    default=N_INSTANCES,
    show_default=True,
    metavar="N",
    help="Number of formulas to tune on; the same number to test on.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Seed of the tuning; the formulas stay the same.",
)
@with_terminal
def command(out: Path, budget: Limit | None, n_instances: int, seed: int, terminal: Terminal) -> Exit:
    """Tune a real SAT solver, Kissat, on generated formulas: about three minutes on two cores.

    Writes formulas, a scenario and a link to the solver into a folder, tunes all options of the search, and
    takes back the changes that do not matter. Then it compares the best and the stripped config with the
    default on formulas the tuning has not seen, and writes a report. The result is an ordinary run folder:
    try `tightrope status`, `resume`, `validate` and `best` on it.

    Requires the extra `demo`:  pip install "tightrope[demo]"

    \b
    Examples:
      tightrope demo
      tightrope demo --budget 5m --out /tmp/demo
    """  # noqa: D301 (click needs the character \b, which keeps line breaks)
    executable = find_kissat()
    scenario = write_folder(out, executable, _params_of(executable), n_instances=n_instances)
    folder = out / "runs" / "kissat"
    terminal.say(
        f"wrote {scenario}, Kissat, {words.count(n_instances, 'formula')} to tune on and {n_instances} to "
        "test on.\nEach formula claims that two equivalent circuits differ; Kissat has to refute it."
    )
    _print_command(terminal, "tune", scenario, "--workers", _WORKERS, "--out", folder)
    ended = _invoke(
        tune.command, terminal, scenario=scenario, workers=_WORKERS, out=folder, budget=budget, seed=seed
    )
    configs = "default,best"
    if ended is Exit.DONE and _has_gain(folder, terminal):
        limit = budget or _STRIP_BUDGET
        _print_command(terminal, "ablate", folder, "--strip", "--budget", limit.text)
        ended = _invoke(ablate.command, terminal, folder=folder, strip=True, budget=limit)
        configs = "default,best,stripped"
    if ended is Exit.DONE:
        _print_command(terminal, "validate", folder, "--configs", configs)
        ended = _invoke(validate.command, terminal, folder=folder, configs=configs)
    if ended is Exit.DONE:
        _print_command(terminal, "report", folder)
        ended = _invoke(report.command, terminal, folders=(folder,), out=None, is_opened=False, watch=False)
        terminal.say(f"open it in a browser:  {(folder / 'report.html').absolute().as_uri()}")
    if ended is Exit.DONE:
        terminal.say("to tune your own solver:  cd to its folder, then  tightrope init")
    return ended


def _has_gain(folder: Path, terminal: Terminal) -> bool:
    """Whether the best config is another one than the default."""
    from tightrope.cli.runs.replay import Replay

    return Replay(RunFolder.open(folder), terminal).look().progress.number != 0


def _params_of(executable: Path) -> str:
    """Return the parameters that `kissat --range` prints, in PCS syntax."""
    from tightrope.scenario import write_pcs
    from tightrope.scenario.solvers.solver import read_solver

    printed = subprocess.run([executable, "--range"], capture_output=True, text=True, check=True).stdout
    known = read_solver("kissat").printed
    assert known is not None
    return write_pcs(known.space(known.options(printed)))


def _print_command(terminal: Terminal, *arguments: object) -> None:
    terminal.say(f"\n$ tightrope {shlex.join(map(str, arguments))}", style="bold")


def _invoke(verb: click.Command, terminal: Terminal, **options: Any) -> Exit:
    """Call another verb, with the same options for the terminal."""
    output = {"quiet": terminal.quiet, "verbose": terminal.verbose, "is_json": terminal.is_json}
    context = click.get_current_context()
    ended: Exit = context.invoke(verb, **options, **output, no_color=terminal.console.no_color)
    return ended
