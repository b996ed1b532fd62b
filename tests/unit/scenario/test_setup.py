"""From a scenario to what an engine goes by."""

from math import inf
from typing import Any

import pytest

from tightrope import Budget, Scenario, Tactics
from tightrope.run import CommandTarget, JsonLine
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
    assert defence_of(**few, tactics=Tactics(belief=False)) == 6 / 12
    assert defence_of(**few, tactics=Tactics(belief=False, defence=1.0)) == 1.0
    assert defence_of(**few) == Tactics().defence, "by belief, dropped configs get a second chance"


def cost_limit_of(budget: object, target: object) -> float:
    scenario = Scenario(space={"x": (0.0, 1.0)}, instances=["a"], ceiling=50.0, budget=budget, target=target)
    return plan_of(scenario, 0).cost_limit


@pytest.mark.parametrize(
    ("budget", "target", "limit"),
    [
        (Budget(cost=100.0, wall=7.0), "solver {instance}", 100.0),
        (Budget(wall=7.0), "solver {instance}", 7.0),
        (Budget(wall=7.0), CommandTarget("solver {instance}", answer=JsonLine()), inf),
        (Budget(wall=7.0), None, inf),
        (Budget(runs=9), "solver {instance}", inf),
    ],
    ids=["cost", "time", "printed", "simulated", "runs"],
)
def test_a_budget_of_time_limits_the_cost_if_cost_is_time(
    budget: Budget, target: object, limit: float
) -> None:
    assert cost_limit_of(budget, target) == limit
