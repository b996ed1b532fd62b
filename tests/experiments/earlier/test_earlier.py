"""Tunings of one half of the instances, with a history from the other."""

from importlib import import_module as load

import pytest

from tightrope.records import Config, Outcome, Run, Status, Task, Trial
from tightrope.store import History

NAME = "cp-sat-knapsacks"


@pytest.fixture
def halves():
    return load("earlier.halves")


@pytest.fixture
def run():
    module = load("earlier.run")
    module._arena.cache_clear()
    return module


def test_the_halves_share_no_instance(halves, run, recordings):
    arena = run._arena(NAME, recordings, recordings / "cache")
    first, second = halves.split(arena)
    assert not set(first) & set(second)
    assert sorted([*first, *second]) == sorted(arena.instances_train)


def test_a_misleading_history_has_the_same_costs_of_other_configs(halves):
    runs = [
        Run(Trial(i, Config({"x": i}), 9.0, Task("a")), Outcome(i, Status.DONE, float(i), 1.0))
        for i in range(20)
    ]
    misleading = halves.relabelled(History(runs), seed=0)
    assert [run.outcome.cost for run in misleading] == [run.outcome.cost for run in runs]
    configs = [run.trial.config["x"] for run in misleading]
    assert sorted(configs) == list(range(20))
    assert configs != list(range(20))


def test_every_arm_has_a_row_of_the_report(halves, run, recordings, tmp_path, capsys):
    folders = ["--recordings", str(recordings), "--cache", str(recordings / "cache"), "--out", str(tmp_path)]
    options = ["--scenarios", NAME, "--seeds", "1", "--share", "0.4", "--processes", "1"]
    run.main([*folders, *options])
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith(f"| {NAME}")]
    assert [row.split(" | ")[1] for row in rows] == list(halves.SHARES)
