"""What a journal holds: decisions, trials and outcomes, in the order in which they were written."""

from dataclasses import dataclass

from tightrope.records import Config, Outcome, Trial


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of the engine, as the loop around it saw it.

    `now_s` is the executor's clock when it was asked, real or simulated; `overhead_s` is how long it thought.
    """

    number: int
    overhead_s: float
    now_s: float = 0.0
    challengers: tuple[Config, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One commit: what was written, and when, in seconds since 1970."""

    what: Decision | Trial | Outcome
    at_s: float


@dataclass(frozen=True, slots=True)
class Meta:
    """What a whole journal is about; `scenario` is text, such as JSON."""

    scenario: str
    seed: int
    version: str
    created: str
