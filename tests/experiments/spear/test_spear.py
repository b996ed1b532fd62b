"""The SPEAR experiment on invented runs: the recorded ones are not in the repository."""

from importlib import import_module as load

import numpy as np
import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("pandas")


def test_the_exact_search_returns_the_best_candidate(spear_arena):
    found = spear_arena("recorded")
    best = load("spear.exact_search").search_exactly(found)
    assert found.train_cost(best) == min(found.train_cost(config) for config in found.candidates)


def test_the_exact_search_of_the_whole_space_beats_random_configs(spear_arena):
    found = spear_arena("surrogate")
    best = load("spear.exact_search").search_exactly(found)
    others = [found.space.decode(each) for each in found.space.sample(500, np.random.default_rng(1))]
    assert found.train_cost(best) < min(found.train_cost(config) for config in others)


def row(arm, seed, cost, *, kind="surrogate", plan="3h"):
    numbers = dict.fromkeys(("train_cost", "n_runs", "n_configs", "cpu_ms_a_run"), 1.0)
    parts = {f"test_cost_{fraction:g}": cost for fraction in load("lib.arena.measure").FRACTIONS}
    return {"arena": kind, "plan": plan, "arm": arm, "seed": str(seed), "test_cost": cost, **numbers, **parts}


def make_rows(**costs):
    return [row(arm, seed, cost) for arm, values in costs.items() for seed, cost in enumerate(values)]


def test_the_table_has_good_arms_in_bold():
    rows = make_rows(fine=[1.0, 2.0, 3.0, 4.0], bad=[50.0, 60.0, 70.0, 80.0])
    assert load("spear.report").final_costs(rows).splitlines() == [
        "| arm | surrogate, 3h |",
        "| --- | --- |",
        "| fine | **2.5 [1.75, 3.25]** |",
        "| bad | 65 [57.5, 72.5] |",
    ]


def test_the_cell_of_a_missing_arm_is_empty():
    rows = [row("a", 0, 2.0), row("b", 0, 3.0), row("a", 0, 1.0, plan="2d")]
    assert load("spear.report").progress(rows).splitlines()[-1] == "| b | 3 / 3 / 3 / 3 / 3 |  |"


def test_expectations_are_tested_one_sided():
    costs = {"slack 1.3": [1.0, 2.0, 3.0], "no censoring": [4.0, 5.0, 6.0]}
    assert "p = 0.05" in load("spear.report").expectations(make_rows(**costs))


def test_the_command_resumes(spear_folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("TIGHTROPE_DATA", str(spear_folder.parent))

    command = load("spear.run")
    options = ["--quick", "--arenas", "recorded", "--out", str(tmp_path / "out")]
    command.main([*options, "--arms", "random search", "--seeds", "1"])
    command.main(
        [*options, "--variant", 'steep={"slack": 1.05}', "--arms", "random search", "steep", "--seeds", "1"]
    )
    assert "1 of 1 jobs done" in capsys.readouterr().out
    assert len((tmp_path / "out" / "spear-quick.csv").read_text().splitlines()) == 3


def test_an_unknown_arm_is_refused(capsys):
    with pytest.raises(SystemExit):
        load("spear.run").main(["--arms", "steep"])
    assert "no such arm: steep" in capsys.readouterr().err
