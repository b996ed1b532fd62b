"""The report on live and simulated tunings."""

from importlib import import_module as load

import numpy as np
import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("pandas")


def row(arm, seed, live, simulated):
    """Two costs of each result: by the clock, and by the arena; the counter agrees with the clock."""
    costs = {
        f"{kind}_{judge}": cost
        for kind, (clock, arena) in (("live", live), ("simulated", simulated))
        for judge, cost in (("by_clock", clock), ("by_count", clock), ("by_arena", arena))
    }
    configs = {"live_config": str(live), "simulated_config": str(simulated)}
    taken = {"default_s": 0.02, "ceiling_s": 0.8, "live_runs": 9, "simulated_runs": 8, "live_wall_s": 3.0}
    key = {"arena": "a", "plan": "8 runs", "arm": arm, "seed": seed}
    return {**key, **costs, **configs, **taken, "live_failures": 1}


def test_arms_are_ordered_by_their_own_kind_of_judge():
    rows = [row("x", 1, (0.5, 0.9), (0.9, 0.3)), row("y", 1, (0.6, 0.1), (0.1, 0.2))]
    text = load("live.report").report(rows, [])
    assert "| a, 8 runs | live | 0.5 | 0.6 | x < y | 1 |" in text
    assert "| a, 8 runs | simulated | 0.3 | 0.2 | y < x | 1 |" in text
    assert "a, 8 runs: another order live and simulated" in text


def test_significant_differences_are_reported_with_both_p_values():
    rows = [row("x", i, (0.5, 0.9), (0.9, 0.3)) for i in range(5)]
    rows += [row("y", i, (0.4, 0.1), (0.1, 0.4)) for i in range(5)]
    lines = load("live.report").agreements(rows)
    assert lines[1:] == [
        "a, 8 runs: x is better than y, p = 0.002 simulated, 1 live",
        "a, 8 runs: y is better than x, p = 1 simulated, 0.002 live",
    ]


def test_medians_of_all_budgets_are_ranked_together():
    rows = [row(arm, 1, (cost, 0.9), (0.9, cost)) for arm, cost in (("x", 0.2), ("y", 0.3))]
    rows += [
        {**row(arm, 1, (cost, 0.9), (0.9, 1.0 - cost)), "plan": "9 runs"}
        for arm, cost in (("x", 0.4), ("y", 0.5))
    ]
    assert load("live.report").agreements(rows)[-1] == ("a: rank correlation of all 4 pairs of medians 0.80")


def test_arms_with_the_same_median_are_equal():
    order = load("live.report").order
    assert order({"y": np.array([0.5]), "x": np.array([0.5]), "z": np.array([0.4])}) == "z < x = y"


JUDGES = ("untuned_by_clock", "untuned_by_count", "untuned_by_arena")


def rank(rows, untuned=()):
    lines = load("live.report").rank_correlations(rows, untuned).splitlines()[2:]
    cells = [[each.strip() for each in line.split("|")] for line in lines]
    return {group: found for _, _, group, *found, _ in cells}


def test_a_config_that_was_found_twice_is_ranked_once():
    good, fair, poor = (0.3, 0.2), (0.4, 0.5), (0.6, 0.4)
    found = rank([row("x", 1, good, fair), row("x", 2, poor, good)])
    assert found["found either way"] == ["3", "0.50", "1.00", "0.50"]


def test_few_configs_are_not_ranked():
    found = rank([row("x", 1, (0.3, 0.2), (0.4, 0.5))])
    assert found["found live"] == ["1", "", "", ""]
    assert found["random"] == ["0", "", "", ""]


def test_random_configs_of_the_same_scenario_are_ranked():
    untuned = [
        {"arena": arena, "untuned_config": str(i), **dict.fromkeys(JUDGES, i + 1.0)}
        for arena in ("a", "b")
        for i in range(4)
    ]
    found = rank([row("x", 1, (0.3, 0.2), (0.4, 0.5))], untuned)
    assert found["random"] == ["4", "1.00", "1.00", "1.00"]


def test_failures_are_reported():
    rows = [row("x", seed, (0.5, 0.9), (0.9, 0.3)) for seed in (1, 2)]
    assert "| a | 0.02 s | 0.8 s | 9 | 8 | 2 | 3 s |" in load("live.report").report(rows, [])
