"""The verb tune: start a tuning."""

from dataclasses import replace
from pathlib import Path

import click

from tightrope.budget import Budget
from tightrope.cli import words
from tightrope.cli.console import Voice, speaking
from tightrope.cli.folder import RunFolder, folder_for, refuse_used, settings_for
from tightrope.cli.limits import Limit, describe_budget, limits_of, new_limit
from tightrope.cli.main import Exit
from tightrope.cli.sitting import sit, usual_workers
from tightrope.errors import TargetError
from tightrope.scenario import Scenario, read_scenario
from tightrope.space import Space


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
@click.option("--dask", metavar="ADDR", help="Send runs to a Dask cluster, such as tcp://node17:8786.")
@click.option("--slack", type=float, metavar="X", help="Instead of the scenario's, such as 1.3.")
@speaking
def command(
    scenario: Path,
    budget: Limit | None,
    workers: int | None,
    seed: int,
    out: Path | None,
    dask: str | None,
    slack: float | None,
    voice: Voice,
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
    settings = settings_for(scenario, seed=seed, workers=workers, dask=dask, slack=slack)
    given = read_scenario(scenario, base=settings.base)
    if budget is not None:
        settings = replace(settings, budget=limits_of(budget.applied_to(Budget.of(given.budget))))
    ready = settings.applied_to(given)
    folder = RunFolder.create(path, scenario, settings)
    voice.say(_opening(folder, ready))
    try:
        return sit(folder, ready, voice)
    except TargetError as error:
        if not any(run.done for run in error.history or ()):
            folder.discard()
            voice.say("no run succeeded, so nothing is kept; mend it, then  tightrope check")
        raise


def _opening(folder: RunFolder, scenario: Scenario) -> str:
    """Say what is about to begin."""
    settings = folder.settings
    n_parameters, n_instances = len(Space.of(scenario.space)), len(scenario.instances)
    on = f" on {words.count(n_instances, 'instance')}" if n_instances > 1 else ""
    workers = usual_workers() if settings.workers is None else settings.workers
    by = f"workers of {settings.dask}" if settings.dask else words.count(workers, "worker")
    budget = describe_budget(Budget.of(scenario.budget))
    return f"tuning {words.count(n_parameters, 'parameter')}{on}: {budget}, {by}, into {folder.path}"
