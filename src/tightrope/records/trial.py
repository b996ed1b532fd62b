"""Tasks, trials, outcomes and runs; incumbents."""

from dataclasses import dataclass, fields
from enum import Enum
from math import inf
from typing import Final

from tightrope.records.config import Config


@dataclass(frozen=True, slots=True)
class Task:
    """What configs are compared on: an instance and a seed. A plain function has a single task."""

    instance: str = ""
    seed: int = 0


class Status(Enum):
    """How a run ended."""

    DONE = "done"
    CAPPED = "capped"
    FAILED = "failed"
    LOST = "lost"  # the worker died; the config is not to blame


@dataclass(frozen=True, slots=True)
class Trial:
    """A planned evaluation; it is stopped at `cap`."""

    id: int
    config: Config
    cap: float = inf
    task: Task = Task()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a trial ended. `cost` is a lower bound if it was capped; `spent` is what the budget is charged.

    `reference_s` is the CPU time of a fixed piece of work on the worker that ran it: where it differs, times
    are not comparable. It is 0 where it was not measured, as on this machine.
    """

    trial_id: int
    status: Status
    cost: float
    spent: float
    wall_s: float = 0.0
    cpu_s: float = 0.0
    note: str = ""
    reference_s: float = 0.0


# The numbers of an outcome: journal, frame and export take their columns from here. A new one needs a finite
# default, which is its value in journals that were written without it.
MEASURES: Final = tuple(each.name for each in fields(Outcome) if each.type is float)


@dataclass(frozen=True, slots=True)
class Run:
    """A trial and its outcome."""

    trial: Trial
    outcome: Outcome

    @property
    def done(self) -> bool:
        """Whether the cost is known."""
        return self.outcome.status is Status.DONE

    @property
    def censored(self) -> bool:
        """Whether the cost is only known to be at least `outcome.cost`."""
        return self.outcome.status is Status.CAPPED


@dataclass(frozen=True, slots=True)
class Incumbent:
    """The best config at some time: its mean cost over its tasks, and what had been spent by then.

    If `is_bound`, `cost` is only a lower bound: some of its runs were stopped below the ceiling.
    """

    config: Config
    cost: float
    n_tasks: int
    is_bound: bool = False
    spent: float = 0.0
    wall_s: float = 0.0
