"""Peers in the same arena: what they are charged, and what they return."""

import importlib
from pathlib import Path

import pytest

from recordings import write_recording

pytest.importorskip("matplotlib")
pytest.importorskip("pandas")

EXPERIMENTS = Path(__file__).parents[2] / "experiments"
NAME = "cp-sat-knapsacks"


@pytest.fixture(autouse=True)
def _find_experiments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    monkeypatch.delenv("TIGHTROPE_DATA", raising=False)


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recordings")
    write_recording(folder / NAME)
    return folder


@pytest.fixture
def arena(recordings):
    catalogue = importlib.import_module("catalogue")
    return catalogue.find_scenarios(recordings, cache=recordings / "cache").arenas[NAME]()


def open_ledger(arena, budget, *, most_runs=1000):
    return importlib.import_module("peers.ledger").Ledger(arena, budget, most_runs=most_runs)


def test_a_run_is_charged_up_to_its_cap(arena):
    ledger = open_ledger(arena, 1e6)
    whole = ledger.run(arena.default, "3", cap=float("inf"))
    assert whole == min(arena.cost(arena.default, "3"), 100.0)
    assert ledger.run(arena.default, "3", cap=0.5) == 0.5
    assert ledger.spent == whole + 0.5


def test_whoever_has_spent_the_budget_may_not_run(arena):
    ledger = open_ledger(arena, 1.0)
    ledger.run(arena.default, "3", cap=2.0)
    with pytest.raises(importlib.import_module("peers.ledger").BudgetSpentError):
        ledger.run(arena.default, "3", cap=2.0)


def test_runs_without_a_cap_do_not_go_on_for_ever(arena):
    ledger = open_ledger(arena, 1.0, most_runs=3)
    for _ in range(3):
        assert not ledger.is_spent
        ledger.run(arena.default, "3", cap=0.0)
    assert ledger.is_spent


@pytest.mark.parametrize(
    "arm", ["tightrope", "random, same race", "Optuna", pytest.param("SMAC3", marks=pytest.mark.slow)]
)
def test_everyone_spends_the_budget_and_beats_the_default(arena, arm):
    contest = importlib.import_module("peers.contest")
    if contest.why_missing(arm):
        pytest.skip(contest.why_missing(arm))
    found = contest.compete(arena, arm, budget=60, seed=1)
    assert found["test_cost"] < arena.default_cost_test
    assert found["spent"] == pytest.approx(60 * arena.train_cost(arena.default), rel=0.1)


def test_the_contest_goes_on_where_it_was(recordings, tmp_path, capsys):
    main = importlib.import_module("peer_contest").main
    options = ["--recordings", str(recordings), "--cache", str(recordings / "cache"), "--out", str(tmp_path)]
    options += ["--arms", "random, same race", "--budget", "20", "--processes", "1"]
    main([*options, "--seeds", "1"])
    main([*options, "--seeds", "2"])
    assert "1 of 1 jobs done" in capsys.readouterr().out
    assert (tmp_path / "peers.md").read_text().splitlines()[2].endswith(" | 2 |")
