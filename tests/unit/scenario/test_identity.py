"""A journal goes on with the scenario that it was begun with, and no other."""

import hashlib
import json
import re
from typing import Any

import numpy as np
import pytest

from tightrope import Budget, Scenario
from tightrope.errors import JournalError
from tightrope.race.tactics import Tactics
from tightrope.records import Config
from tightrope.scenario.identity import describe, require_same

FIRST: dict[str, Any] = {
    "space": {"x": (0.0, 1.0)},
    "ceiling": 60.0,
    "budget": 3600.0,
    "instances": ["a", "b"],
    "features": {"a": [1.0], "b": [2.0]},
    "seeds": [1],
    "default": {"x": 0.5},
    "candidates": [{"x": 0.1}, {"x": 0.2}],
}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("space", {"x": (0.0, 2.0)}),
        ("ceiling", 61.0),
        ("instances", ["a", "b", "c"]),
        ("instances", ["b", "a"]),
        ("features", {"a": [1.0], "b": [2.5]}),
        ("features", None),
        ("slack", 1.2),
        ("slack", float("inf")),
        ("par", 10.0),
        ("deterministic", False),
        ("seeds", [1, 2]),
        ("default", {"x": 0.25}),
        ("candidates", [{"x": 0.1}]),
        ("candidates", None),
        ("resolution", 0.02),
        ("model", "random"),
        ("treatment", "mean"),
        ("tactics", Tactics(stake=2.0)),
    ],
)
def test_a_change_is_named(key: str, value: Any) -> None:
    features = {"a": [1.0], "b": [2.0], "c": [3.0]}
    first = FIRST | ({"features": features} if key == "instances" else {})
    description = describe(Scenario(**first))
    with pytest.raises(JournalError, match=rf"run.journal: .* differs: {key}\b.*; name another file"):
        require_same(description, describe(Scenario(**first | {key: value})), path="run.journal")


def test_a_change_of_a_number_tells_both() -> None:
    with pytest.raises(JournalError, match=r"60\.0 then and 61\.0 now"):
        require_same(describe(Scenario(**FIRST)), describe(Scenario(**FIRST | {"ceiling": 61.0})), path="p")


@pytest.mark.parametrize(
    "changes", [{"budget": 7200.0}, {"budget": Budget(wall="2h")}, {"target": "./solver"}]
)
def test_budget_and_target_may_change(changes: dict[str, Any]) -> None:
    require_same(describe(Scenario(**FIRST)), describe(Scenario(**FIRST | changes)), path="p")


@pytest.mark.parametrize(
    "changes",
    [
        {"instances": ("a", "b")},
        {"features": {"b": (2.0,), "a": np.array([1.0])}},
        {"default": Config({"x": 0.5})},
        {"candidates": (Config({"x": 0.1}), {"x": np.float64(0.2)})},
        {"seeds": np.array([1])},
        {"ceiling": 60},
    ],
)
def test_the_same_said_otherwise_is_the_same(changes: dict[str, Any]) -> None:
    require_same(describe(Scenario(**FIRST)), describe(Scenario(**FIRST | changes)), path="p")


def test_an_infinite_slack_is_the_same_as_itself() -> None:
    scenario = Scenario(**FIRST | {"slack": float("inf")})
    require_same(describe(scenario), describe(scenario), path="p")


def test_large_features_are_told_apart() -> None:
    """Of long arrays numpy shows the ends only."""
    features = np.zeros(5000)
    other = features.copy()
    other[2500] = 1.0
    first, second = ({"features": {"a": one, "b": features}} for one in (features, other))
    with pytest.raises(JournalError, match="differs: features;"):
        require_same(describe(Scenario(**FIRST | first)), describe(Scenario(**FIRST | second)), path="p")


def test_a_journal_of_something_else_is_refused() -> None:
    with pytest.raises(JournalError, match="another"):
        require_same("", describe(Scenario(**FIRST)), path="p")


def test_other_earlier_runs_are_refused() -> None:
    scenario = Scenario(**FIRST)
    with pytest.raises(JournalError, match=r"differs: earlier \(0 then and 3 now\)"):
        require_same(describe(scenario), describe(scenario, n_earlier=3), path="p")


@pytest.mark.parametrize(
    ("instances", "told"),
    [
        (["a", "b", "c"], "instances (c is new)"),
        (["c"], "instances (c is new; a, b are gone)"),
        (list("abcdefg"), "instances (c, d, e and 2 more are new)"),
        (["b", "a"], "instances (in another order)"),
    ],
)
def test_instances_that_came_or_went_are_named(instances: list[str], told: str) -> None:
    first = FIRST | {"features": None}
    with pytest.raises(JournalError, match=re.escape(f"what differs: {told};")):
        require_same(
            describe(Scenario(**first)), describe(Scenario(**first | {"instances": instances})), path="p"
        )


def test_all_changes_are_told_at_once() -> None:
    changed = FIRST | {"ceiling": 61.0, "space": {"x": (0.0, 2.0)}}
    with pytest.raises(JournalError, match=re.escape("differs: ceiling (60.0 then and 61.0 now), space;")):
        require_same(describe(Scenario(**FIRST)), describe(Scenario(**changed)), path="p")


def test_a_journal_from_before_instances_were_named_goes_on() -> None:
    described = json.loads(describe(Scenario(**FIRST)))
    described["instances"] = hashlib.sha256(json.dumps(["a", "b"]).encode()).hexdigest()[:16]
    require_same(json.dumps(described), describe(Scenario(**FIRST)), path="p")
