"""The values that all parts of the package exchange; all are frozen."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from math import inf
from typing import Any, Final, NoReturn, final

from tightrope.errors import Finding


@final
class Config(Mapping[str, Any]):
    """One setting of all parameters: the values of those that are active, in the order of the space.

    A config cannot be changed. Two configs are equal if they hold the same values under the same names; a
    config also equals a dictionary with its content, and can itself be the key of a dictionary.

    Parameters
    ----------
    values : mapping from str
        The active parameters' values; it is copied.

    Examples
    --------
    >>> config = Config({"kind": "a", "x": 0.5})
    >>> config["x"], len(config)
    (0.5, 2)
    >>> config == {"x": 0.5, "kind": "a"}
    True
    >>> config
    Config({'kind': 'a', 'x': 0.5})
    >>> {**config, "x": 1.0}
    {'kind': 'a', 'x': 1.0}
    """

    __slots__ = ("_hash", "_values")

    _values: dict[str, Any]
    _hash: int | None

    def __init__(self, values: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_values", dict(values))
        object.__setattr__(self, "_hash", None)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Config):
            return self._values == other._values
        return self._values == dict(other) if isinstance(other, Mapping) else NotImplemented

    def __hash__(self) -> int:
        if self._hash is None:
            object.__setattr__(self, "_hash", _hash_of(self._values))
        assert self._hash is not None
        return self._hash

    def __repr__(self) -> str:
        return f"Config({self._values!r})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(
            f"a Config cannot be changed: write {{**config, ...}} instead of setting {name!r}"
        )

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Config cannot be changed: {name!r} stays")

    def __reduce__(self) -> tuple[type["Config"], tuple[dict[str, Any]]]:
        return Config, (self._values,)


def _hash_of(values: dict[str, Any]) -> int:
    try:
        return hash(frozenset(values.items()))
    except TypeError:  # a choice that is a list, say: equal configs have at least equal names
        return hash(frozenset(values))


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
    """How a trial ended. `cost` is a lower bound if it was capped; `spent` is what the budget is charged."""

    trial_id: int
    status: Status
    cost: float
    spent: float
    wall_s: float = 0.0
    cpu_s: float = 0.0
    note: str = ""


# The numbers of an outcome: journal, frame and export take their columns from here.
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


class Basis(Enum):
    """How challengers were selected."""

    DESIGN = "design"  # a space-filling design: the model has no data yet
    MODEL = "model"
    CHANCE = "chance"  # at random, because fitting the model took longer than the runs
    NO_MODEL = "no model"  # at random, because the scenario asks for it


@dataclass(frozen=True, slots=True)
class Decided:
    """What an engine decided: actions, and the challengers it selected, if any, with their basis.

    `number` is None where nothing depends on it, as in a fixed queue: such decisions are not journalled.
    """

    number: int | None
    actions: tuple[Action, ...]
    challengers: tuple[Config, ...] = ()
    basis: Basis | None = None

    @property
    def stop(self) -> StopReason | None:
        """The reason to stop, if that is what was decided."""
        return next((action.reason for action in self.actions if isinstance(action, Stop)), None)


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


@dataclass(frozen=True, slots=True)
class Resumed:
    """A journal was replayed: its runs, incumbents, trials without an outcome, and the time used."""

    runs: tuple[Run, ...]
    trajectory: tuple[Incumbent, ...]
    pending: tuple[Trial, ...]
    used_s: float


@dataclass(frozen=True, slots=True)
class Started:
    """A trial was started; the executor has `slots` slots."""

    trial: Trial
    slots: int


@dataclass(frozen=True, slots=True)
class Selected:
    """New challengers were selected."""

    challengers: tuple[Config, ...]
    basis: Basis


@dataclass(frozen=True, slots=True)
class Finished:
    """A run ended."""

    run: Run


@dataclass(frozen=True, slots=True)
class Improved:
    """A config became the incumbent."""

    incumbent: Incumbent


@dataclass(frozen=True, slots=True)
class Noted:
    """A finding about a run or a worker."""

    finding: Finding


@dataclass(frozen=True, slots=True)
class Queued:
    """A fixed set of runs is about to start: `n_done` of `n_all` are in the journal already."""

    n_done: int
    n_all: int


Event = Resumed | Queued | Started | Selected | Finished | Improved | Noted
