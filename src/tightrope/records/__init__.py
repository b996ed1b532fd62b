"""The values that all parts of the package exchange; all are frozen."""

from tightrope.records.config import Config
from tightrope.records.decision import (
    INTERRUPTED,
    Action,
    Basis,
    BudgetState,
    Cancel,
    Decided,
    Decision,
    Start,
    Stop,
    StopKind,
    StopReason,
)
from tightrope.records.event import Event, Finished, Improved, Noted, Queued, Resumed, Selected, Started
from tightrope.records.trial import MEASURES, Incumbent, Outcome, Run, Status, Task, Trial

__all__ = [
    "INTERRUPTED",
    "MEASURES",
    "Action",
    "Basis",
    "BudgetState",
    "Cancel",
    "Config",
    "Decided",
    "Decision",
    "Event",
    "Finished",
    "Improved",
    "Incumbent",
    "Noted",
    "Outcome",
    "Queued",
    "Resumed",
    "Run",
    "Selected",
    "Start",
    "Started",
    "Status",
    "Stop",
    "StopKind",
    "StopReason",
    "Task",
    "Trial",
]
