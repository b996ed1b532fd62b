"""The verb tune: start a tuning."""

from pathlib import Path

import click

from tightrope.cli.main import Exit
from tightrope.cli.runs.folder import folder_for, refuse_used, require_file
from tightrope.cli.terminal.console import Terminal, with_terminal
from tightrope.cli.terminal.limits import Limit, new_limit


@click.command()
@click.argument("scenario", type=click.Path(path_type=Path), default=Path("scenario.toml"))
@click.option(
    "--budget", callback=new_limit, metavar="8h", help="Instead of the scenario's: 8h, '8h cpu', '500 runs'."
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="Runs at once; usually one for each real core but one. With --dask: workers to wait for.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Of all random choices.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR", help="The run folder; usually runs/NAME."
)
@click.option(
    "--dask", metavar="ADDR", help="Send runs to a Dask cluster: tcp://node17:8786, or its scheduler.json."
)
@click.option(
    "--slack",
    type=click.FloatRange(min=1),
    metavar="X",
    help="Instead of the scenario's, such as 1.3; inf stops nothing below the ceiling.",
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
    terminal: Terminal,
) -> Exit:
    """Tune what SCENARIO says (scenario.toml).

    The default config runs on some instances; then challengers meet the best config so far on more and more
    of them, and each is stopped as soon as it has cost too much. Everything is written into a run folder
    before it is acted upon: after Ctrl-C, SIGTERM or kill -9, `tightrope resume` goes on from there.

    \b
    tightrope tune
    tightrope tune solver.toml --budget 30m --workers 4 --seed 7 --out runs/again
    """  # noqa: D301 (click's mark of lines that are to stay as they are)
    path = folder_for(scenario) if out is None else out
    refuse_used(path)
    require_file(scenario)
    from tightrope.cli.runs.start import start  # takes its time: what can be refused is refused before

    said = {"seed": seed, "workers": workers, "dask": dask, "slack": slack}
    return start(scenario, path, budget=budget, said=said, terminal=terminal)
