"""What the parts of the package tell each other: frozen values."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from math import inf
from typing import Any, NoReturn, final

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
    """What two configs are compared on: an instance and a seed. A plain function has one task."""

    instance: str = ""
    seed: int = 0


class Status(Enum):
    """How a run ended."""

    DONE = "done"
    CAPPED = "capped"
    FAILED = "failed"
    LOST = "lost"  # whoever ran it died: the config is innocent


@dataclass(frozen=True, slots=True)
class Trial:
    """A planned evaluation; `cap` is where it is to be stopped."""

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
    """Stop a trial under way: nothing more is wanted of it."""

    trial_id: int
    reason: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Start nothing more, and give up what is under way."""

    reason: str


Action = Start | Cancel | Stop


@dataclass(frozen=True, slots=True)
class Incumbent:
    """The best config at some time: its mean cost on the tasks it was run on, and what had been spent.

    `cost` is only a lower bound if `is_bound`: some of its runs were stopped below the ceiling.
    """

    config: Config
    cost: float
    n_tasks: int
    is_bound: bool = False
    spent: float = 0.0
    wall_s: float = 0.0


class Basis(Enum):
    """What challengers were selected by."""

    DESIGN = "design"  # they fill the space evenly: there is nothing to learn from yet
    MODEL = "model"
    CHANCE = "chance"  # deciding has taken longer than the runs: the model has to wait
    NO_MODEL = "no model"  # as the scenario wants it


@dataclass(frozen=True, slots=True)
class Resumed:
    """A tuning goes on: what its journal tells of before."""

    runs: tuple[Run, ...]
    trajectory: tuple[Incumbent, ...]
    pending: tuple[Trial, ...]
    used_s: float


@dataclass(frozen=True, slots=True)
class Started:
    """A trial was started, in one of so many slots."""

    trial: Trial
    slots: int


@dataclass(frozen=True, slots=True)
class Selected:
    """New challengers were selected."""

    challengers: tuple[Config, ...]
    basis: Basis


@dataclass(frozen=True, slots=True)
class Finished:
    """A run has ended."""

    run: Run


@dataclass(frozen=True, slots=True)
class Improved:
    """There is a new incumbent."""

    incumbent: Incumbent


@dataclass(frozen=True, slots=True)
class Noted:
    """Something has turned up that a user might want to know."""

    finding: Finding


Event = Resumed | Started | Selected | Finished | Improved | Noted
