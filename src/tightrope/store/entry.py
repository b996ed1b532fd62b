"""What a journal holds: decisions, trials and outcomes, in the order of writing."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tightrope.records import Decision, Outcome, Trial

__all__ = ["Decision", "Entry", "Meta"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One commit: its content, and its time in seconds since 1970."""

    what: Decision | Trial | Outcome
    at_s: float


@dataclass(frozen=True, slots=True)
class Meta:
    """The description of a journal; `scenario` is text, such as JSON, and `notes` are further texts."""

    scenario: str
    seed: int
    version: str
    created: str
    notes: Mapping[str, str] = field(default_factory=dict)
