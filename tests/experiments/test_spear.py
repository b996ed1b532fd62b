"""The SPEAR experiment's own arithmetic, on invented runs: the recorded ones are not in the repository."""

import importlib
import sys
from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest

from tightrope.records import Config, Incumbent
from tightrope.space import Space

pytest.importorskip("matplotlib")
pytest.importorskip("pandas")

PCS = """
sp-var-dec-heur {0,1,2}[0]
sp-resolution {0,1}[1]
sp-restart-inc [1.1,1.9][1.5]
sp-first-restart [25,3200][100]
sp-rand-var-dec-freq [0,0.05][0.001]

Conditionals:
sp-first-restart|sp-resolution in {1}
"""


def load(name: str) -> ModuleType:
    package = "spear" if name in {"arena", "recorded"} else "arena"
    return importlib.import_module(f"{package}.{name}")


def write_folder(folder, *, n_configs=60, n_instances=12):
    """Write files like the recorded ones: costs grow with the first parameter, some runs time out."""
    folder.mkdir()
    rng = np.random.default_rng(0)
    (folder / "spear.pcs").write_text(PCS)
    heuristic, resolution = rng.integers(3, size=n_configs), rng.integers(2, size=n_configs)
    increase = rng.uniform(1.1, 1.9, n_configs).round(6)
    lines = ["config,sp-var-dec-heur,sp-resolution,sp-restart-inc,sp-first-restart,sp-rand-var-dec-freq"]
    for i in range(n_configs):
        lines.append(f"c{i},{heuristic[i]},{resolution[i]},{increase[i]},400,0.01")
    (folder / "configs.csv").write_text("\n".join(lines) + "\n")
    hardness = np.linspace(-3.5, 0.5, n_instances)
    log = hardness[:, None] + heuristic + increase + rng.normal(0.0, 0.1, (n_instances, n_configs))
    seconds = np.where(log > np.log10(300.0), 300.1, 10.0**log)
    names = [f"i{i}.cnf" for i in range(n_instances)]
    _write_table(folder / "runtimes.csv.gz", names, [f"c{i}" for i in range(n_configs)], seconds)
    _write_table(folder / "features.csv.gz", names, ["f0", "f1"], rng.normal(size=(n_instances, 2)))
    _write_table(folder / "default.csv", names, ["default_runtime"], 10.0 ** (hardness[:, None] + 1.5))
    return folder


def _write_table(path, names, columns, values):
    import pandas

    pandas.DataFrame(values, index=names, columns=columns).to_csv(path, index_label="instance")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_folder(tmp_path_factory.mktemp("data") / "spear-swv")


@pytest.fixture
def recorded(folder):
    return load("recorded").read_recorded(folder)


@pytest.fixture
def arena(folder, monkeypatch):
    monkeypatch.setenv("TIGHTROPE_DATA", str(folder.parent))
    return lambda kind: load("arena").arena(kind, folder=folder.parent / "cache")


def test_without_the_environment_variable_one_is_told_to_set_it(monkeypatch):
    monkeypatch.delenv("TIGHTROPE_DATA", raising=False)
    with pytest.raises(SystemExit, match="TIGHTROPE_DATA must name the folder"):
        load("recorded").find_folder()


def test_a_folder_without_the_recorded_runs_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("TIGHTROPE_DATA", str(tmp_path))
    with pytest.raises(SystemExit, match="has no runtimes"):
        load("recorded").find_folder()


def test_recorded_configs_lose_their_inactive_values(recorded):
    without = [config for config in recorded.configs if config["sp-resolution"] == "0"]
    assert without
    assert not any("sp-first-restart" in config for config in without)
    assert recorded.space.encode(recorded.configs).shape == (60, 5)


def test_recorded_timeouts_never_end(recorded):
    assert np.isinf(recorded.costs).any()
    assert recorded.costs[np.isfinite(recorded.costs)].max() < 300.0


def test_costs_below_the_timers_resolution_are_raised_to_half_of_it(recorded):
    assert recorded.default_costs.min() >= 0.005


def test_half_of_the_instances_are_for_training(recorded, arena):
    found = arena("recorded")
    assert len(found.instances_train) == 6
    assert set(found.features) == set(found.instances_train)


def test_the_recorded_arena_tells_recorded_costs(recorded, arena):
    found = arena("recorded")
    config, instance = recorded.configs[7], found.instances_train[2]
    assert found.cost(config, instance, 0) == recorded.costs[7, recorded.instances.index(instance)]


def test_mean_costs_count_timeouts_as_the_ceiling(recorded, arena):
    found = arena("recorded")
    slow = int(np.isinf(recorded.costs).sum(axis=1).argmax())
    capped = np.minimum(recorded.costs[slow], 300.0)
    both = found.train_cost(recorded.configs[slow]) + found.test_cost(dict(recorded.configs[slow]))
    assert both / 2 == pytest.approx(capped.mean())


def test_the_surrogate_tells_recorded_costs_where_there_are_some(recorded, arena):
    found = arena("surrogate")
    for config in (recorded.default, recorded.configs[3]):
        assert found.test_cost(config) == arena("recorded").test_cost(config)


def test_the_surrogate_knows_which_parameter_matters(recorded, arena):
    found = arena("surrogate")
    unseen = {
        "sp-restart-inc": 1.45,
        "sp-first-restart": 90.0,
        "sp-rand-var-dec-freq": 0.003,
        "sp-resolution": "1",
    }
    costs = [found.train_cost({"sp-var-dec-heur": choice, **unseen}) for choice in "012"]
    assert costs == sorted(costs)


def test_the_surrogate_is_kept_and_always_says_the_same(recorded, tmp_path):
    config = recorded.space.decode(recorded.space.sample(1, np.random.default_rng(0))[0])
    first = load("surrogate").make_surrogate(recorded, folder=tmp_path).costs(config)
    (file,) = tmp_path.iterdir()
    written = file.stat().st_mtime_ns
    again = load("surrogate").make_surrogate(recorded, folder=tmp_path).costs(config)
    assert again.tolist() == first.tolist()
    assert file.stat().st_mtime_ns == written


def test_the_surrogate_does_not_depend_on_the_last_digits_of_a_fit(recorded):
    """Processors differ in them, and a search that meets other costs ends elsewhere."""
    surrogate = load("surrogate")
    rng = np.random.default_rng(0)
    shaken = replace(recorded, costs=recorded.costs * (1.0 + 1e-14 * rng.normal(size=recorded.costs.shape)))
    models = [surrogate.fit_model(each) for each in (recorded, shaken)]
    drawn = [recorded.space.decode(row) for row in recorded.space.sample(50, rng)]
    one, other = (
        np.array([surrogate.model_costs(config, model, recorded) for config in drawn]) for model in models
    )
    assert np.array_equal(one, other)


def test_a_surrogate_of_other_runs_is_another(recorded, tmp_path):
    surrogate = load("surrogate")
    surrogate.make_surrogate(recorded, folder=tmp_path)
    surrogate.make_surrogate(replace(recorded, costs=recorded.costs * 2.0), folder=tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_factors_are_recovered_beyond_the_ceiling():
    rng = np.random.default_rng(0)
    true = 0.5 + 0.5 * rng.normal(size=(300, 2)) @ rng.normal(size=(2, 200))
    noisy = true + rng.normal(0.0, 0.05, true.shape)
    bound = np.quantile(noisy, 0.8)
    found = load("factors").fit_low_rank(np.minimum(noisy, bound), noisy > bound).fitted()
    beyond = true > bound + 0.25
    assert np.abs(found - true)[beyond].mean() < np.abs(bound - true)[beyond].mean() / 2


def test_waves_have_the_covariance_of_the_kernel():
    weights, n_values = np.array([0.7, 0.4]), np.array([3])
    X = np.array([[0.2, 0.0], [0.9, 0.0], [0.2, 2.0]])
    rng = np.random.default_rng(0)
    draws = [
        load("wave").draw_function(weights, 2.0, n_values=n_values, rng=rng).values(X).sum(axis=1)
        for _ in range(2000)
    ]
    expected = 2.0 * np.exp([0.0, -0.7 * 0.7, -0.4])
    assert np.mean(draws, axis=0) == pytest.approx([0.0] * 3, abs=0.15)  # five standard errors
    assert np.mean([draw[0] * draw for draw in draws], axis=0) == pytest.approx(expected, abs=0.35)


def test_the_smoother_agrees_with_what_it_was_fitted_to():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.random((80, 2)), rng.integers(3, size=80)])
    scores = np.column_stack([X[:, 0] + X[:, 2], np.sin(3.0 * X[:, 1])])
    found = load("smoother").fit_smoother(X, scores, n_values=np.array([3]))
    told = np.array([found.predict(x) for x in X])
    assert np.abs(told - scores).max() < 0.2


def test_the_gradient_of_the_evidence_is_right():
    from scipy.optimize import check_grad

    smoother = load("smoother")
    rng = np.random.default_rng(0)
    D, y = smoother._distances(rng.random((20, 3)), n_numbers=3), rng.normal(size=20)
    error = check_grad(
        lambda logs: smoother._negative_log_evidence(logs, D, y)[0],
        lambda logs: smoother._negative_log_evidence(logs, D, y)[1],
        np.array([-1.0, 0.5, -2.0, 0.3, -1.0]),
    )
    assert error < 1e-4


def test_the_exact_search_returns_the_best_candidate(arena):
    found = arena("recorded")
    best = load("oracle").search_exactly(found)
    assert found.train_cost(best) == min(found.train_cost(config) for config in found.candidates)


def test_the_exact_search_of_the_whole_space_beats_random_configs(arena):
    found = arena("surrogate")
    best = load("oracle").search_exactly(found)
    others = [found.space.decode(each) for each in found.space.sample(500, np.random.default_rng(1))]
    assert found.train_cost(best) < min(found.train_cost(config) for config in others)


@pytest.mark.parametrize("settings", [{}, {"slack": np.inf}, {"model": "random"}])
@pytest.mark.parametrize("kind", ["recorded", "surrogate"])
def test_an_attempt_reports_the_truth_about_its_result(arena, kind, settings):
    found = arena(kind)
    record = load("measure").attempt(found, settings, budget=2000.0, seed=0)
    assert record["test_cost"] == record["test_cost_1"]
    assert record["n_runs"] >= record["n_configs"] >= 1
    assert record["train_cost"] > 0.0
    assert record["cpu_s"] >= 0.0


def test_the_incumbent_at_a_time_is_the_last_one_until_then():
    incumbent_at = load("measure").incumbent_at
    trajectory = [Incumbent(Config({"x": x}), 1.0, 1, spent=spent) for x, spent in ((1, 10.0), (2, 20.0))]
    found = [incumbent_at(trajectory, spent, default={"x": 0})["x"] for spent in (5.0, 10.0, 19.0, 30.0)]
    assert found == [0, 1, 1, 2]


def row(arm, seed, cost, *, kind="surrogate", plan="3h"):
    numbers = dict.fromkeys(("train_cost", "n_runs", "n_configs", "cpu_ms_a_run"), 1.0)
    parts = {f"test_cost_{fraction:g}": cost for fraction in load("measure").FRACTIONS}
    return {"arena": kind, "plan": plan, "arm": arm, "seed": str(seed), "test_cost": cost, **numbers, **parts}


def make_rows(**costs):
    return [row(arm, seed, cost) for arm, values in costs.items() for seed, cost in enumerate(values)]


def test_an_arm_is_good_unless_it_is_significantly_worse_than_the_best():
    arms = {
        "best": np.array([1.0, 2.0, 3.0, 4.0, 5.0]),
        "like it": np.array([1.5, 2.5, 3.5, 4.5, 5.5]),
        "worse": np.array([6.0, 7.0, 8.0, 9.0, 10.0]),
    }
    summary = load("summary")
    assert summary.best_of(arms) == "best"
    assert summary.find_good(arms) == {"best", "like it"}


def test_arms_that_all_return_the_default_are_equally_good():
    arms = {"a": np.full(4, 21.0), "b": np.full(4, 21.0)}
    assert load("summary").find_good(arms) == {"a", "b"}


def test_the_chance_is_that_of_the_u_test():
    chance = load("summary").p_value_of_worse(np.array([4.0, 5.0, 6.0]), np.array([1.0, 2.0, 3.0]))
    assert chance == pytest.approx(1 / 20)  # one of the orders of three and three


def test_the_table_has_good_arms_in_bold():
    rows = make_rows(fine=[1.0, 2.0, 3.0, 4.0], bad=[50.0, 60.0, 70.0, 80.0])
    assert load("report").markdown(rows).splitlines() == [
        "| arm | surrogate, 3h |",
        "| --- | --- |",
        "| fine | **2.5 [1.75, 3.25]** |",
        "| bad | 65 [57.5, 72.5] |",
    ]


def test_a_contest_that_an_arm_is_not_in_leaves_its_cell_empty():
    rows = [row("a", 0, 2.0), row("b", 0, 3.0), row("a", 0, 1.0, plan="2d")]
    assert load("report").progress(rows).splitlines()[-1] == "| b | 3 / 3 / 3 / 3 / 3 |  |"


def test_expectations_are_tested_one_sided():
    costs = {"slack 1.3": [1.0, 2.0, 3.0], "no censoring": [4.0, 5.0, 6.0]}
    assert "p = 0.05" in load("report").expectations(make_rows(**costs))


def test_the_summary_has_one_row_for_each_arm():
    summary = load("report").summarise(make_rows(a=[1.0, 3.0], b=[2.0, 2.0]))
    assert [(each["arm"], each["median"], each["n_seeds"]) for each in summary] == [
        ("a", 2.0, 2),
        ("b", 2.0, 2),
    ]


def test_the_picture_is_drawn_where_a_contest_is_missing(tmp_path):
    rows = [row("a", 0, 2.0), row("b", 0, 3.0), row("a", 0, 1.0, kind="recorded", plan="2d")]
    load("picture").draw_boxes(rows, tmp_path / "picture.png", references={("recorded", "the default"): 20.9})
    assert (tmp_path / "picture.png").stat().st_size > 1000


def test_the_command_goes_on_where_it_was(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("TIGHTROPE_DATA", str(folder.parent))
    monkeypatch.setattr(sys, "argv", ["spear_swv.py"])
    command = importlib.import_module("spear_swv")
    options = ["--quick", "--arenas", "recorded", "--out", str(tmp_path / "out")]
    command.main([*options, "--arms", "random search", "--seeds", "1"])
    command.main(
        [*options, "--variant", 'steep={"slack": 1.05}', "--arms", "random search", "steep", "--seeds", "1"]
    )
    assert "1 of 1 jobs done" in capsys.readouterr().out
    assert len((tmp_path / "out" / "spear-quick.csv").read_text().splitlines()) == 3


def test_an_unknown_arm_is_refused(capsys):
    with pytest.raises(SystemExit):
        importlib.import_module("spear_swv").main(["--arms", "steep"])
    assert "no such arm: steep" in capsys.readouterr().err


def test_parameters_that_matter_on_a_log_scale_are_straightened():
    space = Space.of({"sp-first-restart": (25.0, 3200.0), "sp-restart-inc": (1.1, 1.9), "z": ["a", "b"]})
    rows = space.encode([{"sp-first-restart": 100.0, "sp-restart-inc": 1.5, "z": "b"}])
    found = load("surrogate").smoother_inputs(space, rows, offsets={"sp-first-restart": 0.0})
    assert found[0].tolist() == pytest.approx([2 / 7, 0.5, 1.0])
