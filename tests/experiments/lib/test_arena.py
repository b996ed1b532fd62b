"""Tunings in an arena, and tables and pictures of their results."""

from importlib import import_module as load

import numpy as np
import pytest

from tightrope.records import Config, Incumbent

pytest.importorskip("matplotlib")
pytest.importorskip("pandas")


@pytest.mark.parametrize("settings", [{}, {"slack": np.inf}, {"model": "random"}])
@pytest.mark.parametrize("kind", ["recorded", "surrogate"])
def test_an_attempt_returns_the_true_costs_of_its_result(spear_arena, kind, settings):
    found = spear_arena(kind)
    record = load("lib.arena.measure").attempt(found, settings, budget=2000.0, seed=0)
    assert record["test_cost"] == record["test_cost_1"]
    assert record["n_runs"] >= record["n_configs"] >= 1
    assert record["train_cost"] > 0.0
    assert record["cpu_s"] >= 0.0


def test_the_incumbent_at_a_time_is_the_last_one_until_then():
    incumbent_at = load("lib.arena.measure").incumbent_at
    trajectory = [Incumbent(Config({"x": x}), 1.0, 1, spent=spent) for x, spent in ((1, 10.0), (2, 20.0))]
    found = [incumbent_at(trajectory, spent, default={"x": 0})["x"] for spent in (5.0, 10.0, 19.0, 30.0)]
    assert found == [0, 1, 1, 2]


def row(arm, seed, cost, *, kind="surrogate", plan="3h"):
    numbers = dict.fromkeys(("train_cost", "n_runs", "n_configs", "cpu_ms_a_run"), 1.0)
    parts = {f"test_cost_{fraction:g}": cost for fraction in load("lib.arena.measure").FRACTIONS}
    return {"arena": kind, "plan": plan, "arm": arm, "seed": str(seed), "test_cost": cost, **numbers, **parts}


def make_rows(**costs):
    return [row(arm, seed, cost) for arm, values in costs.items() for seed, cost in enumerate(values)]


def test_an_arm_is_good_unless_it_is_significantly_worse_than_the_best():
    arms = {
        "best": np.array([1.0, 2.0, 3.0, 4.0, 5.0]),
        "like it": np.array([1.5, 2.5, 3.5, 4.5, 5.5]),
        "worse": np.array([6.0, 7.0, 8.0, 9.0, 10.0]),
    }
    summary = load("lib.arena.summary")
    assert summary.best_of(arms) == "best"
    assert summary.find_good(arms) == {"best", "like it"}


def test_arms_that_all_return_the_default_are_equally_good():
    arms = {"a": np.full(4, 21.0), "b": np.full(4, 21.0)}
    assert load("lib.arena.summary").find_good(arms) == {"a", "b"}


def test_the_p_value_is_that_of_the_u_test():
    p_value = load("lib.arena.summary").p_value_of_worse(np.array([4.0, 5.0, 6.0]), np.array([1.0, 2.0, 3.0]))
    assert p_value == pytest.approx(1 / 20)  # one of the orders of three and three


def test_the_summary_has_one_row_for_each_arm():
    summary = load("lib.arena.report").summarise(make_rows(a=[1.0, 3.0], b=[2.0, 2.0]))
    assert [(each["arm"], each["median"], each["n_seeds"]) for each in summary] == [
        ("a", 2.0, 2),
        ("b", 2.0, 2),
    ]


def test_the_picture_is_drawn_though_a_panel_is_empty(tmp_path):
    rows = [row("a", 0, 2.0), row("b", 0, 3.0), row("a", 0, 1.0, kind="recorded", plan="2d")]
    load("lib.arena.picture").draw_boxes(
        rows, tmp_path / "picture.png", references={("recorded", "the default"): 20.9}
    )
    assert (tmp_path / "picture.png").stat().st_size > 1000
