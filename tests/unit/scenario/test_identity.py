"""A journal can be resumed with its own scenario only."""

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
        ("initial", [{"x": 0.3}]),
        ("resolution", 0.02),
        ("model", "random"),
        ("treatment", "mean"),
        ("tactics", Tactics(stake=2.0)),
        ("tactics", Tactics(tolerance=2.0)),
    ],
)
def test_a_change_is_named(key: str, value: Any) -> None:
    features = {"a": [1.0], "b": [2.0], "c": [3.0]}
    first = FIRST | ({"features": features} if key == "instances" else {})
    description = describe(Scenario(**first))
    with pytest.raises(JournalError, match=rf"run.journal: .* changed: {key}\b.*; use another file"):
        require_same(description, describe(Scenario(**first | {key: value})), path="run.journal")


def test_a_changed_number_is_shown_before_and_after() -> None:
    with pytest.raises(JournalError, match=r"was 60\.0, now 61\.0"):
        require_same(describe(Scenario(**FIRST)), describe(Scenario(**FIRST | {"ceiling": 61.0})), path="p")


def test_a_tactic_that_older_journals_did_not_know_is_stored_only_if_it_was_set() -> None:
    digest = json.loads(describe(Scenario(**FIRST | {"tactics": Tactics(tolerance=1.0)})))["tactics"]
    assert digest == "278b7c667118ad03"  # in journals from before there was a tolerance


def test_a_setting_that_an_older_journal_lacks_had_its_default() -> None:
    older = json.loads(describe(Scenario(**FIRST)))
    del older["treatment"]
    require_same(json.dumps(older), describe(Scenario(**FIRST)), path="p")
    with pytest.raises(JournalError, match=r"treatment \(was 'sample', now 'mean'\)"):
        require_same(json.dumps(older), describe(Scenario(**FIRST | {"treatment": "mean"})), path="p")


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
def test_equal_settings_in_other_types_are_the_same(changes: dict[str, Any]) -> None:
    require_same(describe(Scenario(**FIRST)), describe(Scenario(**FIRST | changes)), path="p")


def test_an_infinite_slack_is_the_same_as_itself() -> None:
    scenario = Scenario(**FIRST | {"slack": float("inf")})
    require_same(describe(scenario), describe(scenario), path="p")


def test_large_features_are_distinguished() -> None:
    """The repr of a long numpy array shows its ends only."""
    features = np.zeros(5000)
    other = features.copy()
    other[2500] = 1.0
    first, second = ({"features": {"a": one, "b": features}} for one in (features, other))
    with pytest.raises(JournalError, match="changed: features;"):
        require_same(describe(Scenario(**FIRST | first)), describe(Scenario(**FIRST | second)), path="p")


def test_a_journal_of_something_else_is_refused() -> None:
    with pytest.raises(JournalError, match="different scenario"):
        require_same("", describe(Scenario(**FIRST)), path="p")


def test_other_earlier_runs_are_refused() -> None:
    scenario = Scenario(**FIRST)
    with pytest.raises(JournalError, match=r"changed: earlier \(was 0, now 3\)"):
        require_same(describe(scenario), describe(scenario, n_earlier=3), path="p")


@pytest.mark.parametrize(
    ("instances", "changes"),
    [
        (["a", "b", "c"], "instances (added c)"),
        (["c"], "instances (added c; removed a, b)"),
        (list("abcdefg"), "instances (added c, d, e and 2 more)"),
        (["b", "a"], "instances (in a different order)"),
    ],
)
def test_added_and_removed_instances_are_named(instances: list[str], changes: str) -> None:
    first = FIRST | {"features": None}
    with pytest.raises(JournalError, match=re.escape(f"scenario; changed: {changes};")):
        require_same(
            describe(Scenario(**first)), describe(Scenario(**first | {"instances": instances})), path="p"
        )


def test_all_changes_are_reported_at_once() -> None:
    changed = FIRST | {"ceiling": 61.0, "space": {"x": (0.0, 2.0)}}
    with pytest.raises(JournalError, match=re.escape("changed: ceiling (was 60.0, now 61.0), space;")):
        require_same(describe(Scenario(**FIRST)), describe(Scenario(**changed)), path="p")


def test_a_journal_that_stores_a_digest_of_instances_can_be_resumed() -> None:
    described = json.loads(describe(Scenario(**FIRST)))
    described["instances"] = hashlib.sha256(json.dumps(["a", "b"]).encode()).hexdigest()[:16]
    require_same(json.dumps(described), describe(Scenario(**FIRST)), path="p")
