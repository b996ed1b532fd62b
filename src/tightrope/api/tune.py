"""tune(): the scenario door."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from tightrope.api.tuning import TuningResult
from tightrope.drive import Past, Watch, drive, ignore, recall
from tightrope.errors import JournalError, TargetError
from tightrope.race.engine import Engine
from tightrope.records import Resumed
from tightrope.run import ExecutorSpec, Serial
from tightrope.scenario.identity import describe, require_same
from tightrope.scenario.scenario import Scenario
from tightrope.scenario.setup import plan_of, target_of
from tightrope.store import History, Journal
from tightrope.store.reader import is_blank


def tune(
    scenario: Scenario,
    *,
    journal: str | Path | None = None,
    executor: ExecutorSpec | None = None,
    seed: int = 0,
    watch: Watch | None = None,
    earlier: Sequence[History] = (),
) -> TuningResult:
    """Find a config that costs little on average over the scenario's instances.

    The default config is the first incumbent. Challengers, of which a model of all runs so far proposes
    every other one, meet the incumbent on more and more of its tasks, each run under a cap: what the
    incumbent needed times the slack, less what the challenger has used up. Who cannot win any more is dropped
    at once; who has done all tasks at a smaller cost becomes the incumbent.

    Parameters
    ----------
    scenario : Scenario
        What to tune.
    journal : path or None, default=None
        A file in which everything is written down before it is acted upon. If it is there already, the
        tuning goes on where it ended, however it ended: runs that were under way then are run again. The
        budget, the target and the executor may differ from before; all else must be the same.
    executor : ExecutorSpec or None, default=None
        How trials are run: `Serial()` (None), `LocalPool(n)`, `Dask(...)`, or `Virtual(cost, slots=n)`,
        which simulates them.
    seed : int, default=0
        Of all random choices. With one slot, equal outcomes and equal times give the same tuning.
    watch : callable or None, default=None
        Is given events as they happen: `Resumed(...)` at first if there is a past, `Started(trial, slots)`,
        `Selected(challengers, basis)`, `Finished(run)`, `Improved(incumbent)`, `Noted(finding)`.
    earlier : sequence of History, default=()
        Runs of earlier tunings of the same space, from which the model learns as well. To go on with a
        journal, pass the same again.

    Returns
    -------
    TuningResult
        The best config, its cost, and all runs. Ctrl-C stops early and returns what there is.

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
    engine = Engine(plan_of(scenario, seed, earlier=earlier))
    identity = describe(scenario, n_earlier=sum(len(history) for history in earlier))
    with ExitStack() as stack:
        written = None if journal is None else stack.enter_context(_open(Path(journal), identity, seed=seed))
        past = Past() if written is None else recall(engine, written.entries())
        watch = watch or ignore
        if past.runs or past.pending:
            watch(_resumed(engine, past))
        spec = Serial() if executor is None else executor
        live = stack.enter_context(spec.open(target_of(scenario, spec)))
        try:
            reason = drive(engine, live, past, journal=written, watch=watch)
        except KeyboardInterrupt:
            if not past.runs:
                raise
            reason = "it was interrupted"
        except TargetError as error:
            error.history = History(past.runs)
            raise
    return _sum_up(engine, past, reason)


def _resumed(engine: Engine, past: Past) -> Resumed:
    pending = tuple(past.pending.values())
    return Resumed(tuple(past.runs), tuple(engine.trajectory), pending, past.used_s)


def _open(path: Path, identity: str, *, seed: int) -> Journal:
    """Begin a journal, or go on with the one that is there, which must be of the same scenario."""
    if is_blank(path):
        return Journal.create(path, scenario=identity, seed=seed)
    journal = Journal.open(path)
    try:
        meta = journal.meta
        require_same(meta.scenario, identity, path=str(path))
        if meta.seed != seed:
            hint = f"pass seed={meta.seed} to go on, or name another file"
            raise JournalError(f"this tuning has the seed {meta.seed}, not {seed}", path=str(path), hint=hint)
    except BaseException:
        journal.close()
        raise
    return journal


def _sum_up(engine: Engine, past: Past, reason: str) -> TuningResult:
    incumbent = engine.incumbent
    history = History(past.runs)
    if not any(run.done for run in past.runs):
        error = TargetError(
            f"no run finished: {reason}", hint="raise the ceiling or the budget, or mend the target"
        )
        error.history = history
        raise error
    return TuningResult(
        best=dict(incumbent.config),
        cost=incumbent.cost,
        is_bound=incumbent.is_bound,
        n_tasks=incumbent.n_tasks,
        against_default=engine.against_default,
        spent=engine.totals.spent,
        wall_s=past.used_s,
        history=history,
        trajectory=tuple(engine.trajectory),
        findings=tuple(past.findings),
        reason=reason,
    )
