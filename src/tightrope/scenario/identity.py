"""Description of a scenario that a journal stores, to reject a resume with a different scenario."""

import hashlib
import json
from collections.abc import Container
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from tightrope.errors import JournalError
from tightrope.race.tactics import Tactics
from tightrope.scenario.scenario import PLAIN_SETTINGS, Scenario
from tightrope.space import Space
from tightrope.space.description import describe_space

_PLAIN = ("ceiling", *PLAIN_SETTINGS)
_DEFAULTS = {field.name: field.default for field in fields(Scenario) if field.name in PLAIN_SETTINGS}
# The tactics of the first journals. This list stays as it is: all others are stored only if they were set.
_FIRST_TACTICS = (
    "first_tasks", "opening", "first_rung", "stake", "defence", "n_design", "random_share", "n_rivals",
    "growth", "fewest_runs", "trees", "components", "relative",
)  # fmt: skip
_MAX_NAMED = 3


def describe(scenario: Scenario, *, n_earlier: int = 0) -> str:
    """Return a JSON text of all settings that must stay the same when a journal is resumed.

    The budget and the target may change; they are not part of it.
    """
    space = Space.of(scenario.space)
    plain = {key: getattr(scenario, key) for key in _PLAIN} | {"earlier": n_earlier}
    features, candidates = scenario.features, scenario.candidates
    parts: dict[str, Any] = {
        "space": describe_space(space.configspace),
        "features": features and {name: np.asarray(row, float).tolist() for name, row in features.items()},
        "seeds": None if scenario.seeds is None else list(scenario.seeds),
        "default": None if scenario.default is None else dict(scenario.default),
        "candidates": None if candidates is None else [dict(candidate) for candidate in candidates],
        "tactics": _tactics_of(scenario.tactics),
    }
    if scenario.initial:  # older journals do not have it
        parts["initial"] = [dict(config) for config in scenario.initial]
    # Instances are stored by name, so that the error can list added and removed ones.
    named = {"instances": list(scenario.instances)}
    return json.dumps(plain | named | {key: _digest(part) for key, part in parts.items()})


def _tactics_of(tactics: Tactics) -> dict[str, Any]:
    """Return all tactics but later ones with their defaults, so that older journals can be resumed."""
    defaults = asdict(Tactics())
    return {
        name: value
        for name, value in asdict(tactics).items()
        if name in _FIRST_TACTICS or value != defaults[name]
    }


def require_same(description: str, other: str, *, path: str) -> None:
    """Raise an error if two descriptions by `describe` differ: the stored one and the present one."""
    changes = describe_changes(description, other)
    if changes:
        raise JournalError(
            f"this journal belongs to a different scenario; changed: {changes}",
            path=path,
            hint="use another file, or undo the change; only the budget and the target may change",
        )


def describe_changes(description: str, other: str, *, ignored: Container[str] = ()) -> str:
    """Return in words what differs between two descriptions by `describe`; nothing if they are equal."""
    old, new = json.loads(description or "{}"), json.loads(other)
    if old:  # a setting that did not exist when the journal was written had its default
        old = {key: _DEFAULTS[key] for key in new if key in _DEFAULTS} | old
    keys = sorted(old.keys() | new.keys())
    different = [key for key in keys if key not in ignored and not _is_same(old.get(key), new.get(key))]
    return ", ".join(_describe_change(key, old.get(key), new.get(key)) for key in different)


def _is_same(then: object, now: object) -> bool:
    """Return whether two parts are equal. Older journals store a digest instead of instance names."""
    if isinstance(then, str) and isinstance(now, list):
        return then == _digest(now)
    return then == now


def _describe_change(key: str, then: object, now: object) -> str:
    """Name the changed part, with old and new values where they are known."""
    if isinstance(then, list) and isinstance(now, list):
        new, gone = ([name for name in a if name not in set(b)] for a, b in ((now, then), (then, now)))
        parts = [f"added {_listed(new)}"] * bool(new) + [f"removed {_listed(gone)}"] * bool(gone)
        return f"{key} ({'; '.join(parts) or 'in a different order'})"
    if key in _PLAIN or key == "earlier":
        return f"{key} (was {then!r}, now {now!r})"
    return key


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
    return ", ".join(names[:_MAX_NAMED]) + more


def _digest(part: object) -> str | None:
    if part is None:
        return None
    text = json.dumps(part, sort_keys=True, default=_native)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _native(value: object) -> object:
    """Convert a numpy number to a Python number, so that equal values have equal digests."""
    return value.item() if isinstance(value, np.generic) else repr(value)
