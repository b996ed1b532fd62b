"""Ablations against full ones."""

from importlib import import_module as load

import pytest

from ablations import TASKS, all_on, is_on, switches


@pytest.fixture
def full():
    return load("ablate.full")


def test_a_full_ablation_runs_every_change_at_every_step(full):
    changes = all_on(switches("abc"), "abc")
    calls = []

    def cost(config, task):
        calls.append(is_on(config))
        return 10.0 - 3.0 * ("b" in is_on(config)) - ("c" in is_on(config))

    found = full.full_ablation(changes, TASKS, cost, ceiling=100.0)
    assert found.order == (1, 2, 0)
    assert found.costs == (10.0, 7.0, 6.0, 6.0)
    assert len(calls) == (1 + 3 + 2 + 1) * len(TASKS)
    assert found.spent == pytest.approx(len(TASKS) * (10 + 10 + 7 + 9 + 7 + 6 + 6))


@pytest.mark.slow
def test_both_find_the_planted_parameters(tmp_path, capsys):
    run = load("ablate.run")
    options = ["--scenarios", "planted, no noise", "--seeds", "1", "--processes", "1"]
    run.main([*options, "--out", str(tmp_path)])
    assert "| planted, no noise | 1 | 40 | 3 | 1 of 1 | 1.000 |" in capsys.readouterr().out
    (row,) = load("lib.tables").read_rows(tmp_path / "ablate.csv")
    assert row["is_exact"] == "True"
    assert float(row["spent_share"]) < 0.1
