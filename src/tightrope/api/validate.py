"""validate(): compare configs on instances that the tuning has not seen."""

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from tightrope.api.conduct import conduct, open_journal
from tightrope.api.validation import Validation
from tightrope.compare.match import contender, match, scores_by_config
from tightrope.compare.queue import Queue, tasks_of
from tightrope.compare.validation_findings import findings_of
from tightrope.drive import Watch
from tightrope.errors import ExecutorError, Fault, ScenarioError, SpaceError
from tightrope.race.objective import Objective
from tightrope.records import INTERRUPTED, Config, Queued, Run, Status, StopKind, StopReason
from tightrope.run import ExecutorSpec, Serial
from tightrope.scenario.scenario import Scenario
from tightrope.scenario.setup import is_timed, target_of
from tightrope.space import Space
from tightrope.store import History, JournalReader
from tightrope.store.reader import is_blank


def validate(
    scenario: Scenario,
    configs: Mapping[str, Mapping[str, Any]],
    *,
    on: Literal["test", "train"] = "test",
    repeat: int = 1,
    journal: str | Path | None = None,
    executor: ExecutorSpec | None = None,
    watch: Watch | None = None,
) -> Validation:
    """Run configs on the same tasks, each up to the ceiling, and compare them.

    Parameters
    ----------
    scenario : Scenario
        The scenario that was tuned; its `test` instances are used.
    configs : mapping from str to config
        The configs by name; the others are compared with the first.
    on : {"test", "train"}, default="test"
        Which instances. On the training instances the comparison is optimistic, because the best config was
        chosen on them.
    repeat : int, default=1
        Number of runs for each instance, with different seeds if there are several.
    journal : path or None, default=None
        A file that keeps the runs. Runs that it holds already are not repeated.
    executor : ExecutorSpec or None, default=None
        How trials are run; see `tune`.
    watch : callable or None, default=None
        Called with each event: `Queued(n_done, n_all)` first, then `Started(trial, slots)`, `Finished(run)`,
        `Noted(finding)`.

    Returns
    -------
    Validation
        Each config's costs, and the comparisons with intervals; bounds are marked as bounds.

    Examples
    --------
    >>> from tightrope import Scenario, validate
    >>> from tightrope.run import Virtual
    >>> def seconds(config, instance, seed):
    ...     return config["x"] * len(instance)
    >>> scenario = Scenario(
    ...     space={"x": (1.0, 9.0)}, test=["a", "bb", "ccc"], ceiling=100.0, budget=500.0
    ... )
    >>> found = validate(scenario, {"default": {"x": 5.0}, "best": {"x": 2.0}}, executor=Virtual(seconds))
    >>> found.matches[0].contrast.ratio, found.matches[0].n_better
    (2.5, 3)
    """
    named = _named(scenario, configs)
    tasks = tasks_of(_instances(scenario, on), scenario.task_seeds, _at_least_one(repeat))
    spec = Serial() if executor is None else executor
    target = target_of(scenario, spec)
    queue = Queue(list(dict.fromkeys(named.values())), tasks, ceiling=scenario.ceiling)
    identity = json.dumps({"ceiling": scenario.ceiling})  # runs under another ceiling do not compare
    with ExitStack() as stack:
        written, past = open_journal(stack, journal, queue, identity=identity, check_seed=False)
        past.pending = {trial.id: trial for trial in past.pending.values() if queue.wants(trial)}
        if watch is not None:
            watch(Queued(queue.n_done, queue.n_all))
        if queue.n_done < queue.n_all:
            _require_all(conduct(queue, lambda: spec.open(target), past, written, watch=watch))
    runs = [run for run in past.runs if queue.wants(run.trial)]
    return sum_up(scenario, named, runs, on=on, is_time=is_timed(target), wall_s=past.used_s)


def validated_so_far(
    scenario: Scenario,
    configs: Mapping[str, Mapping[str, Any]],
    *,
    on: str,
    journal: str | Path,
    is_time: bool,
) -> Validation | None:
    """Compare configs by the runs of an unfinished validation; None if no task was done by all of them."""
    if is_blank(Path(journal)):
        return None
    named, instances = _named(scenario, configs), set(_instances(scenario, on))
    with JournalReader(journal) as reader:
        runs = [run for run in reader.history() if run.outcome.status is not Status.LOST]
    done = [{run.trial.task for run in runs if run.trial.config == config} for config in named.values()]
    common = {task for task in set.intersection(*done) if task.instance in instances}
    if not common:
        return None
    chosen = [run for run in runs if run.trial.task in common and run.trial.config in named.values()]
    found = sum_up(scenario, named, chosen, on=on, is_time=is_time, wall_s=0.0)
    return replace(found, reason=INTERRUPTED)


def _require_all(reason: StopReason) -> None:
    """Raise unless every run was done."""
    if reason.kind is StopKind.INTERRUPTED:
        raise KeyboardInterrupt
    if reason.kind is StopKind.LOSSES:
        raise ExecutorError(str(reason), hint="look for what kills workers, such as a lack of memory")


def _named(scenario: Scenario, configs: Mapping[str, Mapping[str, Any]]) -> dict[str, Config]:
    """Return the configs as the space has them; refuse those that are not legal."""
    space = Space.of(scenario.space)
    named = {}
    for name, values in configs.items():
        try:
            named[name] = space.decode(space.encode(Config(values)))
        except SpaceError as error:
            raise ScenarioError(Fault(f"config {name!r}: {error}")) from error
    if not named:
        raise ScenarioError(Fault("there is no config to validate", "pass at least one"))
    return named


def _instances(scenario: Scenario, on: str) -> Sequence[str]:
    if on not in ("test", "train"):
        raise ScenarioError(Fault(f"instances are 'test' or 'train', not {on!r}"))
    instances = scenario.test if on == "test" else scenario.instances
    if not instances:
        raise ScenarioError(
            Fault(
                "the scenario has no test instances",
                'add them: instances = { train = "train/*", test = "test/*" }; or compare on the training '
                "instances, which is optimistic",
                key="instances.test",
            )
        )
    return instances


def _at_least_one(repeat: int) -> int:
    if repeat < 1:
        raise ScenarioError(Fault(f"repeat must be at least 1, not {repeat}"))
    return repeat


def sum_up(
    scenario: Scenario,
    named: Mapping[str, Config],
    runs: Sequence[Run],
    *,
    on: str,
    is_time: bool,
    wall_s: float,
) -> Validation:
    """Compare configs by their runs; the others are compared with the first."""
    objective = Objective(scenario.ceiling, scenario.par)
    contenders = [contender(name, config, runs, objective) for name, config in named.items()]
    scores = scores_by_config(runs)
    first, *others = named.items()
    matches = [
        match((name, scores[config]), (first[0], scores[first[1]]), objective, is_same=config == first[1])
        for name, config in others
    ]
    best = min(contenders, key=lambda one: one.cost.mean)
    return Validation(
        best=dict(best.config),
        cost=best.cost.mean,
        spent=sum(run.outcome.spent for run in runs),
        wall_s=wall_s,
        history=History(runs),
        trajectory=(),
        findings=findings_of(on, contenders, matches, runs),
        reason=StopReason(StopKind.COMPLETE, f"all {len(runs)} runs are done"),
        on=on,
        contenders=contenders,
        matches=matches,
        ceiling=scenario.ceiling,
        par=scenario.par,
        is_time=is_time,
    )
