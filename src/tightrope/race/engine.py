"""Engine: outcomes in, actions out. It has no clock and no file, and changes only by what is written down.

What `decide` does to the engine is what the journal's entries do to a fresh one: it takes up challengers and
adopts trials, no more. So an engine fed with a journal is where the one was that wrote it.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tightrope.race.challengers import select, select_first
from tightrope.race.comparison import Comparison
from tightrope.race.objective import score_of
from tightrope.race.plan import Plan
from tightrope.race.race import Race, Step
from tightrope.race.tasks import TaskOrder
from tightrope.records import Action, Basis, Cancel, Config, Incumbent, Outcome, Start, Status, Stop, Trial

_SPARE = 1.5  # times as many challengers are selected as will be needed on average
_MOST_LOST = 10  # in a row: something kills workers
_TRIED_ALL: Final = "every config has been tried"
_UNBEATABLE: Final = "nobody could be measured to cost less than the incumbent"
GIVEN_UP: Final = (_TRIED_ALL, _UNBEATABLE)  # reasons to stop that no larger budget takes away


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision: what to do, and the challengers it selected, if it did, and by what."""

    number: int
    actions: tuple[Action, ...]
    challengers: tuple[Config, ...] = ()
    basis: Basis | None = None


@dataclass(slots=True)
class Totals:
    """Counts and sums over the whole tuning."""

    decisions: int = 0
    trials: int = 0
    runs: int = 0
    duels: int = 0
    defences: int = 0  # runs of incumbents
    lost_in_a_row: int = 0
    spent: float = 0.0
    now_s: float = 0.0


@dataclass(slots=True)
class _Since:
    """What has happened since challengers were last selected."""

    n_evidence: int  # there was then
    is_design: bool  # what was selected then fills the space evenly, and is tried to its end
    runs: int = 0
    wall_s: float = 0.0
    overhead_s: float = 0.0


@dataclass(slots=True)
class _Running:
    trial: Trial
    number: int
    task: int
    began_s: float
    is_cancelled: bool = False


class Engine:
    """Decides which config meets which task under which cap."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        tasks = TaskOrder(plan.instances, seeds=plan.seeds, seed=plan.seed)
        self._race = Race(plan.space, tasks, plan.default, plan.rules)
        self._queue: deque[Config] = deque()
        self._running: dict[int, _Running] = {}
        self._since: _Since | None = None
        self.totals = Totals()
        self.trajectory: list[Incumbent] = []

    @property
    def n_running(self) -> int:
        """How many trials are under way."""
        return len(self._running)

    @property
    def n_configs(self) -> int:
        """How many configs have been tried."""
        return self._race.evidence.n_configs

    @property
    def incumbent(self) -> Incumbent:
        """The best config so far."""
        return self._incumbent(self.totals.now_s)

    @property
    def against_default(self) -> Comparison:
        """The incumbent and the default, on the tasks that both were run on."""
        return self._race.against_default

    # What is written down: these, and nothing else, change the engine.

    def take_up(self, number: int, *, now_s: float, challengers: Sequence[Config]) -> None:
        """Begin a decision; new challengers take the place of those that were waiting."""
        self.totals.decisions = number + 1
        self.totals.now_s = now_s
        if challengers:
            self._queue = deque(challengers)
            is_design = self._since is None and self.plan.earlier is None
            self._since = _Since(len(self._race.evidence), is_design)

    def spend_time(self, overhead_s: float) -> None:
        """Take note of how long a decision took."""
        if self._since is not None:
            self._since.overhead_s += overhead_s

    def adopt(self, trial: Trial) -> None:
        """Take a trial as under way, whoever decided it."""
        task = self._race.tasks.position(trial.task)
        if self._race.begin(trial.config, task):
            self.totals.duels += 1
            self._call_up(trial.config)
        number = self._race.evidence.number(trial.config)
        self.totals.defences += number == self._race.incumbent
        self.totals.trials = max(self.totals.trials, trial.id + 1)
        self._running[trial.id] = _Running(trial, number, task, self.totals.now_s)

    def observe(self, outcome: Outcome) -> list[Incumbent]:
        """Learn from an outcome; return the new incumbents, if there are any."""
        running = self._running.pop(outcome.trial_id)
        self.totals.spent += outcome.spent
        if self._since is not None:
            self._since.wall_s += outcome.wall_s
            self._since.runs += 1
        if outcome.status is Status.LOST:
            self.totals.lost_in_a_row += 1
            self._race.give_up(running.number, running.task)
            return []
        self.totals.lost_in_a_row = 0
        self.totals.runs += 1
        promoted = self._race.learn(running.number, running.task, score_of(outcome))
        if not promoted:
            return []
        improved = self._incumbent(running.began_s + outcome.wall_s)
        self.trajectory.append(improved)
        return [improved]

    def forgive_losses(self) -> None:
        """Count losses in a row anew; nothing that is decided depends on them, only when to give up."""
        self.totals.lost_in_a_row = 0

    def _call_up(self, config: Config) -> None:
        """Take a challenger out of the queue, with those before it, who have no chance.

        It need not be there: one decision may start challengers of the old queue and then select a new one.
        """
        if config in self._queue:
            while self._queue.popleft() != config:
                pass

    # Deciding.

    def reason_to_stop(self, now_s: float) -> str | None:
        """Say why nothing more is to be started, if there is a reason."""
        totals, budget = self.totals, self.plan.budget
        if totals.lost_in_a_row >= _MOST_LOST:
            return f"{totals.lost_in_a_row} runs in a row were lost"
        if totals.runs >= budget.runs:
            return f"{totals.runs} runs are done"
        return budget.exhausted(cost=totals.spent, wall_s=now_s)

    def decide(self, slots: int, now_s: float) -> Decided:
        """Say what to do with the slots that are free, given the time."""
        number = self.totals.decisions
        self.take_up(number, now_s=now_s, challengers=())
        reason = self.reason_to_stop(now_s)
        if reason is not None:
            return Decided(number, (Stop(reason),))
        cancels = tuple(self._cancel())
        starts: list[Start] = []
        challengers: tuple[Config, ...] = ()
        basis: Basis | None = None
        most = min(slots, self.plan.budget.runs - self.totals.runs - self.n_running)
        while len(starts) < most:
            if not challengers and self._must_select():
                basis = self._basis()
                challengers = self._select(number, slots, basis)
                self.take_up(number, now_s=now_s, challengers=challengers)
            step = self._next_step()
            if step is None:
                break
            trial = self._trial(step)
            self.adopt(trial)
            starts.append(Start(trial))
        if slots > 0 and not self._running:
            return Decided(number, (Stop(self._reason_to_give_up()),))
        return Decided(number, (*cancels, *starts), challengers, basis)

    def _reason_to_give_up(self) -> str:
        if self._race.can_be_beaten:
            return _TRIED_ALL
        return _UNBEATABLE

    def _cancel(self) -> Iterator[Cancel]:
        for trial_id, running in self._running.items():
            if not running.is_cancelled and not self._race.is_wanted(running.number):
                running.is_cancelled = True
                yield Cancel(trial_id, "its config is out of the race")

    def _next_step(self) -> Step | None:
        """Return what comes first: a challenger's run, the incumbent's, or a new challenger's."""
        step = self._race.next_step()
        if step is None and self._must_defend():
            step = self._race.defence()
        if step is None:
            firsts = (self._race.first_step(config) for config in self._queue)
            step = next((first for first in firsts if first is not None), None)
        return step or self._race.defence()

    def _must_defend(self) -> bool:
        """Whether the incumbent is to gain a task: at first several, then one for each challenger."""
        totals, plan = self.totals, self.plan
        is_cheap = totals.spent < plan.opening * plan.rules.objective.ceiling
        is_opening = totals.defences < plan.first_tasks and is_cheap
        return is_opening or totals.defences <= plan.defence * totals.duels

    def _trial(self, step: Step) -> Trial:
        left = self.plan.budget.cost - self.totals.spent
        return Trial(self.totals.trials, step.config, min(step.cap, left), self._race.tasks.task(step.task))

    def _must_select(self) -> bool:
        """Whether new challengers are due: none wait, or much was learnt since, and the model is paid."""
        if not self._race.has_yardstick:
            return False
        if self._since is None or not self._queue:
            return self._race.next_step() is None
        if self._since.is_design:
            return False
        # Those under way were chosen without what they will tell: let as many end as there are.
        enough = max(self.plan.fewest_runs, self.n_running, self.plan.growth * self._since.n_evidence)
        return self._since.runs >= enough and self._is_paid(self._since)

    def _is_paid(self, since: _Since) -> bool:
        """Whether runs took at least as long as deciding: the model gets no more than its share.

        All slots may have to wait for a decision, so it is the time of each that counts.
        """
        return since.wall_s >= since.overhead_s * max(1, self.n_running)

    def _basis(self) -> Basis:
        if self._since is None and self.plan.earlier is None:
            return Basis.DESIGN
        if not self.plan.uses_model:
            return Basis.NO_MODEL
        return Basis.MODEL if self._since is None or self._is_paid(self._since) else Basis.CHANCE

    def _select(self, number: int, slots: int, basis: Basis) -> tuple[Config, ...]:
        if basis is Basis.DESIGN:
            return select_first(self.plan, self._race)
        n = max(2 * slots, self._challengers_until_next())
        return select(self.plan, self._race, number=number, n=n, with_model=basis is Basis.MODEL)

    def _challengers_until_next(self) -> int:
        """Return how many challengers the runs until the next selection may take, and some to spare."""
        runs_until_next = max(self.n_running, self.plan.growth * len(self._race.evidence))
        runs_of_each = max(1.0, (self.totals.runs - self.totals.defences) / max(1, self.totals.duels))
        return int(_SPARE * runs_until_next / runs_of_each)

    def _incumbent(self, at_s: float) -> Incumbent:
        race = self._race
        cost, n_tasks, is_bound = race.cost
        config = race.evidence.config(race.incumbent)
        return Incumbent(config, cost, n_tasks, is_bound, self.totals.spent, at_s)
