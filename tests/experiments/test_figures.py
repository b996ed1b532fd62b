"""Figures 1 and 2 of the paper: the experiments' own arithmetic, and that they run."""

import importlib
from types import ModuleType

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

pytest.importorskip("matplotlib")


def load(name: str) -> ModuleType:
    return importlib.import_module(name)


def make_runs(cost, instance=None, known=None):
    cost = np.asarray(cost, dtype=float)
    instance = np.zeros(cost.size, dtype=int) if instance is None else np.asarray(instance)
    known = np.ones(cost.size, dtype=bool) if known is None else np.asarray(known)
    return load("lib.treatments.problem").Runs(np.zeros((cost.size, 1)), cost, instance=instance, known=known)


def cap(runs, slack=1.0, ceiling=np.inf):
    return load("lib.treatments.capping").cap_runs(runs, slack=slack, ceiling=ceiling)


def test_a_run_is_stopped_at_slack_times_the_best_cost_before_it():
    capped = cap(make_runs([4.0, 9.0, 2.0, 2.9, 3.1]), slack=1.5)
    assert capped.y.tolist() == [4.0, 6.0, 2.0, 2.9, 3.0]
    assert capped.censored.tolist() == [False, True, False, False, True]


def test_a_stopped_run_does_not_lower_the_caps_of_later_runs():
    capped = cap(make_runs([4.0, 5.0, 4.5]), slack=1.2)
    assert capped.y.tolist() == [4.0, 4.8, 4.5]


def test_instances_have_caps_of_their_own():
    capped = cap(make_runs([1.0, 50.0, 2.0, 60.0], instance=[0, 1, 0, 1]))
    assert capped.censored.tolist() == [False, False, True, True]
    assert capped.y.tolist() == [1.0, 50.0, 1.0, 50.0]


def test_a_run_that_needs_exactly_its_cap_has_finished():
    assert not cap(make_runs([3.0, 3.0])).censored.any()


def test_no_cap_exceeds_the_ceiling():
    capped = cap(make_runs([700.0, 80.0, 120.0]), slack=2.0, ceiling=100.0)
    assert capped.y.tolist() == [100.0, 80.0, 100.0]
    assert capped.censored.tolist() == [True, False, True]


def test_a_recorded_timeout_is_censored_without_any_cap():
    capped = cap(make_runs([300.0, 5.0], known=[False, True]), slack=np.inf, ceiling=300.0)
    assert capped.censored.tolist() == [True, False]


def test_predictions_above_a_bound_are_no_errors():
    errors = load("lib.treatments.scoring").errors
    known = np.array([True, True, False, False])
    found = errors(np.full(4, 2.0), np.array([1.0, 3.0, 1.0, 3.0]), known=known)
    assert found.tolist() == [-1.0, 1.0, -1.0, 0.0]


def test_the_root_mean_square_of_nothing_is_not_a_number():
    assert np.isnan(load("lib.treatments.scoring").root_mean_square(np.empty(0)))


def test_log_likelihoods_are_densities_of_truths_and_masses_above_bounds():
    log_likelihoods = load("lib.treatments.scoring").log_likelihoods
    truth, mean, std = np.array([1.0, 1.0]), np.array([0.5, 0.5]), np.array([2.0, 2.0])
    found = log_likelihoods(truth, mean, std=std, known=np.array([True, False]))
    np.testing.assert_allclose(found, [norm.logpdf(1.0, 0.5, 2.0), norm.logsf(1.0, 0.5, 2.0)])


def test_a_belief_about_costs_gives_a_density_of_their_logarithms():
    of_log10 = load("lib.treatments.scoring").log_likelihoods_of_log10
    mean, std, known = np.array([50.0]), np.array([5.0]), np.array([True])
    total, _ = quad(lambda u: np.exp(of_log10(np.array([10.0**u]), mean, std=std, known=known)[0]), 1.0, 2.0)
    assert total == pytest.approx(1.0, abs=1e-6)


def test_figure_1_shows_a_run_of_the_optimizer():
    one_dimension = load("lib.one_dimension")
    first, second = one_dimension.optimise(2, n_trees=20)
    assert first.design.x.size == one_dimension.N_POINTS
    assert second.design.x[:-1].tolist() == first.design.x.tolist()
    assert second.design.x[-1] == first.next_x


def test_the_next_point_of_figure_1_has_about_the_largest_expected_improvement():
    (step,) = load("lib.one_dimension").optimise(1, n_trees=20)
    (found,) = step.improvement(np.array([step.next_x]))
    assert found >= 0.95 * step.improvement(np.linspace(0.0, 1.0, 1001)).max()


def test_costs_in_figure_1_are_true_or_bounds():
    one_dimension = load("lib.one_dimension")
    (step,) = one_dimension.optimise(1, n_trees=20)
    truth, stopped = one_dimension.cost(step.design.x), step.design.censored
    assert 0 < stopped.sum() < stopped.size
    assert (step.design.y[~stopped] == truth[~stopped]).all()
    assert (step.design.y[stopped] < truth[stopped]).all()


def test_without_bootstrap_the_mean_of_many_trees_interpolates():
    one_dimension = load("lib.one_dimension")
    design = one_dimension.evaluate(np.linspace(0.0, 1.0, 9))
    errors = [
        one_dimension.interpolation_error(design, n_trees=1000, bootstrap=bootstrap)[2]
        for bootstrap in (False, True)
    ]
    # A split is uniform in its gap, so each tree is off by a Bernoulli variable times the step, at most 4.5;
    # its mean over 1000 trees has standard deviation at most 4.5 / 2 / sqrt(1000) = 0.07; five of them.
    assert errors[0] < 0.36
    assert errors[1] > 2 * errors[0]


def test_medians_come_with_an_interval_around_them():
    median = load("lib.treatments.summary").median(np.arange(41.0))
    assert median.value == 20.0
    assert 10.0 < median.low < 20.0 < median.high < 30.0


def test_summaries_compare_seeds_in_pairs_whatever_their_order():
    summarise = load("lib.treatments.summary").summarise
    rows = [{"arm": "base", "seed": seed, "rmse": value} for seed, value in [(0, 1.0), (1, 10.0), (2, 100.0)]]
    rows += [
        {"arm": "other", "seed": seed, "rmse": value} for seed, value in [(2, 102.0), (0, 3.0), (1, 12.0)]
    ]
    summary = {row["arm"]: row for row in summarise(rows, by=("arm",), measures=("rmse",), base="base")}
    assert summary["other"]["beyond_low"] == summary["other"]["beyond_high"] == 2.0


def test_tables_grow_by_jobs_and_keep_one_header(tmp_path):
    table = load("lib.tables")
    path = tmp_path / "new" / "table.csv"
    for number in range(2):
        table.append_rows(path, [{"seed": number, "rmse": 0.5}])
    assert [row["seed"] for row in table.read_rows(path)] == ["0", "1"]


def test_principal_components_survive_missing_values_and_constant_columns():
    condense = load("figure2.recorded_runs").condense
    features = np.random.default_rng(0).normal(size=(30, 6))
    features[:, 2] = 1.0
    features[4, 3] = np.nan
    found = condense(features, 3)
    assert found.shape == (30, 3)
    assert np.all(np.diff(found.var(axis=0)) <= 0)
    np.testing.assert_allclose(np.corrcoef(found.T), np.eye(3), atol=1e-10)


def test_test_configs_of_generated_problems_are_unseen_and_instances_are_shared():
    problem = load("lib.treatments.synthetic").make_problem(1, n_instances=5, n_train=200, n_test=200)
    seen = {tuple(row[:4]) for row in problem.train.X}
    assert not seen & {tuple(row[:4]) for row in problem.test.X}
    assert {tuple(row[6:]) for row in problem.test.X} == {tuple(row[6:]) for row in problem.train.X}


@pytest.fixture
def small_figure2(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.delenv("TIGHTROPE_DATA", raising=False)
    figure2, synthetic = load("figure2"), load("lib.treatments.synthetic")
    monkeypatch.setattr(figure2, "SLACKS", (1.0, np.inf))
    sizes = {"n_instances": 3, "n_train": 60, "n_test": 20}
    monkeypatch.setattr(figure2, "make_problem", lambda _, seed: synthetic.make_problem(seed, **sizes))
    return figure2


def test_figure_2_says_that_it_skips_recorded_runs_which_are_not_there(small_figure2, tmp_path, capsys):
    small_figure2.main(["--out", str(tmp_path), "--seeds", "1"])
    assert "TIGHTROPE_DATA is not set" in capsys.readouterr().out
    rows = load("lib.tables").read_rows(tmp_path / "figure2.csv")
    assert {row["data"] for row in rows} == {"synthetic-20"}


def test_figure_2_is_a_picture(small_figure2, tmp_path):
    small_figure2.main(["--out", str(tmp_path), "--seeds", "1"])
    assert (tmp_path / "figure2.png").read_bytes().startswith(b"\x89PNG")


def test_figure_2_goes_on_where_it_was(small_figure2, tmp_path):
    small_figure2.main(["--out", str(tmp_path), "--seeds", "1"])
    first = (tmp_path / "figure2.csv").read_text()
    small_figure2.main(["--out", str(tmp_path), "--seeds", "2"])
    both = (tmp_path / "figure2.csv").read_text()
    assert both.startswith(first)
    assert len(both.splitlines()) == 2 * len(first.splitlines()) - 1


def test_the_comparison_of_treatments_prints_a_table_and_draws_a_picture(tmp_path, capsys):
    picture = tmp_path / "new" / "picture.png"
    load("four_treatments").main(["--out", str(picture), "--problems", "1", "--runs", "40", "--trees", "5"])
    printed = capsys.readouterr().out
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert all(treatment in printed for treatment in ("sample", "mean", "drop", "ignore"))
    assert printed.rstrip().splitlines()[-1] == f"picture: {picture}"


def test_figure_1_draws_a_picture(tmp_path):
    load("figure1").main(["--out", str(tmp_path / "figure1.png"), "--trees", "5"])
    assert (tmp_path / "figure1.png").read_bytes().startswith(b"\x89PNG")
