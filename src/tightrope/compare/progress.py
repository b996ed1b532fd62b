"""Progress of a tuning, summed up from its events."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import singledispatchmethod

from tightrope.compare.contrast import Contrast, Estimate, contrast, estimate
from tightrope.race.objective import Objective, Score, better_known, score_of
from tightrope.records import (
    Basis,
    Config,
    Event,
    Finished,
    Improved,
    Resumed,
    Run,
    Selected,
    Started,
    Status,
    Task,
    Trial,
)
from tightrope.scenario.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a tuning.

    Attributes
    ----------
    number : int
        Number of the incumbent: configs are numbered by their first trial, and the default has number 0.
    config, default : Config
        The incumbent and the default.
    cost : Estimate
        Mean cost of the incumbent over its tasks.
    against_default : Contrast
        The default's mean cost over the incumbent's, on their common tasks.
    n_runs, n_done, n_capped, n_failed, n_lost : int
        Number of runs, in all and by status.
    n_configs : int
        Number of configs that were tried.
    spent : float
        Cumulative cost of all runs.
    spared : float
        Upper bound on what capping saved: what capped runs would have cost in addition, had each reached the
        ceiling.
    n_seen, n_used, n_instances : int
        Number of instances that the incumbent was run on, that any config was run on, and in all.
    n_busy, slots : int
        Number of runs under way, and the largest possible number.
    basis : Basis or None
        How the last challengers were selected.
    """

    number: int
    config: Config
    default: Config
    cost: Estimate
    against_default: Contrast
    n_runs: int
    n_done: int
    n_capped: int
    n_failed: int
    n_lost: int
    n_configs: int
    spent: float
    spared: float
    n_seen: int
    n_used: int
    n_instances: int
    n_busy: int
    slots: int
    basis: Basis | None


class ProgressTracker:
    """Sums up events; pass `take` to `tune` as its watch.

    Examples
    --------
    >>> from tightrope import Scenario, tune
    >>> from tightrope.run import Virtual
    >>> scenario = Scenario(space={"x": (0.0, 1.0)}, ceiling=10.0, budget=50.0)
    >>> tracker = ProgressTracker(scenario)
    >>> result = tune(scenario, executor=Virtual(lambda config, instance, seed: 1 + config["x"]),
    ...     watch=tracker.take)
    >>> tracker.progress().config == result.best
    True
    """

    def __init__(self, scenario: Scenario) -> None:
        self._objective = Objective(scenario.ceiling, scenario.par)
        self._n_instances = len(scenario.instances)
        self._default = self._incumbent = scenario.default_config
        self._number = {self._default: 0}
        self._scores: dict[Config, dict[Task, Score]] = {}
        self._ends: Counter[Status] = Counter()
        self._instances: set[str] = set()
        self._busy: set[int] = set()
        self._slots = 0
        self._spent = self._spared = 0.0
        self._basis: Basis | None = None

    @singledispatchmethod
    def take(self, event: Event) -> None:
        """Add an event; events without effect are ignored."""

    @take.register
    def _(self, event: Resumed) -> None:
        number_configs([*(run.trial for run in event.runs), *event.pending], self._number)
        for run in event.runs:
            self._add(run)
        if event.trajectory:
            self._incumbent = event.trajectory[-1].config

    @take.register
    def _(self, event: Started) -> None:
        number_configs([event.trial], self._number)
        self._busy.add(event.trial.id)
        self._slots = event.slots

    @take.register
    def _(self, event: Selected) -> None:
        self._basis = event.basis

    @take.register
    def _(self, event: Finished) -> None:
        self._busy.discard(event.run.trial.id)
        number_configs([event.run.trial], self._number)
        self._add(event.run)

    @take.register
    def _(self, event: Improved) -> None:
        self._incumbent = event.incumbent.config

    @property
    def n_busy(self) -> int:
        """Number of runs under way; safe to read from another thread."""
        return len(self._busy)

    def number(self, config: Config) -> int:
        """Return the number of a config that was tried."""
        return self._number[config]

    def progress(self) -> Progress:
        """Return the progress so far."""
        scores, default_scores = (self._scores.get(each, {}) for each in (self._incumbent, self._default))
        is_same = self._incumbent == self._default
        return Progress(
            number=self._number[self._incumbent],
            config=self._incumbent,
            default=self._default,
            cost=estimate(scores, self._objective),
            against_default=contrast(scores, default_scores, self._objective, is_same=is_same),
            n_runs=self._ends.total(),
            n_done=self._ends[Status.DONE],
            n_capped=self._ends[Status.CAPPED],
            n_failed=self._ends[Status.FAILED],
            n_lost=self._ends[Status.LOST],
            n_configs=len(self._scores),
            spent=self._spent,
            spared=self._spared,
            n_seen=len({task.instance for task in scores}),
            n_used=len(self._instances),
            n_instances=self._n_instances,
            n_busy=self.n_busy,
            slots=self._slots,
            basis=self._basis,
        )

    def _add(self, run: Run) -> None:
        outcome, task = run.outcome, run.trial.task
        self._ends[outcome.status] += 1
        self._spent += outcome.spent
        if outcome.status is Status.LOST:
            return
        self._instances.add(task.instance)
        scores = self._scores.setdefault(run.trial.config, {})
        scores[task] = better_known(scores.get(task), score_of(outcome))
        if run.censored:
            self._spared += max(0.0, self._objective.ceiling - outcome.cost)


def number_configs(trials: Iterable[Trial], known: dict[Config, int]) -> None:
    """Assign numbers to configs that have none yet, in the order of their trials."""
    for trial in sorted(trials, key=lambda trial: trial.id):
        known.setdefault(trial.config, len(known))
