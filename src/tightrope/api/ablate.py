"""ablate(): find out which changes between the default and the best config matter."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from tightrope.api.ablation import Ablation
from tightrope.api.conduct import conduct, open_journal
from tightrope.budget import Budget
from tightrope.compare.ablation.changes import Changes
from tightrope.compare.ablation.engine import Engine, Terms
from tightrope.compare.ablation.ranking import FittedRuns
from tightrope.compare.ablation.result import route_of
from tightrope.drive import Past, Watch
from tightrope.errors import ExecutorError, Fault, ScenarioError, SpaceError, TargetError
from tightrope.race.objective import Objective
from tightrope.race.tasks import TaskOrder
from tightrope.records import Config, Run, StopKind, StopReason, Task
from tightrope.run import ExecutorSpec, Serial
from tightrope.scenario.scenario import Scenario
from tightrope.scenario.setup import is_timed, plan_of, target_of
from tightrope.space import Space
from tightrope.store import History

MOST_TASKS = 60  # that configs are compared on, unless told otherwise


def ablate(
    scenario: Scenario,
    best: Mapping[str, Any],
    *,
    history: Iterable[Run] = (),
    n_tasks: int | None = None,
    budget: Budget | float | None = None,
    journal: str | Path | None = None,
    executor: ExecutorSpec | None = None,
    seed: int = 0,
    watch: Watch | None = None,
) -> Ablation:
    """Find the changes from the default to a better config that matter, and what each of them gains.

    A model of all runs proposes which changes matter; runs on the training tasks decide. First, groups of
    changes are taken back from the best config as long as that keeps the gain: the mean cost is at most 2 %
    larger, or the difference is within the 95 % interval and at most 5 % of the gain. What remains is the
    stripped config. Then its changes are put in order: at each step from the default, the change that lowers
    the cost most comes next. A run is stopped once its config can no longer win.

    Parameters
    ----------
    scenario : Scenario
        The scenario that was tuned.
    best : config
        The config to explain, such as `result.best`.
    history : History or iterable of Run, default=()
        Runs of the tuning, such as `result.history`, from which the model learns what to try first. Costs
        are measured anew.
    n_tasks : int or None, default=None
        Number of tasks that configs are compared on. None: all, but at most 60.
    budget : Budget, float or None, default=None
        Limit of the whole ablation. What was found by then is returned. None: until every change that
        matters has its place.
    journal : path or None, default=None
        A file that keeps the runs. If it exists, its runs are not repeated.
    executor : ExecutorSpec or None, default=None
        How trials are run; see `tune`.
    seed : int, default=0
        Seed of the order of tasks.
    watch : callable or None, default=None
        Called with each event: `Resumed(...)` first if the journal has runs, then `Started(trial, slots)`,
        `Finished(run)`, `Noted(finding)`.

    Returns
    -------
    Ablation
        The path, and the stripped config. Ctrl-C stops early and returns the result so far.

    Examples
    --------
    >>> from tightrope import Scenario, ablate
    >>> from tightrope.run import Virtual
    >>> def seconds(config, instance, seed):
    ...     return (9.0 - config["x"] - 0.2 * config["y"]) * len(instance)
    >>> scenario = Scenario(
    ...     space={"x": (0, 6), "y": (0, 6), "z": (0, 6)}, default={"x": 0, "y": 0, "z": 0},
    ...     instances=["a", "bb", "ccc"], ceiling=100.0, budget=500.0,
    ... )
    >>> found = ablate(scenario, {"x": 6, "y": 2, "z": 5}, executor=Virtual(seconds))
    >>> found.stripped
    {'x': 6, 'y': 2, 'z': 0}
    >>> [(step.changes[0].name, round(step.share, 2)) for step in found.steps]
    [('x', 0.94), ('y', 0.06)]
    """
    space = Space.of(scenario.space)
    default, goal = scenario.default_config, _legal(space, best)
    if goal == default:
        raise ScenarioError(
            Fault("the best config is the default, so there is nothing to take apart", "tune for longer")
        )
    plan = plan_of(replace(scenario, model="forest"), seed)
    tasks = _tasks(TaskOrder(plan.instances, seeds=plan.seeds, seed=seed), n_tasks)
    limit = None if budget is None else Budget.of(budget)
    terms = Terms(tasks, Objective(scenario.ceiling, scenario.par), scenario.resolution, limit)
    engine = Engine(Changes(space, default, goal), terms, FittedRuns(plan, history, best=goal))
    spec = Serial() if executor is None else executor
    target = target_of(scenario, spec)
    identity = json.dumps({"ceiling": scenario.ceiling})  # runs under another ceiling do not compare
    with ExitStack() as stack:
        written, past = open_journal(stack, journal, engine, identity=identity, check_seed=False)
        if watch is not None and (past.runs or past.pending):
            watch(past.resumed(()))
        wall_s = float("inf") if limit is None else limit.wall_s
        reason = conduct(engine, lambda: spec.open(target), past, written, wall_s=wall_s, watch=watch)
    return _sum_up(engine, past, reason, is_time=is_timed(target))


def _legal(space: Space, values: Mapping[str, Any]) -> Config:
    try:
        return space.decode(space.encode(Config(values)))
    except SpaceError as error:
        raise ScenarioError(Fault(f"the best config: {error}")) from error


def _tasks(order: TaskOrder, n: int | None) -> Sequence[Task]:
    if n is not None and n < 1:
        raise ScenarioError(Fault(f"n_tasks must be at least 1, not {n}"))
    return [order.task(place) for place in range(int(min(order.size, MOST_TASKS if n is None else n)))]


def _sum_up(engine: Engine, past: Past, reason: StopReason, *, is_time: bool) -> Ablation:
    if reason.kind is StopKind.LOSSES:
        raise ExecutorError(str(reason), hint="look for what kills workers, such as a lack of memory")
    route = route_of(engine)
    if route is None:
        if reason.kind is StopKind.INTERRUPTED:
            raise KeyboardInterrupt
        error = TargetError(
            f"the default and the best config were not measured: {reason}", hint="raise the budget"
        )
        error.history = History(past.runs)
        raise error
    return Ablation(
        best=dict(route.best),
        cost=route.costs[1].mean,
        spent=sum(run.outcome.spent for run in past.runs),
        wall_s=past.used_s,
        history=History(past.runs),
        trajectory=(),
        findings=tuple(past.findings),
        reason=reason,
        stripped=dict(route.stripped),
        route=route,
        is_time=is_time,
    )
