"""Curve: a model's belief along one parameter, and the expected improvement."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tightrope.figures.axis import label_axis, mark_on_curve
from tightrope.figures.slice import (
    Floats,
    Slice,
    column_of,
    evaluated_configs,
    grid_of,
    is_discrete,
    predict_slice,
    rest_of_title,
)
from tightrope.figures.style import (
    BLUE,
    GREEN,
    GREY,
    legend_below,
    needs_log_scale,
    new_figure,
    tidy,
    use_log_scale,
)
from tightrope.records import Run
from tightrope.search.options import Options as Plan

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_N_POINTS = 401


def draw_curve(
    plan: Plan, runs: Sequence[Run], parameter: str, *, figure: "Figure | None" = None
) -> "Figure":
    """Draw the belief along one parameter over the runs, and below it the expected improvement.

    Each config has one mark: a circle at its cost, a triangle at its lower bound, or a cross at the bottom if
    it failed. Other parameters of the space have the values of the best config; configs that differ there are
    faint.

    Parameters
    ----------
    plan : Plan
        Its model is fitted to the runs.
    runs : sequence of Run
        At least one of them must have finished.
    parameter : str
        The parameter to vary; choices are drawn side by side.
    figure : matplotlib.figure.Figure, optional
        Figure to draw on.

    Returns
    -------
    matplotlib.figure.Figure
    """
    column = column_of(plan.space, parameter)
    grid = grid_of(column, n=_N_POINTS)
    belief = predict_slice(plan, runs, {parameter: grid})
    figure = new_figure(figure, size=(7.0, 5.2))
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3.2, 1.0))
    draw = _draw_points if is_discrete(column) else _draw_lines
    draw(above, below, grid, belief)
    mark_on_curve(above, evaluated_configs(runs, varied=[parameter]), column)
    if needs_log_scale(above.dataLim.intervaly):
        use_log_scale(above)
    label_axis(below, "x", column)
    above.set(ylabel="cost", title=f"Belief along {parameter}{rest_of_title(plan.space, n_varied=1)}")
    below.set(ylabel="expected\nimprovement")
    below.set_ylim(bottom=0.0)
    for axes in (above, below):
        tidy(axes)
    legend_below(figure, above)
    return figure


def _draw_lines(above: "Axes", below: "Axes", grid: Floats, belief: Slice) -> None:
    label = "mean ± standard deviation"
    above.fill_between(grid, belief.low, belief.high, color=GREY, linewidth=0, label=label)
    above.plot(grid, belief.mean, ":", color=BLUE, linewidth=2.4, label="believed cost")
    below.fill_between(grid, belief.gain, color=GREEN, alpha=0.25, linewidth=0)
    below.plot(grid, belief.gain, color=GREEN, linewidth=1.6)


def _draw_points(above: "Axes", below: "Axes", grid: Floats, belief: Slice) -> None:
    arms = np.vstack([belief.mean - belief.low, belief.high - belief.mean])
    above.errorbar(
        grid,
        belief.mean,
        yerr=arms,
        fmt="_",
        color=BLUE,
        ecolor=GREY,
        elinewidth=14,
        markersize=16,
        markeredgewidth=2.4,
        label="believed cost ± standard deviation",
    )
    below.bar(grid, belief.gain, color=GREEN, width=0.5)
