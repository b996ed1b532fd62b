"""Chart: a model's belief over two parameters, as a contour plot."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tightrope.figures.axis import label_axis, mark_on_chart
from tightrope.figures.slice import (
    EvaluatedConfig,
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
from tightrope.space.column import Column

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

_N_POINTS = 81  # along each side
_N_SHADES = 12
_FAR = 0.2  # of the length of an axis, to the nearest run


def draw_chart(
    plan: Plan, runs: Sequence[Run], across: str, up: str, *, figure: "Figure | None" = None
) -> "Figure":
    """Draw the predicted cost over two parameters, darker where it is lower, with the runs.

    Circles are finished runs, triangles stopped ones, crosses failed ones. Over two ranges, the colour is
    pale and hatched where no run is near and the model knows nothing. Positive costs have a logarithmic
    colour scale. Other parameters of the space have the values of the best config; configs that differ there
    are faint.

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
    evaluated = evaluated_configs(runs, varied=[across, up])
    if not in_cells:
        _veil(axes, xs, ys, _distance(evaluated, x, y, mesh_x, mesh_y) > _FAR)
    bar = figure.colorbar(shades, ax=axes, label="believed cost", format="%.3g")
    if needs_log_scale(shades.get_clim()):
        use_plain_numbers(bar.ax.yaxis)
    label_axis(axes, "x", x)
    label_axis(axes, "y", y)
    mark_on_chart(axes, evaluated, x, y)
    axes.set_title(f"Belief over {across} and {up}{rest_of_title(plan.space, n_varied=2)}")
    legend_below(figure, axes, n_columns=3)
    return figure


def _shade(axes: "Axes", xs: Floats, ys: Floats, cost: Floats, *, in_cells: bool) -> "ScalarMappable":
    """Fill between contours or, for discrete values, cell by cell."""
    from matplotlib.colors import LogNorm, Normalize

    known = cost[np.isfinite(cost)]
    is_log = bool(known.min() > 0 and known.max() > known.min())
    norm = (LogNorm if is_log else Normalize)(known.min(), known.max())
    if in_cells or known.min() == known.max():
        return axes.pcolormesh(xs, ys, cost, norm=norm, cmap="cividis", shading="nearest")
    space = np.geomspace if is_log else np.linspace
    levels = space(known.min(), known.max(), _N_SHADES + 1)
    return axes.contourf(xs, ys, np.ma.masked_invalid(cost), levels=levels, norm=norm, cmap="cividis")


def _distance(
    evaluated: Sequence[EvaluatedConfig], x: Column, y: Column, mesh_x: Floats, mesh_y: Floats
) -> Floats:
    """Return how far each point is from the nearest evaluated config, as a share of the axes."""
    nearest = np.full(mesh_x.shape, np.inf)
    across, up = _share(x, mesh_x), _share(y, mesh_y)
    for one in evaluated:
        dx = across - _share(x, x.code(one.config[x.name]))
        dy = up - _share(y, y.code(one.config[y.name]))
        nearest = np.minimum(nearest, np.hypot(dx, dy))
    return nearest


def _share(column: Column, codes: ArrayLike) -> Floats:
    """Return where values lie between the ends of a parameter, 0 and 1."""
    values = np.asarray(codes, dtype=np.float64)
    if column.is_log:
        low, high = np.log(column.lower), np.log(column.upper)
        return np.asarray((np.log(values) - low) / (high - low))
    return np.asarray((values - column.lower) / (column.upper - column.lower))


def _veil(axes: "Axes", xs: Floats, ys: Floats, unknown: NDArray[np.bool_]) -> None:
    """Cover what the model does not know."""
    if unknown.any():
        axes.contourf(
            xs,
            ys,
            unknown.astype(float),
            levels=[0.5, 1.5],
            colors=[(1.0, 1.0, 1.0, 0.6)],
            hatches=["//"],
        )
