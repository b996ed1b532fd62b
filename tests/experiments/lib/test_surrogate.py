"""The surrogate of a recorded solver."""

from dataclasses import replace
from importlib import import_module as load

import numpy as np
import pytest

from tightrope.space import Space

pytest.importorskip("matplotlib")
pytest.importorskip("pandas")


def test_the_surrogate_is_cached_and_deterministic(spear_table, tmp_path):
    config = spear_table.space.decode(spear_table.space.sample(1, np.random.default_rng(0))[0])
    first = load("lib.surrogate.surrogate").make_surrogate(spear_table, folder=tmp_path).costs(config)
    (file,) = tmp_path.iterdir()
    written = file.stat().st_mtime_ns
    again = load("lib.surrogate.surrogate").make_surrogate(spear_table, folder=tmp_path).costs(config)
    assert again.tolist() == first.tolist()
    assert file.stat().st_mtime_ns == written


def test_the_surrogate_does_not_depend_on_the_last_digits_of_a_fit(spear_table):
    """Processors differ in these digits, and a tuning that meets other costs returns another config."""
    surrogate = load("lib.surrogate.surrogate")
    rng = np.random.default_rng(0)
    shaken = replace(
        spear_table, costs=spear_table.costs * (1.0 + 1e-14 * rng.normal(size=spear_table.costs.shape))
    )
    models = [surrogate.fit_model(each) for each in (spear_table, shaken)]
    drawn = [spear_table.space.decode(row) for row in spear_table.space.sample(50, rng)]
    one, other = (
        np.array([surrogate.model_costs(config, model, spear_table) for config in drawn]) for model in models
    )
    assert np.array_equal(one, other)


def test_other_runs_have_another_surrogate(spear_table, tmp_path):
    surrogate = load("lib.surrogate.surrogate")
    surrogate.make_surrogate(spear_table, folder=tmp_path)
    surrogate.make_surrogate(replace(spear_table, costs=spear_table.costs * 2.0), folder=tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_low_rank_table_is_recovered_beyond_the_ceiling():
    rng = np.random.default_rng(0)
    true = 0.5 + 0.5 * rng.normal(size=(300, 2)) @ rng.normal(size=(2, 200))
    noisy = true + rng.normal(0.0, 0.05, true.shape)
    bound = np.quantile(noisy, 0.8)
    found = load("lib.surrogate.low_rank").fit_low_rank(np.minimum(noisy, bound), noisy > bound).fitted()
    beyond = true > bound + 0.25
    assert np.abs(found - true)[beyond].mean() < np.abs(bound - true)[beyond].mean() / 2


def test_random_functions_have_the_covariance_of_the_kernel():
    draw = load("lib.surrogate.random_function").draw_function
    weights, n_values = np.array([0.7, 0.4]), np.array([3])
    X = np.array([[0.2, 0.0], [0.9, 0.0], [0.2, 2.0]])
    rng = np.random.default_rng(0)
    draws = [draw(weights, 2.0, n_values=n_values, rng=rng).values(X).sum(axis=1) for _ in range(2000)]
    expected = 2.0 * np.exp([0.0, -0.7 * 0.7, -0.4])
    assert np.mean(draws, axis=0) == pytest.approx([0.0] * 3, abs=0.15)  # five standard errors
    assert np.mean([each[0] * each for each in draws], axis=0) == pytest.approx(expected, abs=0.35)


def test_the_smoother_agrees_with_its_data():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.random((80, 2)), rng.integers(3, size=80)])
    scores = np.column_stack([X[:, 0] + X[:, 2], np.sin(3.0 * X[:, 1])])
    found = load("lib.surrogate.smoother").fit_smoother(X, scores, n_values=np.array([3]))
    predicted = np.array([found.predict(x) for x in X])
    assert np.abs(predicted - scores).max() < 0.2


def test_the_gradient_of_the_evidence_is_right():
    from scipy.optimize import check_grad

    smoother = load("lib.surrogate.smoother")
    rng = np.random.default_rng(0)
    D, y = smoother._distances(rng.random((20, 3)), n_numbers=3), rng.normal(size=20)
    error = check_grad(
        lambda logs: smoother._negative_log_evidence(logs, D, y)[0],
        lambda logs: smoother._negative_log_evidence(logs, D, y)[1],
        np.array([-1.0, 0.5, -2.0, 0.3, -1.0]),
    )
    assert error < 1e-4


def test_parameters_with_an_offset_have_a_log_scale():
    space = Space.of({"sp-first-restart": (25.0, 3200.0), "sp-restart-inc": (1.1, 1.9), "z": ["a", "b"]})
    rows = space.encode([{"sp-first-restart": 100.0, "sp-restart-inc": 1.5, "z": "b"}])
    found = load("lib.surrogate.surrogate").smoother_inputs(space, rows, offsets={"sp-first-restart": 0.0})
    assert found[0].tolist() == pytest.approx([2 / 7, 0.5, 1.0])


def test_a_fit_succeeds_though_a_step_of_the_optimiser_would_overflow():
    rng = np.random.default_rng(8)
    X = np.hstack([rng.random((12, 2)), rng.integers(0, 3, (12, 1))])
    scores = rng.normal(size=(24, 1))[12:]
    fit = load("lib.surrogate.smoother").fit_smoother  # overflow would be an error
    assert np.isfinite(fit(X, scores, n_values=np.array([3])).coefficients).all()
