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


def describe(scenario: Scenario, *, n_earlier: int = 0) -> str:
    """Return a text that is the same for scenarios that differ in budget and target at most."""
    space = Space.of(scenario.space)
    plain = {key: getattr(scenario, key) for key in _PLAIN} | {"earlier": n_earlier}
    features, candidates = scenario.features, scenario.candidates
    parts: dict[str, Any] = {
        "space": space.configspace.to_serialized_dict(),
        "instances": list(scenario.instances),
        "features": features and {name: np.asarray(row, float).tolist() for name, row in features.items()},
        "seeds": None if scenario.seeds is None else list(scenario.seeds),
        "default": None if scenario.default is None else dict(scenario.default),
        "candidates": None if candidates is None else [dict(candidate) for candidate in candidates],
        "tactics": asdict(scenario.tactics),
    }
    return json.dumps(plain | {key: _digest(part) for key, part in parts.items()})


def require_same(description: str, other: str, *, path: str) -> None:
    """Refuse to go on with the journal of another scenario; both are given as `describe` does."""
    old, new = json.loads(description or "{}"), json.loads(other)
    different = sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))
    if different:
        key = different[0]
        is_plain = key in _PLAIN or key == "earlier"
        was = f", {old[key]!r} then and {new[key]!r} now" if is_plain and key in old else ""
        raise JournalError(
            f"this journal is of a scenario with another {key}{was}",
            path=path,
            hint="name another file, or undo the change; only the budget and the target may change",
        )


def _digest(part: object) -> str | None:
    if part is None:
        return None
    text = json.dumps(part, sort_keys=True, default=_native)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _native(value: object) -> object:
    """Return a number of numpy's as Python's, so that what was written in another way is the same."""
    return value.item() if isinstance(value, np.generic) else repr(value)
