"""validate(): configs side by side on instances that the tuning has not seen."""

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any, Literal

from tightrope.compare.match import contender, match, scores_by_config
from tightrope.compare.queue import missing, tasks_of
from tightrope.compare.validation import Validation
from tightrope.compare.validation_findings import findings_of
from tightrope.errors import ExecutorError, Fault, Finding, ScenarioError, Severity, SpaceError, TargetError
from tightrope.race.objective import Objective
from tightrope.records import Config, Run, Status, Task, Trial
from tightrope.run import Executor, ExecutorSpec, Serial
from tightrope.scenario.identity import require_same
from tightrope.scenario.scenario import Scenario
from tightrope.scenario.setup import is_timed, target_of
from tightrope.space import Space
from tightrope.store import History, Journal
from tightrope.store.reader import is_blank

_MOST_LOST = 3  # times that the same run may be lost


@dataclass(frozen=True, slots=True)
class ValidationProgress:
    """How far a validation is: runs that are done, of how many, and the last one of this sitting."""

    n_done: int
    n_all: int
    run: Run | None = None


def validate(
    scenario: Scenario,
    configs: Mapping[str, Mapping[str, Any]],
    *,
    on: Literal["test", "train"] = "test",
    repeat: int = 1,
    journal: str | Path | None = None,
    executor: ExecutorSpec | None = None,
    watch: Callable[[ValidationProgress], object] | None = None,
) -> Validation:
    """Run configs on the same tasks, each up to the ceiling, and compare them.

    Parameters
    ----------
    scenario : Scenario
        What was tuned; its `test` instances are used.
    configs : mapping from str to config
        The configs by name; the first is what the others are compared with.
    on : {"test", "train"}, default="test"
        Which instances. What was chosen because it does well on the training instances does well on them:
        that comparison is optimistic.
    repeat : int, default=1
        How often each instance is run, with seed after seed if there are several.
    journal : path or None, default=None
        A file in which runs are kept. What is there already is not run again.
    executor : ExecutorSpec or None, default=None
        How runs are done; see `tune`.
    watch : callable or None, default=None
        Is given `ValidationProgress` at the beginning and after each run.

    Returns
    -------
    Validation
        Each config's costs, and the comparisons, with intervals and as bounds where they are bounds.

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
    configs_once = list(dict.fromkeys(named.values()))
    with ExitStack() as stack:
        written = None if journal is None else stack.enter_context(_open(Path(journal), scenario))
        past = _Past() if written is None else _Past(list(written.history()), written.pending())
        trials = list(missing(configs_once, tasks, past.runs, past.pending, ceiling=scenario.ceiling))
        tell = _counting(len(tasks) * len(configs_once), len(trials), watch)
        if trials:
            live = stack.enter_context(spec.open(target))
            _run(deque(trials), live, past, journal=written, tell=tell)
    wanted = {(config, task) for config in configs_once for task in tasks}
    runs = [run for run in past.runs if (run.trial.config, run.trial.task) in wanted]
    return _sum_up(scenario, named, runs, on=on, is_time=is_timed(target))


@dataclass(slots=True)
class _Past:
    """What a journal tells: runs, and trials that were cut off."""

    runs: list[Run] = field(default_factory=list)
    pending: list[Trial] = field(default_factory=list)

    def next_id(self, trials: Iterable[Trial]) -> int:
        known = [*(run.trial for run in self.runs), *self.pending, *trials]
        return 1 + max((trial.id for trial in known), default=-1)


def _counting(
    n_all: int, n_missing: int, watch: Callable[[ValidationProgress], object] | None
) -> Callable[[Run], None]:
    """Return what tells the watch of each run that counts; it is told of the beginning right now."""
    n_done = n_all - n_missing
    if watch is not None:
        watch(ValidationProgress(n_done, n_all))

    def tell(run: Run) -> None:
        nonlocal n_done
        n_done += run.outcome.status is not Status.LOST
        if watch is not None:
            watch(ValidationProgress(n_done, n_all, run))

    return tell


def _run(
    queue: deque[Trial],
    executor: Executor,
    past: _Past,
    *,
    journal: Journal | None,
    tell: Callable[[Run], None],
) -> None:
    """Run all trials, each outcome written down before anyone is told; what is lost is run again."""
    numbers = count(past.next_id(queue))
    begun = {trial.id for trial in past.pending}
    running: dict[int, Trial] = {}
    lost: Counter[tuple[Config, Task]] = Counter()
    while queue or running:
        while queue and len(running) < executor.slots:
            trial = queue.popleft()
            if journal is not None and trial.id not in begun:
                journal.start(trial)
            running[trial.id] = trial
            executor.start(trial)
        for outcome in executor.wait():
            run = Run(running.pop(outcome.trial_id), outcome)
            if journal is not None:
                journal.finish(outcome)
            past.runs.append(run)
            tell(run)
            if outcome.status is Status.LOST:
                queue.append(_again(run, next(numbers), lost))
        for finding in executor.findings():
            _require_no_error(finding)


def _again(run: Run, number: int, lost: Counter[tuple[Config, Task]]) -> Trial:
    """Return a lost run's trial once more, unless it has been lost too often."""
    trial = run.trial
    lost[trial.config, trial.task] += 1
    if lost[trial.config, trial.task] >= _MOST_LOST:
        raise ExecutorError(
            f"the run on {trial.task.instance!r} was lost {_MOST_LOST} times: {run.outcome.note}",
            hint="see what kills workers: memory, or somebody",
        )
    return replace(trial, id=number)


def _require_no_error(finding: Finding) -> None:
    if finding.severity is Severity.ERROR:
        raise TargetError(f"{finding.where}: {finding.message}", hint=finding.hint)


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


def _open(path: Path, scenario: Scenario) -> Journal:
    """Begin a journal, or go on with the one that is there; runs under another ceiling do not compare."""
    identity = json.dumps({"ceiling": scenario.ceiling})
    if is_blank(path):
        return Journal.create(path, scenario=identity)
    journal = Journal.open(path)
    try:
        require_same(journal.meta.scenario, identity, path=str(path))
    except BaseException:
        journal.close()
        raise
    return journal


def _sum_up(
    scenario: Scenario, named: Mapping[str, Config], runs: Sequence[Run], *, on: str, is_time: bool
) -> Validation:
    objective = Objective(scenario.ceiling, scenario.par)
    contenders = [contender(name, config, runs, objective) for name, config in named.items()]
    scores = scores_by_config(runs)
    first, *others = named.items()
    matches = [
        match((name, scores[config]), (first[0], scores[first[1]]), objective, is_same=config == first[1])
        for name, config in others
    ]
    return Validation(
        on=on,
        contenders=contenders,
        matches=matches,
        findings=findings_of(on, contenders, matches, runs),
        history=History(runs),
        ceiling=scenario.ceiling,
        par=scenario.par,
        is_time=is_time,
    )
