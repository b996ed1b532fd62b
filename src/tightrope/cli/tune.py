"""The verb tune: start a tuning."""

from pathlib import Path

import click

from tightrope.cli.files import require_scenario
from tightrope.cli.main import Exit
from tightrope.cli.options import BudgetLimit
from tightrope.cli.runs.folder import folder_for, refuse_used
from tightrope.cli.terminal.console import Terminal, with_terminal
from tightrope.cli.terminal.limits import Limit


@click.command()
@click.argument("scenario", type=click.Path(path_type=Path), default=Path("scenario.toml"))
@click.option(
    "--budget",
    type=BudgetLimit(can_add=False),
    metavar="LIMIT",
    help="Budget of the whole tuning: 8h, '8h cpu' or '500 runs'. Overrides the scenario's.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    show_default="physical cores - 1",
    help="Runs at the same time. With --dask: workers to wait for.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Seed of all random choices.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), show_default="runs/NAME", metavar="DIR", help="Run folder."
)
@click.option(
    "--dask",
    metavar="ADDR",
    help="Send runs to a Dask cluster: tcp://node17:8786, or the path of its scheduler.json.",
)
@click.option(
    "--slack",
    type=click.FloatRange(min=1),
    metavar="X",
    help="Cap of a challenger relative to the incumbent's cost, such as 1.3; inf stops runs at the ceiling "
    "only. Overrides the scenario's.",
)
@click.option(
    "--earlier",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="DIR",
    help="Learn from an earlier tuning of the same parameters, also on other instances: its best config is "
    "tried first. Repeat the option for several.",
)
@with_terminal
def command(
    scenario: Path,
    budget: Limit | None,
    workers: int | None,
    seed: int,
    out: Path | None,
    dask: str | None,
    slack: float | None,
    earlier: tuple[Path, ...],
    terminal: Terminal,
) -> Exit:
    """Tune the program that SCENARIO describes (default: scenario.toml).

    The default config runs first, on a few instances. Challengers then race against the best config so far
    on more and more instances, and each is stopped as soon as it costs too much. Everything is written to a
    run folder before it takes effect: after Ctrl-C, SIGTERM or kill -9, `tightrope resume` continues.

    \b
    Examples:
      tightrope tune
      tightrope tune solver.toml --budget 30m --workers 4 --seed 7 --out runs/again
      tightrope tune --earlier runs/solver --out runs/new-instances
    """  # noqa: D301 (click needs the character \b, which keeps line breaks)
    path = folder_for(scenario) if out is None else out
    refuse_used(path)
    require_scenario(scenario, "tune")
    from tightrope.cli.runs.session import start  # slow import: report wrong arguments first

    options = {"seed": seed, "workers": workers, "dask": dask, "slack": slack}
    return start(scenario, path, budget=budget, options=options, earlier=earlier, terminal=terminal)
