"""Events of a tuning as JSON objects."""

from functools import singledispatch
from typing import Any

from tightrope.records import (
    MEASURES,
    Event,
    Finished,
    Improved,
    Noted,
    Queued,
    Resumed,
    Selected,
    Started,
    Trial,
)


@singledispatch
def event_as_json(event: Event) -> dict[str, Any]:
    """Return an event as a JSON object."""
    raise TypeError(f"{event!r} is not an event")


@event_as_json.register
def _(event: Resumed) -> dict[str, Any]:
    return {"event": "resumed", "runs": len(event.runs), "wall_s": event.used_s}


@event_as_json.register
def _(event: Queued) -> dict[str, Any]:
    return {"event": "queued", "done": event.n_done, "all": event.n_all}


@event_as_json.register
def _(event: Started) -> dict[str, Any]:
    return {"event": "started", **_trial(event.trial), "slots": event.slots}


@event_as_json.register
def _(event: Selected) -> dict[str, Any]:
    return {"event": "selected", "challengers": len(event.challengers), "basis": event.basis.value}


@event_as_json.register
def _(event: Finished) -> dict[str, Any]:
    outcome = event.run.outcome
    return {
        "event": "finished",
        **_trial(event.run.trial),
        "status": outcome.status.value,
        **{name: getattr(outcome, name) for name in MEASURES},
        "note": outcome.note,
    }


@event_as_json.register
def _(event: Improved) -> dict[str, Any]:
    incumbent = event.incumbent
    return {
        "event": "improved",
        "config": dict(incumbent.config),
        "cost": incumbent.cost,
        "tasks": incumbent.n_tasks,
        "is_bound": incumbent.is_bound,
        "spent": incumbent.spent,
        "wall_s": incumbent.wall_s,
    }


@event_as_json.register
def _(event: Noted) -> dict[str, Any]:
    finding = event.finding
    return {
        "event": "noted",
        "code": finding.code,
        "severity": finding.severity.value,
        "where": finding.where,
        "message": finding.message,
        "hint": finding.hint,
    }


def _trial(trial: Trial) -> dict[str, Any]:
    return {
        "trial": trial.id,
        "config": dict(trial.config),
        "instance": trial.task.instance,
        "seed": trial.task.seed,
        "cap": trial.cap,
    }
