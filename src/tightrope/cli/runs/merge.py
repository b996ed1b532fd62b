"""A final race between the best configs of several tunings, in a run folder of its own.

The new scenario has these configs as its candidates, and the new journal begins with their known runs. From
there on it is an ordinary tuning, which only makes the runs that are missing to decide the race.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tightrope.budget import Budget
from tightrope.cli.main import Exit
from tightrope.cli.runs.executor import executor_for
from tightrope.cli.runs.folder import RunFolder, Settings
from tightrope.cli.runs.replay import Replay, Replayed
from tightrope.cli.runs.session import race
from tightrope.cli.terminal import words
from tightrope.cli.terminal.console import Terminal
from tightrope.cli.terminal.limits import Limit
from tightrope.errors import UsageError
from tightrope.race.objective import Objective, score_of
from tightrope.records import Basis, Config, Decision, Outcome, Run, Status, Task, Trial
from tightrope.scenario import write_scenario
from tightrope.scenario.earlier import Earlier, notes_of
from tightrope.scenario.identity import describe, describe_changes
from tightrope.scenario.scenario import Scenario
from tightrope.store import Journal

# Settings that do not change what a run costs.
_MAY_DIFFER = frozenset({"slack", "model", "treatment", "tactics", "initial", "candidates", "earlier"})
_RERUNS = 2  # a capped run may have to be repeated with a larger cap


def merge(
    folders: Sequence[RunFolder], out: Path, *, budget: Limit | None, workers: int | None, terminal: Terminal
) -> Exit:
    """Create the run folder of the race, and run it."""
    seen = [_look(folder, terminal) for folder in folders]
    _require_comparable(folders, seen)
    scenario = seen[0].scenario
    best = list(dict.fromkeys(each.progress.config for each in seen))
    runs = _known_runs(seen, [scenario.default_config, *best])
    if not _has_yardstick(runs, scenario):
        raise UsageError(
            f"no run of the default has finished in {', '.join(str(each.path) for each in folders)}",
            hint=f"continue one of them first:  {words.command('resume', folders[0].path)}",
        )
    scenario = _race_of(scenario, best, runs, budget)
    first = folders[0].settings
    settings = Settings("scenario.toml", first.base, workers=workers or first.workers, dask=first.dask)
    text = write_scenario(scenario, base=settings.base)
    executor_for(RunFolder(out, settings), scenario)  # raises before anything is written
    folder = RunFolder.create(out, text.encode(), settings)
    _write_journal(folder, best, runs)
    configs, reused = words.count(len(best), "best config"), words.count(len(runs), "run")
    terminal.say(f"merging {len(folders)} tunings: {configs}, {reused} reused, into {out}")
    return race(folder, terminal)


def _look(folder: RunFolder, terminal: Terminal) -> Replayed:
    seen = Replay(folder, terminal).look()
    if seen.writer is not None:
        hint = "wait until it ends, or stop it with Ctrl-C"
        raise UsageError(f"{folder.path} is being tuned by {seen.writer}", hint=hint)
    return seen


def _require_comparable(folders: Sequence[RunFolder], seen: Sequence[Replayed]) -> None:
    """Raise an error unless a run of one tuning would cost the same in all others."""
    first = describe(seen[0].scenario)
    for folder, each in zip(folders[1:], seen[1:], strict=True):
        changes = describe_changes(first, describe(each.scenario), ignored=_MAY_DIFFER)
        if changes:
            raise UsageError(
                f"{folder.path} tuned another scenario than {folders[0].path}; different: {changes}",
                hint="leave it out, or start a tuning that learns from it:  tightrope tune --earlier DIR",
            )


def _known_runs(seen: Sequence[Replayed], configs: Sequence[Config]) -> list[Run]:
    """Return the most informative run of each config on each task; configs keep their order."""
    known: dict[Config, dict[Task, Run]] = {config: {} for config in configs}
    for run in (run for each in seen for run in each.history):
        if run.trial.config in known and run.outcome.status is not Status.LOST:
            by_task = known[run.trial.config]
            by_task[run.trial.task] = _more_informative(by_task.get(run.trial.task), run)
    return [run for by_task in known.values() for run in by_task.values()]


def _more_informative(old: Run | None, new: Run) -> Run:
    if old is None:
        return new
    before, after = score_of(old.outcome), score_of(new.outcome)
    return new if not before.exact and (after.exact or after.cost > before.cost) else old


def _has_yardstick(runs: Sequence[Run], scenario: Scenario) -> bool:
    """Whether the default, with which every race begins, has a final result."""
    objective = Objective(scenario.ceiling, scenario.par)
    default = scenario.default_config
    return any(run.trial.config == default and objective.is_settled(score_of(run.outcome)) for run in runs)


def _race_of(
    scenario: Scenario, best: Sequence[Config], runs: Sequence[Run], limit: Limit | None
) -> Scenario:
    """Return the scenario of the race: its candidates, its tasks, and its budget."""
    seeds = scenario.seeds
    if scenario.task_seeds is None:  # without end: race on those that were used
        seeds = tuple(sorted({run.trial.task.seed for run in runs}))
    n_tasks = len(scenario.instances) * len(seeds or (0,))
    used = {
        "runs": len(runs),
        "cost": sum(run.outcome.spent for run in runs),
        "wall": max(run.outcome.wall_s for run in runs),  # the time that a replay of these runs counts
    }
    name, amount = "runs", float(_RERUNS * n_tasks * (len(best) + 1))
    if limit is not None:
        name, amount = limit.name, limit.amount
    budget = Budget(**{name: used[name] + amount})
    return replace(scenario, candidates=tuple(best), initial=(), budget=budget, seeds=seeds)


def _write_journal(folder: RunFolder, best: Sequence[Config], runs: Sequence[Run]) -> None:
    """Write the known runs as if they were the first ones of the race."""
    scenario = folder.scenario()
    identity, notes = describe(scenario), notes_of(scenario, Earlier())
    seed = folder.settings.seed
    with Journal.create(folder.journal, scenario=identity, seed=seed, notes=notes) as journal:
        journal.record(_steps(best, runs))


def _steps(best: Sequence[Config], runs: Sequence[Run]) -> Iterator[Decision | Trial | Outcome]:
    """Yield the steps of a race in which the best configs are the challengers.

    Trials count from 1: trial 0 is the first run of all, and must not fail.
    """
    yield Decision(0, 0.0, challengers=tuple(best), note=Basis.DESIGN.value)
    for number, run in enumerate(runs, start=1):
        yield replace(run.trial, id=number)
        yield replace(run.outcome, trial_id=number)
