"""Errors of `Scenario` name the key and what was expected."""

from math import inf, nan
from typing import Any

import pytest

from tightrope import Budget, Scenario
from tightrope.errors import ScenarioError
from tightrope.race.tactics import Tactics

SPACE = {"x": (0.0, 1.0), "kind": ["a", "b"]}


def scenario_with(**changes: Any) -> Scenario:
    settings: dict[str, Any] = {
        "space": SPACE,
        "ceiling": 60.0,
        "budget": 3600.0,
        "instances": ["one", "two"],
    }
    return Scenario(**settings | changes)


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("ceiling", 0.0, "positive"),
        ("ceiling", inf, "positive"),
        ("ceiling", nan, "positive"),
        ("slack", 0.9, "at least 1, or inf"),
        ("slack", nan, "at least 1, or inf"),
        ("par", 0.5, "at least 1"),
        ("par", inf, "at least 1"),
        ("resolution", 0.0, "positive and below the ceiling"),
        ("resolution", 60.0, "positive and below the ceiling"),
        ("model", "gp", "one of forest, random"),
        ("treatment", "impute", "one of sample, mean, drop, ignore"),
        ("budget", Budget(evaluations=10), "cost, wall or runs"),
        ("budget", -1.0, "positive"),
        ("budget", "soon", "cost"),
        ("instances", [], "at least one"),
        ("instances", ["one", "one"], "unique names"),
        ("instances", "one", "names"),
        ("seeds", [], "at least one"),
        ("seeds", [1, 1], "without repeats"),
        ("features", {"one": [1.0]}, "every instance"),
        ("features", {"one": [1.0], "two": [1.0, 2.0]}, "the same number"),
        ("features", {"one": [1.0], "two": [inf]}, "finite"),
        ("candidates", [], "at least one"),
        ("candidates", [{"x": 0.5, "kind": "a"}, {"x": 2.0, "kind": "a"}], "'x'"),
        ("default", {"x": 0.5, "kind": "c"}, "'kind'"),
        ("default", {"x": 0.5}, "'kind'"),
    ],
)
def test_an_error_names_the_key(key: str, value: Any, expected: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        scenario_with(**{key: value})
    assert caught.value.key == key
    assert key in str(caught.value)
    assert expected in str(caught.value)


def test_the_feature_that_is_missing_is_named() -> None:
    with pytest.raises(ScenarioError, match=r"'two'.*add them, or omit `features`"):
        scenario_with(features={"one": [1.0]})


def test_the_candidate_that_is_wrong_is_numbered() -> None:
    good = {"x": 0.5, "kind": "a"}
    with pytest.raises(ScenarioError, match="candidate 2"):
        scenario_with(candidates=[good, good, {"x": -1.0, "kind": "a"}])


def test_a_plain_number_is_a_budget_of_cost() -> None:
    assert scenario_with(budget=100).budget == Budget(cost=100.0)


def test_features_of_other_instances_are_ignored() -> None:
    table = scenario_with(features={"two": [2.0], "three": [3.0], "one": [1.0]}).feature_table
    assert table is not None
    assert table.tolist() == [[1.0], [2.0]]


@pytest.mark.parametrize(
    ("settings", "seeds"),
    [
        ({}, (0,)),
        ({"deterministic": False}, None),
        ({"seeds": [5, 6]}, (5, 6)),
        ({"seeds": [5, 6], "deterministic": False}, (5, 6)),
    ],
)
def test_tasks_have_the_seeds_that_were_asked_for(
    settings: dict[str, Any], seeds: tuple[int, ...] | None
) -> None:
    assert scenario_with(**settings).task_seeds == seeds


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("first_tasks", 0, "a whole number of at least 1"),
        ("first_tasks", inf, "a whole number of at least 1"),
        ("first_rung", 1.5, "a whole number of at least 1"),
        ("n_rivals", -1, "a whole number of at least 0"),
        ("stake", nan, "a number of at least 0"),
        ("tolerance", 0.9, "a number of at least 1"),
        ("random_share", 1.5, "between 0 and 1"),
        ("relative", 2, "True or False"),
    ],
)
def test_tactics_that_make_no_sense_are_named(key: str, value: Any, expected: str) -> None:
    with pytest.raises(ScenarioError, match=f"tactics: {key} must be {expected}, not {value}"):
        Tactics(**{key: value})


def test_initial_configs_are_completed_by_defaults() -> None:
    scenario = Scenario(
        space={"x": (0.0, 1.0), "n": (1, 9)}, ceiling=1.0, budget=1.0, initial=[{"x": 0.25}, {"n": 2}]
    )
    assert scenario.initial == ({"x": 0.25, "n": 5}, {"x": 0.5, "n": 2})


@pytest.mark.parametrize(
    ("initial", "message"),
    [
        ([{"x": 0.1}, {"x": 7.0}], "config 1: parameter 'x', given 7.0"),
        ([{"y": 0.1}], "config 0: parameter 'y'.*no such parameter"),
        ({"x": 0.1}, "must be a sequence of configs"),
    ],
)
def test_an_illegal_initial_config_is_named(initial: Any, message: str) -> None:
    with pytest.raises(ScenarioError, match=message) as raised:
        Scenario(space={"x": (0.0, 1.0)}, ceiling=1.0, budget=1.0, initial=initial)
    assert raised.value.key == "initial"
