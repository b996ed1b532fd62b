"""Engine of `tune`: outcomes in, actions out. It has no clock and no file.

`decide` changes the engine only in ways that a journal's entries reproduce: it adopts decisions and trials.
So a fresh engine that is fed a journal is in the same state as the one that wrote it.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

from tightrope.errors import TargetError
from tightrope.race.care import must_defend
from tightrope.race.challengers import select, select_first
from tightrope.race.objective import score_of
from tightrope.race.plan import Plan
from tightrope.race.race import Race, Step
from tightrope.race.tasks import TaskOrder
from tightrope.race.totals import Running, Since, Totals
from tightrope.records import (
    Basis,
    BudgetState,
    Cancel,
    Config,
    Decided,
    Decision,
    Improved,
    Incumbent,
    Outcome,
    Start,
    Status,
    Stop,
    StopKind,
    StopReason,
    Trial,
)

_SPARE = 1.5  # times as many challengers are selected as are needed on average
_EXHAUSTED: Final = StopReason(StopKind.EXHAUSTED, "every config has been tried")
_OPTIMAL: Final = StopReason(StopKind.OPTIMAL, "the incumbent is already at the timer's resolution")


class Engine:
    """Decides which config runs on which task, under which cap."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        tasks = TaskOrder(plan.instances, seeds=plan.seeds, seed=plan.seed)
        self._race = Race(plan.space, tasks, plan.default, plan.rules)
        self._queue: deque[Config] = deque()
        self._running: dict[int, Running] = {}
        self._since: Since | None = None
        self.totals = Totals()
        self.trajectory: list[Incumbent] = []

    @property
    def n_running(self) -> int:
        """Number of trials under way."""
        return len(self._running)

    @property
    def n_configs(self) -> int:
        """Number of configs that were tried."""
        return self._race.evidence.n_configs

    @property
    def incumbent(self) -> Incumbent:
        """The best config so far."""
        return self._incumbent(self.totals.now_s)

    # The following methods, and no others, change the engine; a journal holds all their arguments.

    def adopt(self, what: Decision | Trial) -> None:
        """Replay a decision or a trial of a journal."""
        if isinstance(what, Decision):
            if what.budget is None:
                self._race.decide_by_sums()
            self._begin(what.number, what.budget, now_s=what.now_s, challengers=what.challengers)
            self.spend_time(what.overhead_s)
        else:
            self._start(what, self._race.tasks.position(what.task))

    def spend_time(self, overhead_s: float) -> None:
        """Note how long the last decision took."""
        if self._since is not None:
            self._since.overhead_s += overhead_s

    def _begin(
        self, number: int, budget: BudgetState | None, *, now_s: float, challengers: Sequence[Config] = ()
    ) -> None:
        """Begin a decision; new challengers replace those still in the queue."""
        self.totals.decisions = number + 1
        self.totals.now_s = now_s
        if budget is not None:
            self._race.look_ahead(budget, has_new=self._has_new)
        if challengers:
            self._queue = deque(challengers)
            self._since = Since(len(self._race.evidence), is_design=self._since is None)

    def _start(self, trial: Trial, task: int) -> None:
        """Note that a trial has started; `task` is the position of its task."""
        number, is_new = self._race.begin(trial.config, task)
        if is_new:
            self.totals.duels += 1
            self._dequeue(trial.config)
        self.totals.defences += number == self._race.incumbent
        self.totals.trials = max(self.totals.trials, trial.id + 1)
        self._running[trial.id] = Running(trial, number, task, self.totals.now_s)

    def observe(self, outcome: Outcome) -> list[Improved]:
        """Learn from an outcome; return an event for each new incumbent."""
        running = self._running.pop(outcome.trial_id)
        self.totals.spent += outcome.spent
        if self._since is not None:
            self._since.wall_s += outcome.wall_s
            self._since.runs += 1
        if outcome.status is Status.LOST:
            self._race.give_up(running.number, running.task)
            return []
        if self.plan.first_must_work:
            _require_first_to_work(running.trial, outcome)
        self.totals.runs += 1
        if not self._race.learn(running.number, running.task, score_of(outcome)):
            return []
        improved = self._incumbent(running.began_s + outcome.wall_s)
        self.trajectory.append(improved)
        return [Improved(improved)]

    def _dequeue(self, config: Config) -> None:
        """Remove a challenger from the queue, and those before it, which cannot win.

        It need not be in the queue: one decision may start challengers of the old queue and then select a
        new one.
        """
        if config in self._queue:
            while self._queue.popleft() != config:
                pass

    # Deciding.

    def reason_to_stop(self, now_s: float) -> StopReason | None:
        """Return why nothing more is to be started, if there is a reason."""
        totals, budget = self.totals, self.plan.budget
        if totals.runs >= budget.runs:
            return StopReason(StopKind.RUNS, f"{totals.runs} runs are done")
        return budget.exhausted(cost=totals.spent, wall_s=now_s)

    def decide(self, slots: int, now_s: float) -> Decided:
        """Decide what to do with the free slots at this time."""
        number = self.totals.decisions
        totals, limits = self.totals, self.plan.budget
        used = max(totals.spent / limits.cost, now_s / limits.wall_s, totals.runs / limits.runs)
        budget = BudgetState(self.plan.cost_limit, used)
        self._begin(number, budget, now_s=now_s)
        reason = self.reason_to_stop(now_s)
        if reason is not None:
            return Decided(number, (Stop(reason),), budget=budget)
        cancels = tuple(self._cancel())
        starts: list[Start] = []
        challengers: tuple[Config, ...] = ()
        basis: Basis | None = None
        most = min(slots, self.plan.budget.runs - self.totals.runs - self.n_running)
        while len(starts) < most:
            if not challengers and self._must_select():
                basis = self._basis()
                challengers = self._select(number, slots, basis)
                self._begin(number, budget, now_s=now_s, challengers=challengers)
            step = self._next_step()
            if step is None:
                break
            cap = min(step.cap, self.plan.budget.cost - self.totals.spent)
            trial = Trial(self.totals.trials, step.config, cap, self._race.tasks.task(step.task))
            self._start(trial, step.task)
            starts.append(Start(trial))
        if slots > 0 and not self._running:
            stop = Stop(_EXHAUSTED if self._race.can_be_beaten else _OPTIMAL)
            return Decided(number, (stop,), budget=budget)
        return Decided(number, (*cancels, *starts), challengers, basis, budget)

    def _cancel(self) -> Iterator[Cancel]:
        for trial_id, running in self._running.items():
            if not running.is_cancelled and not self._race.is_wanted(running.number):
                running.is_cancelled = True
                yield Cancel(trial_id, "its config is out of the race")

    def _next_step(self) -> Step | None:
        """Return the next run: of a challenger, of the incumbent, or of a new challenger, in this order.

        Dropped configs return in the last part of the budget, and when there are no new ones.
        """
        race, totals, has_new = self._race, self.totals, self._has_new
        step = race.next_step()
        if step is None and (race.is_ending or not has_new):
            step = race.second_chance()
        if step is not None or not has_new:
            return step
        if must_defend(race, n_defences=totals.defences, n_duels=totals.duels, spent=totals.spent):
            step = race.defence()
        if step is None:
            firsts = (race.first_step(config) for config in self._queue)
            step = next((first for first in firsts if first is not None), None)
        return step or race.defence()

    @property
    def _has_new(self) -> bool:
        """Whether there are configs that have not been tried; without belief it does not matter."""
        if not self._race.has_belief or not self._race.has_yardstick:
            return True
        return self.plan.candidates.has_new(self._race.evidence)

    def _must_select(self) -> bool:
        """Whether to select new challengers: the queue is empty, or there is enough new data and time."""
        if not self._race.has_yardstick or not self._has_new:
            return False
        if self._since is None or not self._queue:
            return self._race.next_step() is None
        if self._since.is_design:
            return False
        # Runs under way are not in the data yet: wait for as many outcomes as there are running trials.
        enough = max(
            self.plan.tactics.fewest_runs, self.n_running, self.plan.tactics.growth * self._since.n_evidence
        )
        return self._since.runs >= enough and self._is_paid(self._since)

    def _is_paid(self, since: Since) -> bool:
        """Whether runs took at least as long as deciding, which limits the model's share of the time.

        All slots may have to wait for a decision, so the overhead counts once for each.
        """
        return since.wall_s >= since.overhead_s * max(1, self.n_running)

    def _basis(self) -> Basis:
        if self._since is None:
            return Basis.DESIGN
        if self.plan.model is None:
            return Basis.NO_MODEL
        return Basis.MODEL if self._is_paid(self._since) else Basis.CHANCE

    def _select(self, number: int, slots: int, basis: Basis) -> tuple[Config, ...]:
        if basis is Basis.DESIGN:
            return select_first(self.plan, self._race)
        n = max(2 * slots, self._challengers_until_next())
        return select(self.plan, self._race, number=number, n=n, with_model=basis is Basis.MODEL)

    def _challengers_until_next(self) -> int:
        """Return how many challengers the runs until the next selection may need, with a margin."""
        runs_until_next = max(self.n_running, self.plan.tactics.growth * len(self._race.evidence))
        runs_of_each = max(1.0, (self.totals.runs - self.totals.defences) / max(1, self.totals.duels))
        return int(_SPARE * runs_until_next / runs_of_each)

    def _incumbent(self, at_s: float) -> Incumbent:
        race = self._race
        cost, n_tasks, is_bound = race.cost
        config = race.evidence.config(race.incumbent)
        return Incumbent(config, cost, n_tasks, is_bound, self.totals.spent, at_s)


def _require_first_to_work(trial: Trial, outcome: Outcome) -> None:
    """Raise if the very first run, which is the default's, failed: most likely nothing works."""
    if trial.id == 0 and outcome.status is Status.FAILED:
        where = f" on {trial.task.instance!r}" if trial.task.instance else ""
        raise TargetError(
            f"the first run, of the default config{where}, failed: {outcome.note or 'no reason was given'}",
            config=trial.config,
            hint="fix the target, and start again with a new journal",
        )
