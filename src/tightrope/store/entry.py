"""What a journal holds: decisions, trials and outcomes, in the order of writing."""

from dataclasses import dataclass

from tightrope.records import Decision, Outcome, Trial

__all__ = ["Decision", "Entry", "Meta"]


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
