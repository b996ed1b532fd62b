"""Plots show the right numbers."""

import builtins
from typing import Any

import numpy as np
import pytest
from ConfigSpace import ConfigurationSpace, EqualsCondition

from tightrope import Optimizer, Result
from tightrope.errors import SpaceError
from tightrope.figures import draw_progress
from tightrope.search.replay import believe

FINISHED, STOPPED, FAILED = "finished", "stopped at its cap: costs at least this", "failed"


def make_result(space: Any, *runs: tuple[dict[str, Any], float | None, bool], log: bool = True) -> Result:
    """Make the result of runs (config, cost, capped); one without a cost failed."""
    optimizer = Optimizer(space, model="forest", log=log, n_initial=1)
    for config, cost, capped in runs:
        if cost is None:
            trial = optimizer.ask()
            assert trial is not None
            optimizer.tell(trial, failed=True, cost=0.0)
        else:
            optimizer.tell_run(config, cost, capped=capped)
    return optimizer.result()


@pytest.fixture
def one_number() -> Result:
    return make_result(
        {"x": (0.0, 1.0)},
        ({"x": 0.2}, 4.0, False),
        ({}, None, False),
        ({"x": 0.8}, 6.0, True),
        ({"x": 0.8}, 9.0, True),
        ({"x": 0.4}, 2.0, False),
    )


@pytest.fixture
def mixed() -> Result:
    return make_result(
        {"kind": ["a", "b", "c"], "n": (1, 9), "rate": (1e-3, 1.0, "log"), "threads": 1},
        ({"kind": "a", "n": 3, "rate": 0.01, "threads": 1}, 4.0, False),
        ({"kind": "b", "n": 3, "rate": 0.01, "threads": 1}, 9.0, True),
        ({"kind": "c", "n": 7, "rate": 0.5, "threads": 1}, 6.0, False),
    )


def points(axes: Any, label: str) -> list[tuple[float, float]]:
    """Return the marks of this label, in the order in which they were drawn."""
    lines = [line for line in axes.lines if line.get_label() == label]
    return [point for line in lines for point in zip(*map(list, line.get_data()), strict=True)]


def labels(figure: Any) -> list[str]:
    return [text.get_text() for text in figure.legends[0].get_texts()]


class TestProgress:
    def test_runs_are_marked_where_they_ended(self) -> None:
        optimizer = Optimizer({"x": (0.0, 1.0)}, design="lhd")
        for answer in ({"cost": 8.0}, {"capped": True}, {"cost": 0.5, "failed": True}, {"cost": 2.0}):
            trial = optimizer.ask()
            assert trial is not None
            optimizer.tell(trial, **answer)
        (axes,) = optimizer.result().plot().axes
        assert points(axes, FINISHED) == [(8.0, 8.0), (pytest.approx(20.9), 2.0)]
        assert points(axes, STOPPED) == [(pytest.approx(18.4), pytest.approx(10.4))]
        assert [x for x, _ in points(axes, FAILED)] == [pytest.approx(18.9)]

    def test_the_line_is_the_best_cost(self, one_number: Result) -> None:
        (axes,) = one_number.plot().axes
        assert [y for _, y in points(axes, "best cost so far")] == [4.0, 4.0, 4.0, 4.0, 2.0]

    def test_wide_costs_have_a_logarithmic_axis(self) -> None:
        narrow = make_result({"x": (0.0, 1.0)}, ({"x": 0.1}, 1.0, False), ({"x": 0.2}, 9.0, True))
        wide = make_result({"x": (0.0, 1.0)}, ({"x": 0.1}, 1.0, False), ({"x": 0.2}, 11.0, True))
        assert narrow.plot().axes[0].get_yscale() == "linear"
        assert wide.plot().axes[0].get_yscale() == "log"

    def test_a_bound_far_below_every_cost_does_not_stretch_the_axis(self) -> None:
        runs = [({"x": 0.1}, 4.0, False), ({"x": 0.2}, 2.0, True), ({"x": 0.3}, 0.001, True)]
        (axes,) = make_result({"x": (0.0, 1.0)}, *runs).plot().axes
        assert [y for _, y in points(axes, STOPPED)] == [2.0]
        assert axes.get_yscale() == "linear"

    def test_costs_below_zero_have_a_linear_axis(self) -> None:
        result = make_result(
            {"x": (0.0, 1.0)}, ({"x": 0.1}, -5.0, False), ({"x": 0.2}, 100.0, False), log=False
        )
        assert result.plot().axes[0].get_yscale() == "linear"

    def test_only_marks_that_occur_are_explained(self) -> None:
        result = make_result({"x": (0.0, 1.0)}, ({"x": 0.1}, 1.0, False))
        assert labels(result.plot()) == ["best cost so far", FINISHED]

    def test_it_can_be_drawn_before_a_run_has_finished(self) -> None:
        optimizer = Optimizer({"x": (0.0, 1.0)})
        optimizer.tell_run({"x": 0.5}, 3.0, capped=True)
        (axes,) = draw_progress(optimizer.runs).axes
        assert axes.get_title() == "Nothing has finished yet"

    def test_it_is_drawn_on_the_given_figure(self, one_number: Result) -> None:
        figure = pytest.importorskip("matplotlib.figure").Figure()
        assert one_number.plot(figure=figure) is figure

    def test_its_parts_do_not_overlap_wherever_it_is_drawn(self, one_number: Result) -> None:
        figure = pytest.importorskip("matplotlib.figure").Figure()
        one_number.plot(figure=figure)
        figure.draw_without_rendering()
        (legend,), (axes,) = figure.legends, figure.axes
        assert legend.get_window_extent().y1 <= axes.get_tightbbox().y0

    def test_without_matplotlib_the_error_says_what_to_install(
        self, one_number: Result, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real_import = builtins.__import__

        def without_matplotlib(name: str, *rest: Any) -> Any:
            if name.startswith("matplotlib"):
                raise ImportError(name)
            return real_import(name, *rest)

        monkeypatch.setattr(builtins, "__import__", without_matplotlib)
        with pytest.raises(ImportError, match=r'pip install "tightrope\[plot\]"'):
            one_number.plot()


class TestCurve:
    def test_each_config_is_marked_once_with_its_largest_bound(self, one_number: Result) -> None:
        above, _ = one_number.plot_belief().axes
        assert points(above, FINISHED) == [(0.2, 4.0), (0.4, 2.0)]
        assert points(above, STOPPED) == [(0.8, 9.0)]
        assert len(points(above, FAILED)) == 1

    def test_the_line_is_the_models_belief_on_the_scale_of_costs(self, one_number: Result) -> None:
        above, _ = one_number.plot_belief("x").axes
        drawn = np.array(points(above, "believed cost"))
        mean, _ = believe(one_number.options, one_number.history.runs)(drawn[:, :1])
        np.testing.assert_allclose(drawn[:, 1], np.exp(mean))

    def test_a_raw_model_is_drawn_as_it_is(self) -> None:
        result = make_result(
            {"x": (0.0, 1.0)}, ({"x": 0.1}, -5.0, False), ({"x": 0.9}, 5.0, False), log=False
        )
        above, _ = result.plot_belief().axes
        drawn = np.array(points(above, "believed cost"))
        mean, _ = believe(result.options, result.history.runs)(drawn[:, :1])
        np.testing.assert_allclose(drawn[:, 1], mean)

    def test_the_expected_improvement_is_below_and_not_negative(self, one_number: Result) -> None:
        _, below = one_number.plot_belief().axes
        gain = below.lines[0].get_ydata()
        assert min(gain) >= 0.0
        assert max(gain) > 0.0

    def test_choices_are_drawn_side_by_side_with_their_names(self, mixed: Result) -> None:
        above, below = mixed.plot_belief("kind").axes
        assert [tick.get_text() for tick in below.get_xticklabels()] == ["a", "b", "c"]
        assert points(above, FINISHED) == [(2.0, 6.0), (0.0, 4.0)]  # the one elsewhere first
        assert len(below.patches) == 3

    def test_configs_that_differ_elsewhere_are_faint(self, mixed: Result) -> None:
        above, _ = mixed.plot_belief("kind").axes
        alphas = [line.get_alpha() for line in above.lines if line.get_label() == FINISHED]
        assert alphas == [0.3, None]

    def test_integers_and_log_scales_have_their_own_axes(self, mixed: Result) -> None:
        assert mixed.plot_belief("n").axes[1].get_xticks().tolist() == list(range(1, 10))
        assert mixed.plot_belief("rate").axes[1].get_xscale() == "log"

    def test_where_a_parameter_is_inactive_there_is_no_prediction(self) -> None:
        space = ConfigurationSpace({"kind": ["a", "b"], "depth": (1, 9), "x": (0.0, 1.0)})
        space.add(EqualsCondition(space["depth"], space["kind"], "b"))
        result = make_result(
            space, ({"kind": "a", "x": 0.5}, 1.0, False), ({"kind": "b", "x": 0.5, "depth": 3}, 2.0, False)
        )
        with pytest.raises(SpaceError, match="'depth' cannot be varied"):
            result.plot_belief("depth")
        chart = result.plot_belief("depth", "kind").axes[0]
        shades = chart.collections[0].get_array()
        assert np.ma.getmaskarray(shades).reshape(2, 9).tolist() == [[True] * 9, [False] * 9]


class TestChart:
    def test_runs_are_marked_at_their_values(self, mixed: Result) -> None:
        axes = mixed.plot_belief("rate", "kind").axes[0]
        assert points(axes, FINISHED) == [(0.5, 2.0), (0.01, 0.0)]
        assert points(axes, STOPPED) == [(0.01, 1.0)]
        assert points(axes, "best") == [(0.01, 0.0)]

    def test_shades_are_the_models_belief(self, mixed: Result) -> None:
        axes = mixed.plot_belief("n", "kind").axes[0]
        space = mixed.options.space
        configs = [{**mixed.best, "n": n, "kind": kind} for kind in "abc" for n in range(1, 10)]
        mean, _ = believe(mixed.options, mixed.history.runs)(space.for_model(space.encode(configs)))
        np.testing.assert_allclose(np.ravel(axes.collections[0].get_array()), np.exp(mean))

    def test_two_ranges_are_drawn_with_contours(self) -> None:
        result = make_result(
            {"x": (0.0, 1.0), "rate": (1e-3, 1.0, "log")},
            ({"x": 0.2, "rate": 0.01}, 1.0, False),
            ({"x": 0.8, "rate": 0.5}, 30.0, False),
        )
        axes = result.plot_belief("rate", "x").axes[0]
        assert (axes.get_xscale(), axes.get_xlabel(), axes.get_ylabel()) == ("log", "rate", "x")
        assert len(axes.collections[0].levels) > 2

    def test_the_model_is_veiled_where_no_run_is_near(self) -> None:
        space = {"x": (0.0, 1.0), "y": (0.0, 1.0)}
        corner = [({"x": 0.1, "y": 0.1}, 1.0, False), ({"x": 0.2, "y": 0.2}, 2.0, False)]
        grid = [({"x": i / 4, "y": j / 4}, 1.0 + i + j, False) for i in range(5) for j in range(5)]
        for runs, is_veiled in ((corner, True), (grid, False)):
            axes = make_result(space, *runs).plot_belief("x", "y").axes[0]
            assert any(
                "//" in (each.hatches or ()) for each in axes.collections if hasattr(each, "hatches")
            ) is (is_veiled)


class TestChoiceOfParameters:
    def test_a_space_of_many_parameters_needs_names(self, mixed: Result) -> None:
        with pytest.raises(ValueError, match="not 3: name them; there are kind, n, rate"):
            mixed.plot_belief()

    def test_three_parameters_are_too_many(self, mixed: Result) -> None:
        with pytest.raises(ValueError, match="one or two parameters, not 3"):
            mixed.plot_belief("n", "rate", "kind")

    def test_an_unknown_parameter_is_refused_with_the_known_names(self, mixed: Result) -> None:
        with pytest.raises(SpaceError, match="no parameter 'y'; there are kind, n, rate"):
            mixed.plot_belief("y")

    def test_a_constant_is_refused(self, mixed: Result) -> None:
        with pytest.raises(SpaceError, match="constant"):
            mixed.plot_belief("threads")

    def test_the_same_parameter_twice_is_refused(self, mixed: Result) -> None:
        with pytest.raises(ValueError, match="'n' twice"):
            mixed.plot_belief("n", "n")
