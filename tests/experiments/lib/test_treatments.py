"""Capping, scores, summaries and generated problems."""

from importlib import import_module as load

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

pytest.importorskip("matplotlib")


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


def test_test_configs_of_generated_problems_are_unseen_and_instances_are_shared():
    problem = load("lib.treatments.synthetic").make_problem(1, n_instances=5, n_train=200, n_test=200)
    seen = {tuple(row[:4]) for row in problem.train.X}
    assert not seen & {tuple(row[:4]) for row in problem.test.X}
    assert {tuple(row[6:]) for row in problem.test.X} == {tuple(row[6:]) for row in problem.train.X}
