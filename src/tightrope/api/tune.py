"""tune(): find a config with a low mean cost over problem instances."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from tightrope.api.conduct import conduct, open_journal
from tightrope.api.result import TuneResult
from tightrope.compare.progress import ProgressTracker
from tightrope.drive import Past, Watch
from tightrope.errors import TargetError
from tightrope.race.engine import Engine
from tightrope.records import Resumed, StopReason
from tightrope.run import ExecutorSpec, Serial
from tightrope.scenario.earlier import Earlier, Source, find_earlier, notes_of
from tightrope.scenario.identity import describe
from tightrope.scenario.scenario import Scenario
from tightrope.scenario.setup import plan_of, target_of
from tightrope.store import History


def tune(
    scenario: Scenario,
    *,
    journal: str | Path | None = None,
    executor: ExecutorSpec | None = None,
    seed: int = 0,
    watch: Watch | None = None,
    earlier: Sequence[Source] | Earlier = (),
) -> TuneResult:
    """Find a config that costs little on average over the scenario's instances.

    The default config is the first incumbent. A model of all runs so far proposes most challengers; the
    others are drawn at random (`Tactics.random_share`). A challenger runs on a growing part of the
    incumbent's tasks. Each run has a cap: the incumbent's cost on these tasks times the slack, less what the
    challenger has used. A challenger that can no longer win is dropped at once. One that finishes every task
    at a lower total cost becomes the incumbent.

    Parameters
    ----------
    scenario : Scenario
        What to tune.
    journal : path or None, default=None
        A file that records every decision and run before it takes effect. If it exists, the tuning resumes
        where it ended, for whatever reason; runs that were under way are run again. The budget, the target
        and the executor may differ from before; everything else must be the same.
    executor : ExecutorSpec or None, default=None
        How trials are run: `Serial()` (None), `LocalPool(n)`, `Dask(...)`, or `Virtual(cost, slots=n)`,
        which simulates them.
    seed : int, default=0
        Seed of all random choices. With one slot, equal outcomes and equal times give the same tuning.
    watch : callable or None, default=None
        Called with each event: `Resumed(...)` first if the journal has runs, then `Started(trial, slots)`,
        `Selected(challengers, basis)`, `Finished(run)`, `Improved(incumbent)`, `Noted(finding)`.
    earlier : sequence of paths, TuneResult or History, default=()
        Earlier tunings of the same parameters: run folders, journals, or what `tune` returned. Their best
        configs become the first challengers, after the scenario's `initial`. The model learns from their
        runs on the same instances, and on others whose features are known, as long as that improves its
        predictions. The journal keeps what was taken in: omit `earlier` to resume.

    Returns
    -------
    TuneResult
        The best config, its cost, and all runs. Ctrl-C stops early and returns the result so far.

    Examples
    --------
    >>> from tightrope import Scenario, tune
    >>> from tightrope.run import Virtual
    >>> def seconds(config, instance, seed):
    ...     return (1.0 + 30.0 * (config["x"] - 0.3) ** 2) * len(instance)
    >>> scenario = Scenario(
    ...     space={"x": (0.0, 1.0)}, instances=["a", "bb", "cccc"], ceiling=100.0, budget=500.0
    ... )
    >>> result = tune(scenario, executor=Virtual(seconds))
    >>> abs(result.best["x"] - 0.3) < 0.1
    True
    """
    taken = find_earlier(earlier, scenario, journal=journal)
    engine = Engine(plan_of(scenario, seed, earlier=taken))
    identity, notes = describe(scenario, n_earlier=taken.n_runs), notes_of(scenario, taken)
    spec = Serial() if executor is None else executor
    with ExitStack() as stack:
        written, past = open_journal(stack, journal, engine, identity=identity, seed=seed, notes=notes)
        past.findings.extend(taken.findings)
        if watch is not None and (past.runs or past.pending):
            watch(past.resumed(engine.trajectory))
        reason = conduct(
            engine,
            lambda: spec.open(target_of(scenario, spec)),
            past,
            written,
            wall_s=engine.plan.budget.wall_s,
            watch=watch,
        )
    return _sum_up(scenario, engine, past, reason)


def _sum_up(scenario: Scenario, engine: Engine, past: Past, reason: StopReason) -> TuneResult:
    history = History(past.runs)
    if not any(run.done for run in past.runs):
        error = TargetError(
            f"no run finished: {reason}", hint="raise the ceiling or the budget, or fix the target"
        )
        error.history = history
        raise error
    incumbent, trajectory = engine.incumbent, tuple(engine.trajectory)
    tracker = ProgressTracker(scenario)
    tracker.take(Resumed(tuple(past.runs), trajectory, (), past.used_s))
    return TuneResult(
        best=dict(incumbent.config),
        cost=incumbent.cost,
        spent=engine.totals.spent,
        wall_s=past.used_s,
        history=history,
        trajectory=trajectory,
        findings=tuple(past.findings),
        reason=reason,
        is_bound=incumbent.is_bound,
        n_tasks=incumbent.n_tasks,
        against_default=tracker.progress().against_default,
        default=dict(scenario.default_config),
        ceiling=scenario.ceiling,
        scenario=scenario,
    )
