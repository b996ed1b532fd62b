"""Race: the incumbent, its challengers, what is known of them, and the next run of each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf

from tightrope.race.contenders import best_first, compare, shortlist
from tightrope.race.duel import (
    Balance,
    Duel,
    Rules,
    Verdict,
    balance,
    cap_of,
    extend,
    judge,
    margin,
    open_duel,
    reopen_duel,
)
from tightrope.race.estimate import estimate_terms
from tightrope.race.evidence import Evidence
from tightrope.race.objective import Score
from tightrope.race.tasks import TaskOrder
from tightrope.race.terms import Terms
from tightrope.race.working import LAST_SHARE, SHARE, working_ceiling
from tightrope.records import BudgetState, Config
from tightrope.space import Space

_GROWTH = 1.1  # of the evidence, after which the terms are estimated anew
_DOUBT_AT_THE_END = 0.5  # of the usual doubt: nothing can be learned later


@dataclass(frozen=True, slots=True)
class Step:
    """A run that the race needs next."""

    config: Config
    task: int
    cap: float


class Race:
    """Changes only by `begin`, `give_up` and `learn`; the next runs follow from what is known.

    Parameters
    ----------
    space : Space
        The parameters.
    tasks : TaskOrder
        All tasks.
    default : Config
        The first incumbent.
    rules : Rules
        Fixed settings; with `tactics.belief` the terms of comparisons are estimated.
    """

    def __init__(self, space: Space, tasks: TaskOrder, default: Config, rules: Rules) -> None:
        self.tasks = tasks
        self.rules = rules
        self.evidence = Evidence(space)
        self.terms = Terms(rules.objective, rules.objective.ceiling, n_tasks=tasks.size)
        self.is_ending = False  # the last part of the budget
        self.has_belief = rules.tactics.belief
        self.budget = inf  # in units of cost; inf if it is in others
        self._longest = inf  # how much of it a run may take
        self._incumbents = [self.evidence.number(default)]
        self._to_beat: dict[int, float] = {}
        self._duels: dict[int, Duel] = {}
        self._busy: set[tuple[int, int]] = set()
        self._waiting: set[int] = set()  # duels whose open tasks are all under way
        self._shortlist: list[int] = []  # dropped configs that may get a second chance
        self._contested: tuple[int, int] | None = None  # incumbent and number of its tasks
        self._n_estimated = 0  # evidence when the terms were estimated

    @property
    def incumbent(self) -> int:
        """The number of the incumbent."""
        return self._incumbents[-1]

    @property
    def has_yardstick(self) -> bool:
        """Whether a run of the incumbent has ended, so that challengers can be compared with it."""
        known, is_settled = self.evidence.scores, self.rules.objective.is_settled
        return any(is_settled(known(self.incumbent)[task]) for task in self._to_beat)

    @property
    def to_beat(self) -> Mapping[int, float]:
        """The incumbent's objective cost on each of its settled tasks."""
        return self._to_beat

    @property
    def can_be_beaten(self) -> bool:
        """Whether a challenger could be measured to cost less than the incumbent."""
        everything = Balance(sum(self._to_beat.values()), 0.0, ())
        return margin(everything, self.rules.slack) > self.rules.resolution

    @property
    def n_duels(self) -> int:
        """How many challengers are in the race."""
        return len(self._duels)

    @property
    def cost(self) -> tuple[float, int, bool]:
        """Mean cost of the incumbent, the number of tasks, and whether the mean is only a lower bound."""
        scores, objective = self.evidence.scores(self.incumbent), self.rules.objective
        if not scores:
            return inf, 0, True
        mean = sum(objective.charge(score) for score in scores.values()) / len(scores)
        return mean, len(scores), not all(map(objective.is_settled, scores.values()))

    def is_wanted(self, number: int) -> bool:
        """Whether runs of a config still matter."""
        return number == self.incumbent or number in self._duels

    def look_ahead(self, budget: BudgetState, *, has_new: bool = True) -> None:
        """Note the budget that the next decision goes by, and whether there are configs to try."""
        if not self.has_belief:
            return
        self.is_ending = budget.used >= 1.0 - self.rules.tactics.ending
        share = SHARE if has_new else max(SHARE, LAST_SHARE * (1.0 - budget.used))
        longest = inf if self.rules.slack == inf else share * budget.cost
        if longest > self._longest or budget.cost != self.budget:
            self.budget, self._longest = budget.cost, longest
            self._set_ceiling()

    def decide_by_sums(self) -> None:
        """Compare bare sums, as versions did whose decisions did not go by the budget."""
        self.has_belief = self.is_ending = False

    def begin(self, config: Config, task: int) -> tuple[int, bool]:
        """Note that a run has started; return the config's number, and whether this opens a duel."""
        number = self.evidence.number(config)
        self._busy.add((number, task))
        if number == self.incumbent or number in self._duels:
            return number, False
        self._duels[number], _ = self._open(number)
        return number, True

    def give_up(self, number: int, task: int) -> None:
        """Note that a run ended without a result."""
        self._busy.discard((number, task))
        self._waiting.discard(number)

    def learn(self, number: int, task: int, score: Score) -> list[int]:
        """Add the score of a run and judge duels by it; return the new incumbents in order."""
        self.give_up(number, task)
        self.evidence.add(number, task, score)
        if self.has_belief and len(self.evidence) >= _GROWTH * self._n_estimated:
            self._estimate()
        if number != self.incumbent:
            return self._judge([number])
        if self.has_belief:
            self._set_ceiling()
        known = self.evidence.scores(number)[task]
        if self.terms.is_settled(known):
            self._to_beat[task] = self.terms.charge(known)
            return self._judge(list(self._duels))
        return []

    def _set_ceiling(self) -> None:
        """Work under the ceiling that the incumbent's runs and the budget suggest."""
        scores = self.evidence.scores(self.incumbent).values()
        objective, n_tasks = self.rules.objective, self.tasks.size
        ceiling = working_ceiling(scores, objective, longest=self._longest, n_tasks=n_tasks)
        if ceiling != self.terms.ceiling:
            self.terms = replace(self.terms, ceiling=ceiling)
            if scores:
                self._charge_incumbent()

    def _estimate(self) -> None:
        """Estimate the terms anew."""
        self._n_estimated = len(self.evidence)
        self.terms = estimate_terms(self.terms, self.evidence, self._incumbents, longest=self._longest)
        self._charge_incumbent()
        self._shortlist = shortlist(self.evidence, self._to_beat, self.terms)

    def _charge_incumbent(self) -> None:
        """Charge all settled runs of the incumbent, and align the duels with its tasks."""
        self._to_beat = {
            task: self.terms.charge(score)
            for task, score in self.evidence.scores(self.incumbent).items()
            if self.terms.is_settled(score)
        }
        for duel in self._duels.values():
            self._align(duel)

    def next_step(self) -> Step | None:
        """Return the next run of a challenger in the race, if there is one that is not under way."""
        for number, duel in self._duels.items():
            if number not in self._waiting:
                step = self._step(duel, self.evidence.config(number))
                if step is not None:
                    return step
                self._waiting.add(number)
        return None

    def first_step(self, config: Config) -> Step | None:
        """Return the first run of a new challenger; None if it cannot win."""
        number = self.evidence.find(config)
        if self.is_wanted(number) or not self.has_yardstick:
            return None
        duel, verdict = self._open(number)
        return self._step(duel, config) if verdict is Verdict.GO_ON else None

    def defence(self) -> Step | None:
        """Return the incumbent's next run: the first task on which it is not settled."""
        task = 0
        while task < self.tasks.size:
            if task not in self._to_beat and (self.incumbent, task) not in self._busy:
                return Step(self.evidence.config(self.incumbent), task, self.terms.ceiling)
            task += 1
        return None

    @property
    def is_contested(self) -> bool:
        """Whether a challenger leads on all of the incumbent's tasks, but not by enough."""
        return self._contested == (self.incumbent, len(self._to_beat))

    def second_chance(self) -> Step | None:
        """Return the next run of the most promising dropped config, or of the incumbent if it lacks tasks."""
        dropped = [number for number in self._shortlist if not self.is_wanted(number)]
        contenders = best_first(dropped, self.evidence, self._to_beat, self.terms)
        for standing in contenders:
            if standing.n_tasks == len(self._to_beat):
                break
            step = self.first_step(self.evidence.config(standing.number))
            if step is not None:
                return step
        return self.defence() if contenders else None

    def rivals(self) -> Iterator[tuple[float, Config]]:
        """Yield dropped configs that are better than the incumbent on at least a quarter of its tasks.

        They were dropped on other evidence, or beaten by another incumbent. The ratio of costs comes first.
        """
        fewest = max(1, len(self._to_beat) // 4)
        for number in range(self.evidence.n_configs):
            if len(self.evidence.scores(number)) < fewest or self.is_wanted(number):
                continue
            standing = compare(number, self.evidence, self._to_beat, self.terms)
            if standing.n_tasks >= fewest and standing.challenger < standing.incumbent:
                yield standing.challenger / standing.incumbent, self.evidence.config(number)

    def _open(self, number: int) -> tuple[Duel, Verdict]:
        """Open a duel; a config that returns goes on where it was, or gets more tasks at once."""
        known = self.evidence.scores(number)
        is_known = self.has_belief and any(task in known for task in self._to_beat)
        make = reopen_duel if is_known else open_duel
        duel = make(number, known, self._to_beat, self.rules)
        return duel, self._verdict(duel)

    def _verdict(self, duel: Duel) -> Verdict:
        if not self._to_beat:
            return Verdict.GO_ON
        known = self.evidence.scores(duel.challenger)
        doubt = _DOUBT_AT_THE_END if self.is_ending else 1.0
        return judge(duel, known, self._to_beat, self.rules, self.terms, doubt=doubt)

    def _step(self, duel: Duel, config: Config) -> Step | None:
        known = self.evidence.scores(duel.challenger)
        sums = balance(duel, known, self._to_beat, self.terms)
        for task in sums.open:
            if (duel.challenger, task) not in self._busy:
                cap = cap_of(known.get(task), sums, self.rules, self.terms)
                return Step(config, task, cap) if cap > self.rules.resolution else None
        return None

    def _judge(self, numbers: list[int]) -> list[int]:
        promoted: list[int] = []
        for number in numbers:
            duel = self._duels.get(number)
            if duel is None:
                continue
            verdict = self._verdict(duel)
            if verdict is Verdict.GO_ON:
                self._waiting.discard(number)
                continue
            del self._duels[number]
            self._waiting.discard(number)
            if verdict is Verdict.WAIT:
                self._contested = self.incumbent, len(self._to_beat)
            if verdict is Verdict.PROMOTE:
                promoted += [number, *self._promote(number)]
        return promoted

    def _align(self, duel: Duel) -> None:
        """Take tasks out of a duel that the incumbent has no settled cost on, under the present terms."""
        if any(task not in self._to_beat for task in duel.order):
            duel.order = [task for task in duel.order if task in self._to_beat]
            extend(duel, self._to_beat, self.rules)
            duel.rung = max(1, min(duel.rung, len(duel.order)))

    def _promote(self, number: int) -> list[int]:
        """Make a challenger the incumbent, and judge the other duels against it."""
        self._incumbents.append(number)
        self._estimate() if self.has_belief else self._charge_incumbent()
        return self._judge(list(self._duels))
