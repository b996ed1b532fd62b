"""Chart: what a model believes over two parameters, seen from above."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tightrope.figures.axis import label_axis, mark_on_chart
from tightrope.figures.slice import (
    Floats,
    believe_slice,
    column_of,
    evaluated,
    grid_of,
    is_discrete,
    varying,
)
from tightrope.figures.style import is_wide, legend_below, new_figure, number_plainly
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
    """Draw the believed cost over two parameters, darker where it is lower, with the runs.

    Circles finished, triangles were stopped, crosses failed. If the space has further parameters, they are as
    in the best config, and configs that differ there are faint.

    Parameters
    ----------
    plan : Plan
        Whose model is fitted to the runs.
    runs : sequence of Run
        At least one of them finished.
    across, up : str
        The two parameters that are varied.
    figure : matplotlib.figure.Figure, optional
        Where to draw.

    Returns
    -------
    matplotlib.figure.Figure
    """
    x, y = column_of(plan.space, across), column_of(plan.space, up)
    if x == y:
        raise ValueError(f"two different parameters are needed, not {across!r} twice")
    xs, ys = grid_of(x, n=_N_POINTS), grid_of(y, n=_N_POINTS)
    mesh_x, mesh_y = np.meshgrid(xs, ys)
    belief = believe_slice(plan, runs, {across: mesh_x.ravel(), up: mesh_y.ravel()})
    figure = new_figure(figure, size=(6.6, 5.6))
    axes = figure.subplots()
    in_cells = is_discrete(x) or is_discrete(y)
    shades = _shade(axes, xs, ys, belief.mean.reshape(mesh_x.shape), in_cells=in_cells)
    bar = figure.colorbar(shades, ax=axes, label="believed cost", format="%.3g")
    if is_wide(shades.get_clim()):
        number_plainly(bar.ax.yaxis)
    label_axis(axes, "x", x)
    label_axis(axes, "y", y)
    mark_on_chart(axes, evaluated(runs, varied=[across, up]), x, y)
    others = len(varying(plan.space)) > 2
    axes.set_title(f"Belief over {across} and {up}" + (", the rest as in the best config" if others else ""))
    legend_below(figure, axes, n_columns=3)
    return figure


def _shade(axes: "Axes", xs: Floats, ys: Floats, cost: Floats, *, in_cells: bool) -> "ScalarMappable":
    """Fill between contours or, where values stand alone, cell by cell."""
    from matplotlib.colors import LogNorm, Normalize

    known = cost[np.isfinite(cost)]
    wide = is_wide(known)
    norm = (LogNorm if wide else Normalize)(known.min(), known.max())
    if in_cells or known.min() == known.max():
        return axes.pcolormesh(xs, ys, cost, norm=norm, cmap="cividis", shading="nearest")
    space = np.geomspace if wide else np.linspace
    levels = space(known.min(), known.max(), _N_SHADES + 1)
    return axes.contourf(xs, ys, np.ma.masked_invalid(cost), levels=levels, norm=norm, cmap="cividis")
