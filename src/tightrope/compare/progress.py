"""Where a tuning stands: what its events add up to, for whoever shows it."""

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
from tightrope.space import Space


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a tuning stands.

    Attributes
    ----------
    number : int
        The incumbent's: configs are numbered in the order of their first trial, the default is number 0.
    config, default : Config
        The incumbent and the default.
    cost : Estimate
        What the incumbent costs on the tasks that it was run on.
    against_default : Contrast
        How many times less that is than the default costs.
    n_runs, n_done, n_capped, n_failed, n_lost : int
        How many runs there were, and how they ended.
    n_configs : int
        How many configs have been tried.
    spent : float
        Cumulative cost of all runs.
    spared : float
        What it would have cost besides, at most, if no run had been stopped below the ceiling: nobody knows
        what those runs would have cost, only that none could have gone beyond the ceiling.
    n_seen, n_used, n_instances : int
        How many instances the incumbent was run on, any config was run on, and there are.
    n_busy, slots : int
        How many runs are under way, and how many may be.
    basis : Basis or None
        What the last challengers were selected by.
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
    """Adds events up; `take` is made to be passed to `tune` as its watch.

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
        self._default = self._incumbent = default_of(scenario)
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
        """Add an event up; those that change nothing are welcome too."""

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
        """How many runs are under way; threads other than the watching one may ask."""
        return len(self._busy)

    def number(self, config: Config) -> int:
        """Return the number of a config that was tried."""
        return self._number[config]

    def progress(self) -> Progress:
        """Return where the tuning stands now."""
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
    """Give configs that are not known yet their numbers, in the order in which their trials were decided."""
    for trial in sorted(trials, key=lambda trial: trial.id):
        known.setdefault(trial.config, len(known))


def default_of(scenario: Scenario) -> Config:
    """Return the config that a tuning begins with."""
    space = Space.of(scenario.space)
    return space.decode(space.default()) if scenario.default is None else Config(scenario.default)
