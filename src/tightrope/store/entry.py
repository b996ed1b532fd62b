"""Entries of a journal: decisions, trials and outcomes, in the order in which they were written."""

from dataclasses import dataclass

from tightrope.records import Config, Outcome, Trial


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of the engine, as recorded by the loop that drives it.

    `now_s` is the executor's clock at the time of the decision, real or simulated. `overhead_s` is how long
    the decision took.
    """

    number: int
    overhead_s: float
    now_s: float = 0.0
    challengers: tuple[Config, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One commit: its content, and its time in seconds since 1970."""

    what: Decision | Trial | Outcome
    at_s: float


@dataclass(frozen=True, slots=True)
class Meta:
    """The description of a journal; `scenario` is text, such as JSON."""

    scenario: str
    seed: int
    version: str
    created: str
