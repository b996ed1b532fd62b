"""Optimisation of a 1-D function, as in Figure 1."""

from importlib import import_module as load

import numpy as np
import pytest

pytest.importorskip("matplotlib")


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
