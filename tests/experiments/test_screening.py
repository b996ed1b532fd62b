"""Tactics compared on mixtures of recorded instances."""

import importlib

import pytest

from tightrope.records import Config

NAME = "cp-sat-knapsacks"


@pytest.fixture
def screening(monkeypatch):
    module = importlib.import_module("screening")
    module.find_arena.cache_clear()
    monkeypatch.setattr(module, "BUDGETS", {NAME: 15})
    return module


@pytest.fixture
def mixed(screening, recordings):
    return screening.find_arena(NAME, recordings, recordings / "cache")


def test_half_of_the_mixtures_are_for_the_test(mixed):
    assert len(mixed.instances_train) == 60
    assert set(mixed.features) == set(mixed.instances_train)


def test_good_configs_are_good_on_mixtures_too(mixed):
    fast, slow = Config({"kind": "fast", "x": 2.0, "width": 2}), Config({"kind": "slow", "x": 2.0})
    costs = [mixed.train_cost(config) for config in (fast, slow)]
    assert costs[0] < 0.7 * costs[1]
    assert costs == [pytest.approx(mixed.test_cost(config), rel=0.5) for config in (fast, slow)]


def test_mixtures_are_the_same_again(screening, mixed, recordings):
    screening.find_arena.cache_clear()
    again = screening.find_arena(NAME, recordings, recordings / "cache")
    assert again is not mixed
    assert again.train_cost(mixed.default) == mixed.train_cost(mixed.default)


def test_arms_are_compared_with_the_first(screening, recordings, tmp_path, capsys):
    first, second = "20 tasks, then 0.25", "now"
    options = ["--retired", str(recordings), "--cache", str(recordings / "cache"), "--out", str(tmp_path)]
    screening.main([*options, "--processes", "1", "--seeds", "0", "2", "--arms", first, second])
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2] == f"| {first} | 1.000 (1.000 to 1.000) | 1.000 (1.000 to 1.000) | 2 |"
    assert lines[-1].startswith(f"| {second} | ")
    assert lines[-1].endswith(" | 2 |")


def test_each_arena_counts_the_same(screening):
    rows = [
        {"arm": arm, "arena": name, "seed": str(seed), "test_cost": str(cost), "train_cost": "1"}
        for arm, name, seed, cost in [
            *(("a", "one", seed, 1.0) for seed in range(4)),
            ("a", "other", 0, 1.0),
            *(("b", "one", seed, 4.0) for seed in range(4)),
            ("b", "other", 0, 1.0),
        ]
    ]
    ratio = screening.report(rows, ["a", "b"]).splitlines()[-1].split(" | ")[1]
    assert ratio == "2.000 (2.000 to 2.000)"
