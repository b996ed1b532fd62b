"""Scripts of a tuning's engine: how runs end goes in, what the engine does comes out, both as plain words.

A config is a letter, of which the first one is the default; a task is its place in the order in which the
incumbent takes up tasks. `A 2 cap 15` says that A is run on task 2 under a cap of 15; `A ? cap 15` leaves the
task open, since a challenger meets the incumbent on its tasks in random order. A run ends with a cost
(`A 2 cap 15: 7.5`), or `capped` at its cap, `capped at` a bound below it, `failed`, or `lost`.
"""

import re
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope import Budget
from tightrope.race.candidates import Score
from tightrope.race.duel import Rules
from tightrope.race.engine import Engine
from tightrope.race.evidence import Evidence
from tightrope.race.objective import Objective
from tightrope.race.plan import Plan
from tightrope.race.tactics import Tactics
from tightrope.race.tasks import TaskOrder
from tightrope.race.training import InstanceColumns
from tightrope.records import Action, Cancel, Config, Incumbent, Outcome, Start, Status, Stop, Task, Trial
from tightrope.space import Space

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class InOrder:
    """Challengers come in the order of a list."""

    rows: Floats

    def design(self, n: int, rng: np.random.Generator) -> Floats:
        return self.rows[:n]

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        return self.rows

    def has_new(self, evidence: Evidence) -> bool:
        return evidence.n_configs <= len(self.rows)

    def search(
        self, score: Score, *, known: Floats, n: int, rng: np.random.Generator
    ) -> tuple[Floats, Floats]:
        return self.rows, -np.arange(len(self.rows), dtype=float)


class Script:
    """An engine, and the words to talk with it.

    Parameters
    ----------
    names : str
        The configs: the default, then the challengers in the order in which they are selected.
    n_tasks : int
        Of one seed each, unless `seeds` says otherwise.
    slots : int
        How many runs may be under way at once.
    ceiling, par, slack, resolution, first_rung, duel_seed, budget
        As in a scenario and its rules; the budget is plenty if it is not given.
    settings
        Others of the plan and of its tactics.
    """

    def __init__(
        self,
        names: str,
        *,
        n_tasks: int = 1,
        slots: int = 1,
        ceiling: float = 100.0,
        par: float = 1.0,
        slack: float = 1.5,
        resolution: float = 0.01,
        first_rung: int = 1,
        duel_seed: int = 0,
        budget: Budget | None = None,
        **settings: Any,
    ) -> None:
        space = Space.of({"name": list(names)})
        default, *others = (Config({"name": name}) for name in names)
        others_of_plan = {key: settings.pop(key) for key in ("seeds", "model") if key in settings}
        others_of_plan["initial"] = tuple(Config({"name": name}) for name in settings.pop("initial", ""))
        tactics: dict[str, Any] = {"n_rivals": 0, "first_tasks": 1, "defence": 1.0, "stake": 0.0}
        tactics |= {"first_rung": first_rung, "belief": False}
        rules = Rules(
            Objective(ceiling, par),
            slack=slack,
            resolution=resolution,
            tactics=Tactics(**(tactics | settings)),
            seed=duel_seed,
        )
        self.slots = slots
        self.now_s = 0.0
        self.overhead_s = 0.0  # of each decision
        self.selected = ""  # by the last decision
        plan = Plan(
            space,
            tuple(f"instance{i}" for i in range(n_tasks)),
            rules,
            budget or Budget(runs=10_000),
            InOrder(space.encode(others).reshape(-1, space.n_columns)),
            InstanceColumns.of(n_tasks, None),
            default,
            cost_limit=inf if budget is None else budget.cost,
            **others_of_plan,
        )
        self.tasks = TaskOrder(plan.instances, seeds=plan.seeds, seed=plan.seed)
        self.engine = Engine(plan)
        self.trials: dict[int, Trial] = {}  # under way
        self.improved: list[Incumbent] = []

    def task(self, place: int) -> Task:
        return self.tasks.task(place)

    def decide(self, slots: int | None = None) -> list[str]:
        """Let the engine decide about the slots that are free; return what it does."""
        free = self.slots - len(self.trials) if slots is None else slots
        decided = self.engine.decide(free, self.now_s)
        self.engine.spend_time(self.overhead_s)
        self.selected = "".join(config["name"] for config in decided.challengers)
        words = [self._words(action) for action in decided.actions]
        self.trials |= {
            action.trial.id: action.trial for action in decided.actions if isinstance(action, Start)
        }
        return words

    def end(self, run: str, how: str | float, *, spent: float | None = None) -> None:
        """End the run that is under way of a config on a task, such as "A 2"."""
        (trial,) = [trial for trial in self.trials.values() if self._name(trial) == run]
        status, cost = _ending(str(how), trial.cap)
        took = spent if spent is not None else (0.0 if cost == inf else cost)
        del self.trials[trial.id]
        self.now_s += took
        events = self.engine.observe(Outcome(trial.id, status, cost, took, wall_s=took))
        self.improved += [event.incumbent for event in events]

    def play(self, text: str) -> None:
        """Go through lines such as `A 2 cap 15: 7.5`, run after run; the last may be `stop: why`."""
        expected = [line.strip() for line in text.strip().splitlines()]
        seen = []
        for line in expected:
            planned, _, how = line.partition(": ")
            (action,) = self.decide()
            if action.startswith("stop"):
                seen.append(action)
                break
            shown = re.sub(r" \d+ ", " ? ", action, count=1) if " ? " in planned else action
            seen.append(f"{shown}: {how}")
            if shown != planned:
                break
            self.end(action.partition(" cap ")[0], how)
        assert seen == expected

    @property
    def incumbent(self) -> str:
        return str(self.engine.incumbent.config["name"])

    def _name(self, trial: Trial) -> str:
        return f"{trial.config['name']} {self.tasks.position(trial.task)}"

    def _words(self, action: Action) -> str:
        match action:
            case Start(trial):
                return f"{self._name(trial)} cap {trial.cap:.10g}"
            case Cancel(trial_id, _):
                return f"cancel {self._name(self.trials[trial_id])}"
            case Stop(reason):
                return f"stop: {reason}"


def _ending(how: str, cap: float) -> tuple[Status, float]:
    if how == "failed":
        return Status.FAILED, inf
    if how == "lost":
        return Status.LOST, inf
    if how.startswith("capped"):
        return Status.CAPPED, float(how.removeprefix("capped").removeprefix(" at ") or cap)
    return Status.DONE, float(how)
