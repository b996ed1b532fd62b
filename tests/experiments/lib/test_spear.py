"""Recorded runs of SPEAR and their arenas, on invented files."""

from importlib import import_module as load

import numpy as np
import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("pandas")


def test_a_missing_environment_variable_is_named(monkeypatch):
    monkeypatch.delenv("TIGHTROPE_DATA", raising=False)
    with pytest.raises(SystemExit, match="set the environment variable TIGHTROPE_DATA"):
        load("lib.spear").find_folder()


def test_a_folder_without_the_recorded_runs_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("TIGHTROPE_DATA", str(tmp_path))
    with pytest.raises(SystemExit, match="has no runtimes"):
        load("lib.spear").find_folder()


def test_recorded_configs_lose_their_inactive_values(spear_table):
    without = [config for config in spear_table.configs if config["sp-resolution"] == "0"]
    assert without
    assert not any("sp-first-restart" in config for config in without)
    assert spear_table.space.encode(spear_table.configs).shape == (60, 5)


def test_recorded_timeouts_have_infinite_cost(spear_table):
    assert np.isinf(spear_table.costs).any()
    assert spear_table.costs[np.isfinite(spear_table.costs)].max() < 300.0


def test_costs_below_the_timers_resolution_are_raised_to_half_of_it(spear_table):
    assert spear_table.default_costs.min() >= 0.005


def test_half_of_the_instances_are_for_training(spear_table, spear_arena):
    found = spear_arena("recorded")
    assert len(found.instances_train) == 6
    assert set(found.features) == set(found.instances_train)


def test_the_recorded_arena_returns_recorded_costs(spear_table, spear_arena):
    found = spear_arena("recorded")
    config, instance = spear_table.configs[7], found.instances_train[2]
    assert found.cost(config, instance, 0) == spear_table.costs[7, spear_table.instances.index(instance)]


def test_mean_costs_count_timeouts_as_the_ceiling(spear_table, spear_arena):
    found = spear_arena("recorded")
    slow = int(np.isinf(spear_table.costs).sum(axis=1).argmax())
    capped = np.minimum(spear_table.costs[slow], 300.0)
    both = found.train_cost(spear_table.configs[slow]) + found.test_cost(dict(spear_table.configs[slow]))
    assert both / 2 == pytest.approx(capped.mean())


def test_the_surrogate_returns_recorded_costs_of_recorded_configs(spear_table, spear_arena):
    found = spear_arena("surrogate")
    for config in (spear_table.default, spear_table.configs[3]):
        assert found.test_cost(config) == spear_arena("recorded").test_cost(config)


def test_the_surrogate_learns_which_parameter_matters(spear_table, spear_arena):
    found = spear_arena("surrogate")
    unseen = {
        "sp-restart-inc": 1.45,
        "sp-first-restart": 90.0,
        "sp-rand-var-dec-freq": 0.003,
        "sp-resolution": "1",
    }
    costs = [found.train_cost({"sp-var-dec-heur": choice, **unseen}) for choice in "012"]
    assert costs == sorted(costs)
