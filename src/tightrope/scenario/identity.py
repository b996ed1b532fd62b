"""How a journal knows its scenario again: everything that must not change between two sittings."""

import hashlib
import json
from dataclasses import asdict
from typing import Any

import numpy as np

from tightrope.errors import JournalError
from tightrope.scenario.scenario import Scenario
from tightrope.space import Space

_PLAIN = ("ceiling", "slack", "par", "deterministic", "resolution", "model", "treatment")
_MOST_NAMED = 3


def describe(scenario: Scenario, *, n_earlier: int = 0) -> str:
    """Return a text that is the same for scenarios that differ in budget and target at most."""
    space = Space.of(scenario.space)
    plain = {key: getattr(scenario, key) for key in _PLAIN} | {"earlier": n_earlier}
    features, candidates = scenario.features, scenario.candidates
    parts: dict[str, Any] = {
        "space": space.configspace.to_serialized_dict(),
        "features": features and {name: np.asarray(row, float).tolist() for name, row in features.items()},
        "seeds": None if scenario.seeds is None else list(scenario.seeds),
        "default": None if scenario.default is None else dict(scenario.default),
        "candidates": None if candidates is None else [dict(candidate) for candidate in candidates],
        "tactics": asdict(scenario.tactics),
    }
    # Instances stay names, so that those can be told that came or went.
    named = {"instances": list(scenario.instances)}
    return json.dumps(plain | named | {key: _digest(part) for key, part in parts.items()})


def require_same(description: str, other: str, *, path: str) -> None:
    """Refuse to go on with the journal of another scenario; both are given as `describe` does."""
    old, new = json.loads(description or "{}"), json.loads(other)
    keys = sorted(old.keys() | new.keys())
    different = [key for key in keys if not _is_same(old.get(key), new.get(key))]
    if different:
        told = ", ".join(_told(key, old.get(key), new.get(key)) for key in different)
        raise JournalError(
            f"this journal is of another scenario; what differs: {told}",
            path=path,
            hint="name another file, or undo the change; only the budget and the target may change",
        )


def _is_same(then: object, now: object) -> bool:
    """Whether two parts are the same; journals may be older than names of instances in them."""
    if isinstance(then, str) and isinstance(now, list):
        return then == _digest(now)
    return then == now


def _told(key: str, then: object, now: object) -> str:
    """Name what differs, and how as far as that is known."""
    if isinstance(then, list) and isinstance(now, list):
        new, gone = ([name for name in a if name not in set(b)] for a, b in ((now, then), (then, now)))
        parts = [f"{_listed(new)} new"] * bool(new) + [f"{_listed(gone)} gone"] * bool(gone)
        return f"{key} ({'; '.join(parts) or 'in another order'})"
    if key in _PLAIN or key == "earlier":
        return f"{key} ({then!r} then and {now!r} now)"
    return key


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more + (" are" if len(names) > 1 else " is")


def _digest(part: object) -> str | None:
    if part is None:
        return None
    text = json.dumps(part, sort_keys=True, default=_native)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _native(value: object) -> object:
    """Return a number of numpy's as Python's, so that what was written in another way is the same."""
    return value.item() if isinstance(value, np.generic) else repr(value)
