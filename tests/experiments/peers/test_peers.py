"""The comparison with peers: charges, results and reports."""

from importlib import import_module as load

import numpy as np
import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("pandas")


NAME = "cp-sat-knapsacks"


@pytest.fixture(autouse=True)
def _use_one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "1")  # as the command does


def meter(arena, budget, *, most_runs=1000):
    return load("peers.metered_solver").MeteredSolver(arena, budget, most_runs=most_runs)


def test_a_run_is_charged_up_to_its_cap(arena):
    solver = meter(arena, 1e6)
    whole = solver.run(arena.default, "3", cap=float("inf"))
    assert whole == min(arena.cost(arena.default, "3"), 100.0)
    assert solver.run(arena.default, "3", cap=0.5) == 0.5
    assert solver.spent == whole + 0.5


def test_no_run_starts_after_the_budget_is_spent(arena):
    solver = meter(arena, 1.0)
    solver.run(arena.default, "3", cap=2.0)
    with pytest.raises(load("peers.metered_solver").BudgetSpentError):
        solver.run(arena.default, "3", cap=2.0)


def test_the_number_of_runs_with_cap_0_is_limited(arena):
    solver = meter(arena, 1.0, most_runs=3)
    for _ in range(3):
        assert not solver.is_spent
        solver.run(arena.default, "3", cap=0.0)
    assert solver.is_spent


@pytest.mark.parametrize("arm", ["tightrope", "random, same race", "Optuna"])
def test_each_arm_spends_the_budget_and_beats_the_default(arena, arm):
    arms = load("peers.arms")
    if arms.why_missing(arm):
        pytest.skip(arms.why_missing(arm))
    job = load("lib.series").Job(NAME, 60, arm, 1)
    found = arms.tune_once(arena, job)
    assert found["test_cost"] < arena.default_cost_test
    assert 0.9 < found["share_spent"] < 1.1
    assert found["cpu_s"] > 0.0


def test_faster_predictions_of_smac_are_identical():
    forests = pytest.importorskip("smac.model.random_forest.random_forest")
    rng = np.random.default_rng(0)
    forest = forests.EPMRandomForest(n_estimators=10, random_state=1, n_jobs=1)
    forest.fit(rng.random((200, 9)), rng.random(200))
    configs, features = rng.random((150, 6)), rng.random((20, 3))
    predict = load("peers.with_smac").predict_over_instances
    for n_configs in (1, 64, 150):
        expected = forest.predict_marginalized_over_instances_batch(configs[:n_configs], features, True)
        found = predict(forest, configs[:n_configs], features, True)
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(found.mean(axis=1), expected.mean(axis=1))


@pytest.mark.slow
def test_smac_is_capped_by_what_it_asks_for_and_beats_the_default(arena, monkeypatch):
    arms = load("peers.arms")
    if arms.why_missing("SMAC3"):
        pytest.skip(arms.why_missing("SMAC3"))
    solver = meter(arena, 1e6, most_runs=40)
    run, caps, costs = solver.run, [], []

    def watch(config, instance, *, cap):
        caps.append(cap)
        costs.append(run(config, instance, cap=cap))
        return costs[-1]

    monkeypatch.setattr(solver, "run", watch)
    best = arms.PEERS["SMAC3"](arena, solver, seed=1)
    assert len(costs) == 40
    assert min(caps) > 0.0
    assert any(cost == cap < arena.ceiling for cost, cap in zip(costs, caps, strict=True))
    assert arena.train_cost(best) < arena.train_cost(arena.default)


def test_irace_competes_and_the_time_of_r_is_counted(arena):
    arms = load("peers.arms")
    if arms.why_missing("irace"):
        pytest.skip(arms.why_missing("irace"))
    found = arms.tune_once(arena, load("lib.series").Job(NAME, 20, "irace", 1))
    assert found["test_cost"] < arena.default_cost_test
    assert found["n_runs"] > 50
    assert found["cpu_s"] > 0.2  # R takes as much to start


@pytest.fixture
def command(recordings, tmp_path):
    main = load("peers.run").main
    places = ["--recordings", str(recordings), "--cache", str(recordings / "cache"), "--out", str(tmp_path)]
    return lambda *options: main([*places, "--budget", "20", "--processes", "1", *options])


def test_the_comparison_resumes(command, tmp_path, capsys):
    command("--arms", "random, same race", "--seeds", "1")
    command("--arms", "random, same race", "--seeds", "2")
    assert "1 of 1 jobs done" in capsys.readouterr().out
    assert (tmp_path / "peers.md").read_text().splitlines()[4].endswith(" | 2 |")


def test_an_arm_with_few_seeds_gets_no_more_and_the_report_says_so(command, tmp_path, monkeypatch):
    monkeypatch.setitem(load("peers.arms").FEW_SEEDS, "random, same race", 1)
    command("--arms", "tightrope", "random, same race", "--seeds", "2")
    text = (tmp_path / "peers.md").read_text()
    assert "random, same race has at most 1 seeds" in text
    assert "\n| tightrope | 2 | " in text
    assert "\n| random, same race | 1 | " in text


def test_a_missing_peer_is_left_out_with_a_hint_to_install_it(command, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("peers.arms.find_spec", lambda name: None)
    command("--arms", "random, same race", "Optuna", "--seeds", "1")
    assert "without Optuna: pip install --group peers" in capsys.readouterr().out
    assert "Optuna" not in (tmp_path / "peers.md").read_text()


def test_peers_cannot_be_kept_to_recorded_configs(command):
    with pytest.raises(SystemExit, match=f"no such scenario: {NAME}, recorded"):
        command("--scenarios", f"{NAME}, recorded")


def row(arena, arm, seed, cost, note=""):
    taken = {"cpu_ms_a_run": 2.0, "n_runs": 10, "share_spent": 0.9, "note": note}
    return {"arena": arena, "plan": "20 runs", "arm": arm, "seed": seed, "test_cost": cost, **taken}


def test_the_ratio_to_the_best_peer_is_a_geometric_mean_over_scenarios():
    costs = {
        "a": {"tightrope": 1.0, "irace": 2.0, "Optuna": 4.0},
        "b": {"tightrope": 8.0, "irace": 20.0, "Optuna": 4.0},
    }
    rows = [
        row(arena, arm, seed, cost)
        for arena, arms in costs.items()
        for arm, cost in arms.items()
        for seed in range(9)
    ]
    text = load("peers.report").report(rows)
    assert "* irace: 0.447 [0.447, 0.447] (2)" in text  # of 1/2 and 2/5
    assert "* the best peer on each scenario: 1 [1, 1] (2)" in text  # of 1/2 and 2
    assert "Significantly worse than the best peer on: b (than Optuna)" in text


def test_ratios_have_a_bootstrap_interval():
    """Of three costs 1, 2 and 3 a bootstrap's median is 1 with a chance of 7/27, likewise 3."""
    costs = {"tightrope": (1.0, 2.0, 3.0), "irace": (2.0, 2.0, 2.0)}
    rows = [row("a", arm, seed, cost) for arm, each in costs.items() for seed, cost in enumerate(each)]
    text = load("peers.report").report(rows)
    assert "* irace: 1 [0.5, 1.5] (1)" in text


def test_the_best_peer_is_chosen_in_each_bootstrap():
    """Either's median is 3 in a quarter of the bootstraps, and both are in a sixteenth."""
    costs = {"tightrope": (2.0,), "irace": (1.0, 3.0), "Optuna": (1.0, 3.0)}
    rows = [row("a", arm, seed, cost) for arm, each in costs.items() for seed, cost in enumerate(each)]
    text = load("peers.report").report(rows)
    assert "* the best peer on each scenario: 1 [0.667, 2] (1)" in text


def test_a_peer_that_gave_up_is_named_with_the_reason():
    rows = [row("a", "tightrope", 1, 1.0), row("a", "irace", 1, 2.0, note="Insufficient budget")]
    text = load("peers.report").report(rows)
    assert "irace gave up on a, seed 1, and returned the default: Insufficient budget" in text
