"""Events: what a watch receives while trials run."""

from dataclasses import dataclass

from tightrope.errors import Finding
from tightrope.records.config import Config
from tightrope.records.decision import Basis
from tightrope.records.trial import Incumbent, Run, Trial


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
