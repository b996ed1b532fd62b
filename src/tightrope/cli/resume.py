"""The verb resume: go on with a tuning."""

from dataclasses import replace
from pathlib import Path

import click

from tightrope.budget import Budget
from tightrope.cli.console import Voice, speaking
from tightrope.cli.folder import RunFolder, Settings, chosen_folder
from tightrope.cli.limits import Limit, any_limit, describe_budget, limits_of
from tightrope.cli.main import Exit
from tightrope.cli.sitting import say_over, sit, stop_words
from tightrope.scenario.scenario import Scenario


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="[DIR]", required=False)
@click.option(
    "--budget", callback=any_limit, metavar="+2h", help="More: +2h, '+2h cpu', '+500 runs'; or another: 10h."
)
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Runs at once, from now on.")
@click.option("--dask", metavar="ADDR", help="Send runs to this Dask cluster, from now on.")
@speaking
def command(
    folder: Path | None, budget: Limit | None, workers: int | None, dask: str | None, voice: Voice
) -> Exit:
    """Go on with the tuning in DIR (the latest in ./runs), however it ended.

    Runs that were under way then are run again; nothing else is. A raised budget is remembered.

    \b
    tightrope resume
    tightrope resume runs/solver --budget +2h
    """  # noqa: D301 (click's mark of lines that are to stay as they are)
    opened = RunFolder.open(chosen_folder(folder, voice))
    settings = opened.settings
    scenario = opened.scenario()
    if budget is not None:
        settings = replace(settings, budget=limits_of(budget.applied_to(Budget.of(scenario.budget))))
    if workers is not None:
        settings = replace(settings, workers=workers)
    if dask is not None:
        settings = replace(settings, dask=dask)
    if settings != opened.settings:
        opened = opened.remember(settings)
        scenario = settings.applied_to(scenario)
    if _is_over(settings, scenario):
        assert settings.ended is not None
        then = say_over(opened, stop_words(settings.ended.reason, scenario), voice)
        voice.data(
            {"event": "ended", "folder": str(opened.path), "reason": settings.ended.reason, "next": then}
        )
        return Exit.DONE
    voice.say(f"going on in {opened.path}: {describe_budget(Budget.of(scenario.budget))} in all")
    return sit(opened, scenario, voice)


def _is_over(settings: Settings, scenario: Scenario) -> bool:
    """Whether the time is up: the journal knows of runs only, and the last one was cut off."""
    ended = settings.ended
    return ended is not None and ended.wall_s >= Budget.of(scenario.budget).wall_s
