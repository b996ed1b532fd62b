"""Tactics compared on mixtures of recorded instances."""

from importlib import import_module as load

import numpy as np
import pytest

from tightrope.records import Config

NAME = "cp-sat-knapsacks"


@pytest.fixture
def screening(monkeypatch):
    module = load("screening.run")
    _clear_caches(module)
    monkeypatch.setattr(module, "BUDGETS", {NAME: 15})
    monkeypatch.setattr(module, "TAILED_BUDGETS", {NAME: 15})
    return module


def _clear_caches(module):
    module.find_arena.cache_clear()
    module.find_model.cache_clear()


@pytest.fixture
def mixed(screening, recordings):
    return screening.find_arena(NAME, False, recordings, recordings / "cache")


@pytest.fixture
def tailed(screening, recordings):
    return screening.find_arena(NAME, True, recordings, recordings / "cache")


def test_half_of_the_mixtures_are_for_the_test(mixed):
    assert len(mixed.instances_train) == 60
    assert set(mixed.features) == set(mixed.instances_train)


def test_good_configs_are_good_on_mixtures_too(mixed):
    fast, slow = Config({"kind": "fast", "x": 2.0, "width": 2}), Config({"kind": "slow", "x": 2.0})
    costs = [mixed.train_cost(config) for config in (fast, slow)]
    assert costs[0] < 0.7 * costs[1]
    assert costs == [pytest.approx(mixed.test_cost(config), rel=0.5) for config in (fast, slow)]


def test_mixtures_are_the_same_again(screening, mixed, recordings):
    _clear_caches(screening)
    again = screening.find_arena(NAME, False, recordings, recordings / "cache")
    assert again is not mixed
    assert again.train_cost(mixed.default) == mixed.train_cost(mixed.default)


def _share_of_most_expensive(arena):
    """Return the share of the most expensive tenth of the training instances in the default's cost."""
    costs = np.sort([min(arena.cost(arena.default, name), arena.ceiling) for name in arena.instances_train])
    return costs[-len(costs) // 10 :].sum() / costs.sum()


def test_few_instances_with_tails_make_up_most_of_the_mean(mixed, tailed):
    assert len(tailed.instances_train) == 300
    assert _share_of_most_expensive(mixed) < 0.4
    assert _share_of_most_expensive(tailed) > 0.6


def test_few_configs_are_better_than_the_default_where_there_are_tails(tailed):
    """Of random configs 2.5 % are better; there are few different ones here, so others may tie."""
    drawn = [tailed.space.decode(row) for row in tailed.space.sample(400, np.random.default_rng(1))]
    costs = [tailed.train_cost(config) + tailed.test_cost(config) for config in drawn]
    default = tailed.train_cost(tailed.default) + tailed.test_cost(tailed.default)
    assert 0.0 < np.mean(np.array(costs) < default) < 0.06


@pytest.mark.parametrize("others", [[], ["--tailed"]])
def test_arms_are_compared_with_the_first(screening, recordings, tmp_path, capsys, others):
    first, second = "20 tasks, then 0.25", "now"
    options = ["--recordings", str(recordings), "--cache", str(recordings / "cache"), "--out", str(tmp_path)]
    screening.main([*options, *others, "--processes", "1", "--seeds", "0", "2", "--arms", first, second])
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2].startswith(f"| {first} | 1.000 (1.000 to 1.000) | 1.000 (1.000 to 1.000) | 2 | ")
    assert lines[-1].startswith(f"| {second} | ")
    assert lines[-1].split(" | ")[3] == "2"


def test_tunings_that_end_worse_than_the_default_are_counted(screening):
    rows = [
        {
            "arm": "a",
            "arena": "one",
            "seed": str(seed),
            "test_cost": cost,
            "train_cost": "1",
            "default_cost": "2",
        }
        for seed, cost in enumerate(["1.9", "2", "2.1"])
    ]
    assert screening.report(rows, ["a"]).endswith(" | 3 | 1 |")


def test_each_arena_counts_the_same(screening):
    rows = [
        {
            "arm": arm,
            "arena": name,
            "seed": str(seed),
            "test_cost": str(cost),
            "train_cost": "1",
            "default_cost": "9",
        }
        for arm, name, seed, cost in [
            *(("a", "one", seed, 1.0) for seed in range(4)),
            ("a", "other", 0, 1.0),
            *(("b", "one", seed, 4.0) for seed in range(4)),
            ("b", "other", 0, 1.0),
        ]
    ]
    ratio = screening.report(rows, ["a", "b"]).splitlines()[-1].split(" | ")[1]
    assert ratio == "2.000 (2.000 to 2.000)"
