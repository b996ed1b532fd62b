"""Decisions of an engine: actions, and the reasons to stop."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from tightrope.records.config import Config
from tightrope.records.trial import Trial


@dataclass(frozen=True, slots=True)
class Start:
    """Start this trial."""

    trial: Trial


@dataclass(frozen=True, slots=True)
class Cancel:
    """Stop a trial under way, because its result no longer matters."""

    trial_id: int
    reason: str


class StopKind(Enum):
    """Kinds of reasons to stop."""

    COST = "cost"  # the cost budget is spent
    TIME = "time"  # the time budget is spent
    RUNS = "runs"
    EVALUATIONS = "evaluations"
    COMPLETE = "complete"  # every planned run is done
    EXHAUSTED = "exhausted"  # every config has been tried
    OPTIMAL = "optimal"  # no config can be measured to cost less
    FAILURES = "failures"
    LOSSES = "losses"
    INTERRUPTED = "interrupted"
    UNKNOWN = "unknown"  # written by an older version, or the caller's own words


_FINAL = frozenset({StopKind.EXHAUSTED, StopKind.OPTIMAL, StopKind.COMPLETE})


@dataclass(frozen=True, slots=True)
class StopReason:
    """Why a run of an engine ended: its kind for programs, its text for people.

    Examples
    --------
    >>> reason = StopReason(StopKind.RUNS, "40 runs are done")
    >>> print(reason)
    40 runs are done
    >>> reason.is_final
    False
    """

    kind: StopKind
    text: str

    @property
    def is_final(self) -> bool:
        """Whether more budget would change nothing."""
        return self.kind in _FINAL

    def __str__(self) -> str:
        return self.text


INTERRUPTED: Final = StopReason(StopKind.INTERRUPTED, "it was interrupted")


@dataclass(frozen=True, slots=True)
class Stop:
    """Start nothing more; abandon the trials under way."""

    reason: StopReason


Action = Start | Cancel | Stop


class Basis(Enum):
    """How challengers were selected."""

    DESIGN = "design"  # a space-filling design: the model has no data yet
    MODEL = "model"
    CHANCE = "chance"  # at random, because fitting the model took longer than the runs
    NO_MODEL = "no model"  # at random, because the scenario asks for it


class BudgetState(NamedTuple):
    """The budget that a decision went by, which may change when a journal is resumed."""

    cost: float  # the whole budget in units of cost; inf if it is in other units
    used: float  # the share that has been used


@dataclass(frozen=True, slots=True)
class Decided:
    """What an engine decided: actions, and the challengers it selected, if any, with their basis.

    `number` is None where nothing depends on it, as in a fixed queue: such decisions are not journalled.
    """

    number: int | None
    actions: tuple[Action, ...]
    challengers: tuple[Config, ...] = ()
    basis: Basis | None = None
    budget: BudgetState | None = None

    @property
    def stop(self) -> StopReason | None:
        """The reason to stop, if that is what was decided."""
        return next((action.reason for action in self.actions if isinstance(action, Stop)), None)

    def steps(self, *, now_s: float, overhead_s: float) -> "Iterator[Decision | Trial]":
        """Yield what a journal keeps of it: the decision, and the trials that it starts."""
        if self.number is not None:
            note = "" if self.basis is None else self.basis.value
            yield Decision(self.number, overhead_s, now_s, self.challengers, note, self.budget)
        yield from (action.trial for action in self.actions if isinstance(action, Start))


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision as the journal keeps it.

    `now_s` is the executor's clock, real or simulated, when the engine was asked; `overhead_s` is how long
    the decision took.
    """

    number: int
    overhead_s: float
    now_s: float = 0.0
    challengers: tuple[Config, ...] = ()
    note: str = ""
    budget: BudgetState | None = None  # None in journals of versions that decided without it
