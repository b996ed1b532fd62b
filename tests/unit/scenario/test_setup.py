"""From a scenario to what an engine goes by."""

from typing import Any

import pytest

from tightrope import Scenario, Tactics
from tightrope.scenario.setup import plan_of


def defence_of(**changes: Any) -> float:
    settings = {"space": {"x": (0.0, 1.0)}, "instances": list("abcdef"), "ceiling": 50.0, "budget": 100.0}
    return plan_of(Scenario(**settings | changes), 0).tactics.defence


def test_where_configs_have_no_end_the_incumbent_gains_tasks_as_the_tactics_say() -> None:
    assert defence_of(tactics=Tactics(defence=0.07)) == 0.07


@pytest.mark.parametrize(
    "few",
    [{"candidates": [{"x": i / 12} for i in range(12)]}, {"space": {"x": (1, 12)}}],
    ids=["list", "space"],
)
def test_where_configs_are_few_the_incumbent_has_all_instances_before_they_end(few: dict[str, Any]) -> None:
    assert defence_of(**few) == 6 / 12
    assert defence_of(**few, tactics=Tactics(defence=1.0)) == 1.0
