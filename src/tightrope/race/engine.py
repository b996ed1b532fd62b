"""Engine: outcomes in, actions out. It has no clock and no file, and changes only by what is written down.

What `decide` does to the engine is what `replay` of the journal's entries does: `decide` takes up challengers
and adopts trials, no more. So a fresh engine fed with a journal is where the old one was.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf

import numpy as np
from numpy.typing import NDArray

from tightrope.budget import Budget
from tightrope.race.comparison import Comparison, compare
from tightrope.race.duel import Duel, Rules, Verdict, balance, judge, limit_of, margin, open_duel
from tightrope.race.evidence import Evidence
from tightrope.race.level import LevelRule
from tightrope.race.objective import score_of
from tightrope.race.select import Favourites, Instances, Taste, interleave
from tightrope.race.supply import Supply
from tightrope.race.tasks import TaskOrder
from tightrope.records import Action, Cancel, Config, Incumbent, Outcome, Start, Status, Stop, Task, Trial
from tightrope.space import Space

Floats = NDArray[np.float64]

_PURPOSE = 3  # of this module's random numbers
_MOST_LOST = 10  # in a row: something kills workers


@dataclass(frozen=True, slots=True)
class Plan:
    """How an engine decides."""

    space: Space
    instances: tuple[str, ...]
    rules: Rules
    level_rule: LevelRule
    budget: Budget
    supply: Supply
    taste: Taste
    known: Instances  # what the model sees of the instances
    seeds: tuple[int, ...] | None = (0,)
    default: Config | None = None
    first_tasks: int = 1  # of the default, before the first duel
    growth: float = 0.1  # of the evidence, from one selection to the next
    n_rivals: int = 2
    fewest: int = 4  # runs from one selection to the next
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision: what to do, and the challengers it selected, if it did."""

    number: int
    actions: tuple[Action, ...]
    challengers: tuple[Config, ...] = ()


@dataclass(slots=True)
class _Selection:
    """What has happened since challengers were last selected."""

    n_runs: int = 0
    n_evidence: int = 0
    spent: float = 0.0
    overhead_s: float = 0.0


@dataclass(slots=True)
class _Running:
    trial: Trial
    config: int
    task: int
    is_cancelled: bool = False


@dataclass(slots=True)
class _Totals:
    """Counts and sums over the whole tuning."""

    decisions: int = 0
    trials: int = 0
    runs: int = 0
    duels: int = 0
    defences: int = 0  # runs of incumbents, which give them more tasks
    lost_in_a_row: int = 0
    spent: float = 0.0
    now_s: float = 0.0


class Engine:
    """Decides which config meets which task under which cap."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.tasks = TaskOrder(plan.instances, seeds=plan.seeds, seed=plan.seed)
        self.evidence = Evidence(plan.space)
        default = plan.default or plan.space.decode(plan.space.default())
        self._default = self._incumbent = self.evidence.number(default)
        self._queue: deque[Config] = deque()
        self._duels: dict[int, Duel] = {}
        self._running: dict[int, _Running] = {}
        self._busy: set[tuple[int, int]] = set()
        self._selection = _Selection()
        self._has_selected = False
        self._level = plan.level_rule.level(0.0)
        self._defended: set[int] = set()
        self.totals = _Totals()
        self.trajectory: list[Incumbent] = []

    @property
    def n_running(self) -> int:
        """How many trials are under way."""
        return len(self._running)

    @property
    def level(self) -> float:
        """Where costs are cut now."""
        return self._level

    @property
    def incumbent(self) -> Incumbent:
        """The best config so far."""
        scores = self.evidence.scores(self._incumbent)
        objective, ceiling = self.plan.rules.objective, self.plan.rules.objective.ceiling
        charges = [objective.charge(score, limit=ceiling) for score in scores.values()]
        return Incumbent(
            self.evidence.config(self._incumbent),
            float(np.mean(charges)) if charges else inf,
            len(charges),
            is_bound=not all(score.is_settled(ceiling) for score in scores.values()),
            spent=self.totals.spent,
            wall_s=self.totals.now_s,
        )

    @property
    def against_default(self) -> Comparison:
        """The incumbent and the default, on the tasks that both were run on."""
        one, other = self.evidence.scores(self._incumbent), self.evidence.scores(self._default)
        is_same = self._incumbent == self._default
        return compare(one, other, self.plan.rules.objective, is_same=is_same)

    # What is written down: these three, and nothing else, change the engine.

    def take_up(self, number: int, *, now_s: float, challengers: Sequence[Config]) -> None:
        """Begin a decision: the time it was asked at sets the level, and new challengers take the queue."""
        self.totals.decisions = number + 1
        self.totals.now_s = now_s
        self._level = max(self._level, self.plan.level_rule.level(self._used(now_s)))
        if challengers:
            self._queue = deque(challengers)
            self._selection = _Selection(n_evidence=len(self.evidence))
            self._has_selected = True

    def spend_time(self, overhead_s: float) -> None:
        """Take note of how long a decision took."""
        self._selection.overhead_s += overhead_s

    def adopt(self, trial: Trial) -> None:
        """Take a trial as under way, whoever decided it."""
        config, task = self.evidence.number(trial.config), self.tasks.position(trial.task)
        self._running[trial.id] = _Running(trial, config, task)
        self._busy.add((config, task))
        self.totals.trials = max(self.totals.trials, trial.id + 1)
        if config == self._incumbent:
            self.totals.defences += 1
        elif config not in self._duels:
            while self._queue and self._queue.popleft() != trial.config:
                pass
            self._duels[config] = self._new_duel(config)
            self.totals.duels += 1

    def observe(self, outcome: Outcome) -> list[Incumbent]:
        """Learn from an outcome; return the new incumbent if there is one."""
        running = self._running.pop(outcome.trial_id)
        self._busy.discard((running.config, running.task))
        self.totals.spent += outcome.spent
        self._selection.spent += outcome.spent
        if outcome.status is Status.LOST:
            self.totals.lost_in_a_row += 1
            return []
        self.totals.lost_in_a_row = 0
        self.totals.runs += 1
        self._selection.n_runs += 1
        self.evidence.add(running.config, running.task, score_of(outcome))
        return self._judge(running.config)

    # Deciding.

    def decide(self, slots: int, now_s: float) -> Decided:
        """Say what to do with the slots that are free, given the time."""
        number = self.totals.decisions
        self.take_up(number, now_s=now_s, challengers=())
        reason = self._reason_to_stop(now_s)
        if reason is not None:
            return Decided(number, (Stop(reason),))
        actions: list[Action] = list(self._cancel())
        challengers: tuple[Config, ...] = ()
        for _ in range(slots):
            trial = self._next()
            if trial is None and not challengers and self._has_begun:
                challengers = self._select(number, slots)
                self.take_up(number, now_s=now_s, challengers=challengers)
                trial = self._next()
            if trial is None:
                break
            self.adopt(trial)
            actions.append(Start(trial))
        if not self._running:
            actions = [Stop("every config has been tried")]
        return Decided(number, tuple(actions), challengers)

    @property
    def _has_begun(self) -> bool:
        return len(self.evidence.scores(self._incumbent)) > 0

    def _used(self, now_s: float) -> float:
        budget = self.plan.budget
        return max(self.totals.spent / budget.cost, now_s / budget.wall_s, self.totals.runs / budget.runs)

    def _reason_to_stop(self, now_s: float) -> str | None:
        totals = self.totals
        if totals.lost_in_a_row >= _MOST_LOST:
            return f"{totals.lost_in_a_row} runs in a row were lost"
        if totals.runs >= self.plan.budget.runs:
            return f"{totals.runs} runs are done"
        return self.plan.budget.exhausted(cost=totals.spent, wall_s=now_s)

    def _cancel(self) -> Iterator[Cancel]:
        for trial_id, running in self._running.items():
            wanted = running.config == self._incumbent or running.config in self._duels
            if not wanted and not running.is_cancelled:
                running.is_cancelled = True
                yield Cancel(trial_id, "its challenger was dropped")

    def _next(self) -> Trial | None:
        """Return the trial that comes next; None if there is none without new challengers."""
        for duel in self._duels.values():
            trial = self._step(duel, self.evidence.config(duel.challenger))
            if trial is not None:
                return trial
        if self._must_defend():
            trial = self._defend()
            if trial is not None:
                return trial
        if not self._has_begun or (self._has_selected and self._must_select()):
            return None
        return next(self._challenges(), None)

    def _challenges(self) -> Iterator[Trial]:
        for config in self._queue:
            number = self.evidence.find(config)
            if number != self._incumbent and number not in self._duels:
                trial = self._step(self._new_duel(number), config)
                if trial is not None:
                    yield trial

    def _step(self, duel: Duel, config: Config) -> Trial | None:
        """Return the next trial of a duel's rung that is not under way."""
        known = self.evidence.scores(duel.challenger)
        incumbent = self.evidence.scores(self._incumbent)
        rules = self.plan.rules
        sums = balance(duel, known, incumbent, level=self._level, rules=rules)
        left = margin(sums, rules.slack)
        if left <= rules.resolution:
            return None
        for task in sums.open:
            if (duel.challenger, task) not in self._busy:
                cap = min(left, limit_of(incumbent[task], self._level))
                score = known.get(task)
                if score is None or cap > score.cost:
                    return self._trial(config, task, cap)
        return None

    def _must_defend(self) -> bool:
        due = self.plan.first_tasks + self.totals.duels
        return self.totals.defences < due

    def _defend(self) -> Trial | None:
        """Return a run of the incumbent: one that was cut below the level, or a new task."""
        scores, config = self.evidence.scores(self._incumbent), self.evidence.config(self._incumbent)
        for task, score in scores.items():
            if not score.is_settled(self._level) and (self._incumbent, task) not in self._busy:
                return self._trial(config, task, self._level)
        task = 0
        while task < self.tasks.size:
            if task not in scores and (self._incumbent, task) not in self._busy:
                return self._trial(config, task, self._level)
            task += 1
        return None

    def _trial(self, config: Config, task: int, cap: float) -> Trial:
        left = self.plan.budget.cost - self.totals.spent
        return Trial(self.totals.trials, config, min(cap, left), self.tasks.task(task))

    def _new_duel(self, number: int) -> Duel:
        incumbent = self.evidence.scores(self._incumbent)
        return open_duel(number, self.evidence.scores(number), incumbent, self.plan.rules)

    def _judge(self, config: int) -> list[Incumbent]:
        """Draw the conclusions from a new score: of the incumbent all duels are concerned."""
        concerned = list(self._duels) if config == self._incumbent else [config]
        promoted = []
        for number in concerned:
            duel = self._duels.get(number)
            if duel is None:
                continue
            known, incumbent = self.evidence.scores(number), self.evidence.scores(self._incumbent)
            verdict = judge(duel, known, incumbent, level=self._level, rules=self.plan.rules)
            if verdict is not Verdict.GO_ON:
                del self._duels[number]
            if verdict is Verdict.PROMOTE:
                self._incumbent = number
                promoted += [self.incumbent, *self._judge(number)]
        self.trajectory += promoted
        return promoted

    # Selecting.

    def _must_select(self) -> bool:
        """Whether the model knows too little of what has happened since, and has been paid for."""
        since, plan = self._selection, self.plan
        enough = max(plan.fewest, plan.growth * since.n_evidence)
        return since.n_runs >= enough and since.spent >= since.overhead_s

    def _select(self, number: int, slots: int) -> tuple[Config, ...]:
        plan = self.plan
        rng = np.random.default_rng([plan.seed, _PURPOSE, number])
        n = max(20, 2 * slots, int(plan.growth * len(self.evidence)))
        if not self._has_selected:
            return self._fresh(plan.supply.design(plan.taste.n_design, rng))
        drawn = self._fresh(plan.supply.draw(2 * n, rng))
        is_paid = self._selection.spent >= self._selection.overhead_s
        if plan.taste.is_random or not is_paid:
            return drawn[:n]
        favourites = Favourites(
            self.evidence,
            self.tasks,
            space=plan.space,
            supply=plan.supply,
            instances=plan.known,
            taste=plan.taste,
            rng=rng,
        )
        fresh = (config for config in favourites.best_first(self._incumbent, n // 2) if self._is_fresh(config))
        rivals = self._rivals()
        return tuple(rivals + interleave(fresh, drawn, n=n, share=plan.taste.random_share))

    def _rivals(self) -> list[Config]:
        """Return configs that are known well, and no worse than the incumbent where both are known."""
        incumbent, rules = self.evidence.scores(self._incumbent), self.plan.rules
        found = []
        for number in range(self.evidence.n_configs):
            known = self.evidence.scores(number)
            if number == self._incumbent or number in self._duels or len(known) < len(incumbent) / 4:
                continue
            common = [task for task in known if task in incumbent]
            duel = Duel(number, common, len(common))
            sums = balance(duel, known, incumbent, level=self._level, rules=rules)
            if len(common) >= len(incumbent) / 4 and sums.challenger < sums.incumbent:
                found.append((sums.challenger / sums.incumbent, number))
        return [self.evidence.config(number) for _, number in sorted(found)[: self.plan.n_rivals]]

    def _is_fresh(self, config: Config) -> bool:
        return not self.evidence.knows(config)

    def _fresh(self, rows: Floats) -> tuple[Config, ...]:
        configs = dict.fromkeys(self.plan.space.decode(row) for row in rows)
        return tuple(config for config in configs if self._is_fresh(config))
