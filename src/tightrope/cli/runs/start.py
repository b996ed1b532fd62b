"""Starting and resuming a tuning in a run folder."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from tightrope.budget import Budget
from tightrope.cli.main import Exit
from tightrope.cli.runs.executor import default_workers, executor_for
from tightrope.cli.runs.folder import RunFolder, Settings, settings_for
from tightrope.cli.runs.session import report_ended_before, run_session
from tightrope.cli.terminal import words
from tightrope.cli.terminal.console import Terminal
from tightrope.cli.terminal.limits import Limit, as_much_again, describe_budget
from tightrope.cli.terminal.phrases import Kind
from tightrope.errors import ExecutorError, JournalError, TargetError
from tightrope.records import Status
from tightrope.scenario import Scenario, read_scenario
from tightrope.space import Space


def start(
    scenario: Path, path: Path, *, budget: Limit | None, options: dict[str, Any], terminal: Terminal
) -> Exit:
    """Create a run folder and tune; the other command-line `options` become its settings."""
    settings = settings_for(scenario, **options)
    given = read_scenario(scenario, base=settings.base)
    if budget is not None:
        settings = replace(settings, budget=budget.applied_to(Budget.of(given.budget)))
    ready = settings.applied_to(given)
    executor_for(RunFolder(path, settings), ready)  # raises before anything is written
    folder = RunFolder.create(path, scenario, settings)
    terminal.say(_opening(folder, ready))
    try:
        return run_session(folder, ready, terminal)
    except TargetError as error:
        if all(run.outcome.status is Status.FAILED for run in error.history or ()):
            folder.discard()
            terminal.say("every run failed, so nothing is kept; fix the target, then  tightrope check")
        else:  # bounds are worth keeping, too
            more = as_much_again(Budget.of(ready.budget))
            terminal.say(f"the runs so far are kept:  {words.command('resume', path)} {more}")
        raise
    except (ExecutorError, JournalError):
        if not RunFolder.open(path).settings.begun:
            folder.discard()  # so that the same command works once that is fixed
        raise


def resume(
    folder: RunFolder, *, budget: Limit | None, workers: int | None, dask: str | None, terminal: Terminal
) -> Exit:
    """Resume the tuning in a run folder."""
    settings = folder.settings
    scenario = folder.scenario()
    if budget is not None:
        settings = replace(settings, budget=budget.applied_to(Budget.of(scenario.budget)))
    if workers is not None:
        settings = replace(settings, workers=workers)
    if dask is not None:
        settings = replace(settings, dask=dask)
    folder, scenario = replace(folder, settings=settings), settings.applied_to(scenario)
    if _is_over(settings, scenario):
        assert settings.ended is not None
        then = report_ended_before(folder, scenario, settings.ended.reason, terminal)
        terminal.data(
            {"event": "ended", "folder": str(folder.path), "reason": settings.ended.reason.text, "next": then}
        )
        return Exit.DONE
    terminal.say(f"resuming {folder.path}: {_allowance(scenario)} in all")
    return run_session(folder, scenario, terminal)


def _opening(folder: RunFolder, scenario: Scenario) -> str:
    """Return what is about to start, in words."""
    settings = folder.settings
    n_parameters, n_instances = len(Space.of(scenario.space)), len(scenario.instances)
    on = f" on {words.count(n_instances, 'instance')}" if n_instances > 1 else ""
    workers = default_workers() if settings.workers is None else settings.workers
    by = f"workers of {settings.dask}" if settings.dask else words.count(workers, "worker")
    allowed = _allowance(scenario)
    return f"tuning {words.count(n_parameters, 'parameter')}{on}: {allowed}, {by}, into {folder.path}"


def _allowance(scenario: Scenario) -> str:
    return describe_budget(Budget.of(scenario.budget), Kind.of(scenario).amount)


def _is_over(settings: Settings, scenario: Scenario) -> bool:
    """Whether the time is up. The journal does not show this: it has no outcome of the last run."""
    ended = settings.ended
    return ended is not None and ended.wall_s >= Budget.of(scenario.budget).wall_s
