"""Tunings among random costs, for tests: an engine, slots whose runs end in random order, and a journal."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf
from typing import Any
from zlib import crc32

import numpy as np

from engine_script import InOrder
from tightrope import Budget
from tightrope.race.candidates import CandidateSource, Effort, WholeSpace
from tightrope.race.duel import Rules
from tightrope.race.engine import Engine
from tightrope.race.objective import Objective
from tightrope.race.plan import Plan
from tightrope.race.tactics import Tactics
from tightrope.race.training import InstanceColumns
from tightrope.records import Cancel, Config, Decided, Decision, Outcome, Start, Status, Stop, Task, Trial
from tightrope.search.surrogate import ForestModel
from tightrope.space import Space

CEILING = 50.0
RESOLUTION = 0.01
ENDINGS = {"done": 0.8, "failed": 0.06, "never ends": 0.08, "lost": 0.06}

_MODEL = ForestModel(options={"n_estimators": 10, "ceiling": CEILING, "min_samples_split": 5})

Record = Decision | Trial | Outcome


@dataclass(frozen=True)
class World:
    """What runs cost: random numbers of very different sizes, the same whenever they are asked for."""

    seed: int
    scale: float = 1.0

    def end(self, trial: Trial) -> Outcome:
        """Return how a trial ends if it is left alone. Those that are lost may come through next time."""
        about = repr((sorted(trial.config.items()), trial.task))
        rng = np.random.default_rng([self.seed, crc32(about.encode())])
        how = rng.choice(list(ENDINGS), p=list(ENDINGS.values()))
        cost = inf if how == "never ends" else self.scale * float(rng.lognormal(1.0, 1.0))
        if how == "lost" and trial.id % 2:
            return Outcome(trial.id, Status.LOST, inf, 0.1, wall_s=0.1)
        if cost >= trial.cap:
            return Outcome(trial.id, Status.CAPPED, trial.cap, trial.cap, wall_s=trial.cap)
        if how == "failed":
            return Outcome(trial.id, Status.FAILED, inf, cost, wall_s=cost)
        return Outcome(trial.id, Status.DONE, cost, cost, wall_s=cost)


@dataclass
class Tuning:
    """An engine, and all that happens to it.

    Parameters
    ----------
    plan, world, slots
        What is decided by, what comes of it, and how many runs may be under way at once.
    overhead_s : float or None
        How long decisions take; None: random times.

    Attributes
    ----------
    records : list of Record
        What a journal would hold.
    running : dict
        Trials under way.
    known : dict
        Of a config and a task: the bound that is known of its cost, inf if all is known.
    n_before : int
        How many records there were when the last decision was asked for, at `asked_s`.
    """

    plan: Plan
    world: World
    slots: int = 1
    overhead_s: float | None = None
    records: list[Record] = field(default_factory=list)
    running: dict[int, Trial] = field(default_factory=dict)
    cancelled: set[int] = field(default_factory=set)
    known: dict[tuple[Config, Task], float] = field(default_factory=dict)
    n_before: int = 0
    asked_s: float = 0.0

    def __post_init__(self) -> None:
        self.engine = Engine(self.plan)
        self._rng = np.random.default_rng([self.world.seed, self.slots])
        self._now_s = 0.0

    def decisions(self) -> Iterator[Decided]:
        """Turn the crank until the engine stops; yield each decision after it has been written down."""
        while True:
            self.n_before, self.asked_s = len(self.records), self._now_s
            decided = self.engine.decide(self.slots - len(self.running), self._now_s)
            if any(isinstance(action, Stop) for action in decided.actions):
                yield decided
                return
            drawn_s = float(self._rng.exponential(0.5))
            overhead_s = drawn_s if self.overhead_s is None else self.overhead_s
            self.records.append(
                Decision(
                    decided.number,
                    overhead_s,
                    self._now_s,
                    decided.challengers,
                    budget=decided.budget,
                )
            )
            self.records += started(decided)
            self.engine.spend_time(overhead_s)
            self.running |= {trial.id: trial for trial in started(decided)}
            self.cancelled |= cancelled(decided)
            yield decided
            self._now_s += overhead_s
            for _ in range(int(self._rng.integers(1, min(2, len(self.running)) + 1))):
                self._finish(self.running.pop(int(self._rng.choice(list(self.running)))))

    def settled(self, config: Config) -> set[Task]:
        """Return the tasks on which all is known of a config."""
        return {task for (other, task), bound in self.known.items() if other == config and bound >= CEILING}

    def _finish(self, trial: Trial) -> None:
        outcome = self.world.end(trial)
        if trial.id in self.cancelled:
            bound = outcome.spent * float(self._rng.random())
            outcome = Outcome(trial.id, Status.CAPPED, bound, bound, wall_s=bound)
        self.records.append(outcome)
        self.engine.observe(outcome)
        self._now_s += outcome.wall_s
        if outcome.status is not Status.LOST:
            bound = outcome.cost if outcome.status is Status.CAPPED else inf
            key = trial.config, trial.task
            self.known[key] = max(bound, self.known.get(key, 0.0))


def started(decided: Decided) -> list[Trial]:
    return [action.trial for action in decided.actions if isinstance(action, Start)]


def cancelled(decided: Decided) -> set[int]:
    return {action.trial_id for action in decided.actions if isinstance(action, Cancel)}


def replay(plan: Plan, records: list[Record]) -> Engine:
    """Feed what a journal holds into a fresh engine."""
    engine = Engine(plan)
    for record in records:
        if isinstance(record, Outcome):
            engine.observe(record)
        else:
            engine.adopt(record)
    return engine


def of_numbers(n: int = 30, **settings: Any) -> Plan:
    """Return a plan of numbered configs, which come in their order."""
    space = Space.of({"n": (0, n - 1)})
    rows = space.encode([Config({"n": i}) for i in range(n)])
    return _plan(space, InOrder(rows), uses_model=False, **settings)


def of_space(**settings: Any) -> Plan:
    """Return a plan in which a model proposes."""
    space = Space.of({"x": (0.0, 1.0), "kind": ["a", "b", "c"]})
    return _plan(space, WholeSpace(space, Effort(n_random=50, n_steps=2)), uses_model=True, **settings)


def _plan(
    space: Space,
    candidates: CandidateSource,
    *,
    slack: float = 1.3,
    par: float = 1.0,
    resolution: float = RESOLUTION,
    n_tasks: int = 4,
    seeds: tuple[int, ...] | None = (0,),
    runs: int = 60,
    uses_model: bool,
    **tactics: Any,
) -> Plan:
    return Plan(
        space,
        tuple("abcdefgh"[:n_tasks]),
        Rules(
            Objective(CEILING, par),
            slack=slack,
            resolution=resolution,
            tactics=Tactics(first_tasks=2, **tactics),
        ),
        Budget(runs=runs),
        candidates,
        InstanceColumns.of(n_tasks, None),
        space.decode(space.default()),
        model=_MODEL if uses_model else None,
        seeds=seeds,
    )
