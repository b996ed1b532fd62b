"""Race: the incumbent, its challengers, what is known of them, and the next run of each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf

from tightrope.race.duel import Balance, Duel, Rules, Verdict, balance, cap_of, judge, margin, open_duel
from tightrope.race.evidence import Evidence
from tightrope.race.objective import Score
from tightrope.race.tasks import TaskOrder
from tightrope.records import Config
from tightrope.space import Space


@dataclass(frozen=True, slots=True)
class Step:
    """A run that the race needs next."""

    config: Config
    task: int
    cap: float


class Race:
    """Changes only by `begin`, `give_up` and `learn`; the next runs follow from what is known."""

    def __init__(self, space: Space, tasks: TaskOrder, default: Config, rules: Rules) -> None:
        self.tasks = tasks
        self.rules = rules
        self.evidence = Evidence(space)
        self.incumbent = self.evidence.number(default)
        self._to_beat: dict[int, float] = {}
        self._duels: dict[int, Duel] = {}
        self._busy: set[tuple[int, int]] = set()
        self._waiting: set[int] = set()  # duels whose open tasks are all under way

    @property
    def has_yardstick(self) -> bool:
        """Whether the incumbent has a settled task to compare challengers on."""
        return bool(self._to_beat)

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
        return mean, len(scores), len(self._to_beat) < len(scores)

    def is_wanted(self, number: int) -> bool:
        """Whether runs of a config still matter."""
        return number == self.incumbent or number in self._duels

    def begin(self, config: Config, task: int) -> tuple[int, bool]:
        """Note that a run has started; return the config's number, and whether this opens a duel."""
        number = self.evidence.number(config)
        self._busy.add((number, task))
        if self.is_wanted(number):
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
        if number != self.incumbent:
            return self._judge([number])
        known = self.evidence.scores(number)[task]
        if self.rules.objective.is_settled(known):
            self._to_beat[task] = self.rules.objective.charge(known)
            return self._judge(list(self._duels))
        return []

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
                return Step(self.evidence.config(self.incumbent), task, self.rules.objective.ceiling)
            task += 1
        return None

    def rivals(self) -> Iterator[tuple[float, Config]]:
        """Yield dropped configs that are better than the incumbent on at least a quarter of its tasks.

        They were dropped on other evidence, or beaten by another incumbent. The ratio of costs comes first.
        """
        fewest = max(1, len(self._to_beat) // 4)
        for number in range(self.evidence.n_configs):
            known = self.evidence.scores(number)
            if len(known) < fewest or self.is_wanted(number):
                continue
            common = [task for task in known if task in self._to_beat]
            sums = balance(Duel(number, common, len(common)), known, self._to_beat, self.rules)
            if len(common) >= fewest and sums.challenger < sums.incumbent:
                yield sums.challenger / sums.incumbent, self.evidence.config(number)

    def _open(self, number: int) -> tuple[Duel, Verdict]:
        """Open a duel on its current rung: a config that returns has completed earlier ones."""
        known = self.evidence.scores(number)
        duel = open_duel(number, known, self._to_beat, self.rules)
        return duel, judge(duel, known, self._to_beat, self.rules)

    def _step(self, duel: Duel, config: Config) -> Step | None:
        known = self.evidence.scores(duel.challenger)
        sums = balance(duel, known, self._to_beat, self.rules)
        for task in sums.open:
            if (duel.challenger, task) not in self._busy:
                cap = cap_of(known.get(task), sums, self.rules)
                return Step(config, task, cap) if cap > self.rules.resolution else None
        return None

    def _judge(self, numbers: list[int]) -> list[int]:
        promoted: list[int] = []
        for number in numbers:
            duel = self._duels.get(number)
            if duel is None:
                continue
            verdict = judge(duel, self.evidence.scores(number), self._to_beat, self.rules)
            if verdict is Verdict.GO_ON:
                self._waiting.discard(number)
                continue
            del self._duels[number]
            self._waiting.discard(number)
            if verdict is Verdict.PROMOTE:
                promoted += [number, *self._promote(number)]
        return promoted

    def _promote(self, number: int) -> list[int]:
        """Make a challenger the incumbent, and judge the other duels against it."""
        self.incumbent = number
        objective = self.rules.objective
        self._to_beat = {
            task: objective.charge(score)
            for task, score in self.evidence.scores(number).items()
            if objective.is_settled(score)
        }
        return self._judge(list(self._duels))
