"""Chart: a model's belief over two parameters, as a contour plot."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tightrope.figures.axis import label_axis, mark_on_chart
from tightrope.figures.slice import (
    Floats,
    column_of,
    evaluated_configs,
    grid_of,
    is_discrete,
    predict_slice,
    rest_of_title,
)
from tightrope.figures.style import legend_below, needs_log_scale, new_figure, use_plain_numbers
from tightrope.records import Run
from tightrope.search.options import Options as Plan

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

_N_POINTS = 81  # along each side
_N_SHADES = 12


def draw_chart(
    plan: Plan, runs: Sequence[Run], across: str, up: str, *, figure: "Figure | None" = None
) -> "Figure":
    """Draw the predicted cost over two parameters, darker where it is lower, with the runs.

    Circles are finished runs, triangles stopped ones, crosses failed ones. Other parameters of the space have
    the values of the best config; configs that differ there are faint.

    Parameters
    ----------
    plan : Plan
        Its model is fitted to the runs.
    runs : sequence of Run
        At least one of them must have finished.
    across, up : str
        The two parameters that are varied.
    figure : matplotlib.figure.Figure, optional
        Figure to draw on.

    Returns
    -------
    matplotlib.figure.Figure
    """
    x, y = column_of(plan.space, across), column_of(plan.space, up)
    if x == y:
        raise ValueError(f"give two different parameters, not {across!r} twice")
    xs, ys = grid_of(x, n=_N_POINTS), grid_of(y, n=_N_POINTS)
    mesh_x, mesh_y = np.meshgrid(xs, ys)
    belief = predict_slice(plan, runs, {across: mesh_x.ravel(), up: mesh_y.ravel()})
    figure = new_figure(figure, size=(6.6, 5.6))
    axes = figure.subplots()
    in_cells = is_discrete(x) or is_discrete(y)
    shades = _shade(axes, xs, ys, belief.mean.reshape(mesh_x.shape), in_cells=in_cells)
    bar = figure.colorbar(shades, ax=axes, label="believed cost", format="%.3g")
    if needs_log_scale(shades.get_clim()):
        use_plain_numbers(bar.ax.yaxis)
    label_axis(axes, "x", x)
    label_axis(axes, "y", y)
    mark_on_chart(axes, evaluated_configs(runs, varied=[across, up]), x, y)
    axes.set_title(f"Belief over {across} and {up}{rest_of_title(plan.space, n_varied=2)}")
    legend_below(figure, axes, n_columns=3)
    return figure


def _shade(axes: "Axes", xs: Floats, ys: Floats, cost: Floats, *, in_cells: bool) -> "ScalarMappable":
    """Fill between contours or, for discrete values, cell by cell."""
    from matplotlib.colors import LogNorm, Normalize

    known = cost[np.isfinite(cost)]
    is_log = needs_log_scale(known)
    norm = (LogNorm if is_log else Normalize)(known.min(), known.max())
    if in_cells or known.min() == known.max():
        return axes.pcolormesh(xs, ys, cost, norm=norm, cmap="cividis", shading="nearest")
    space = np.geomspace if is_log else np.linspace
    levels = space(known.min(), known.max(), _N_SHADES + 1)
    return axes.contourf(xs, ys, np.ma.masked_invalid(cost), levels=levels, norm=norm, cmap="cividis")
