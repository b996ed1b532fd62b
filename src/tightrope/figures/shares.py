"""Shares: how much of the variation of costs each parameter explains."""

from typing import TYPE_CHECKING, Any

from tightrope.figures.style import BLUE, GREY, ORANGE, legend_below, new_figure, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROW_INCHES, _MARGIN_INCHES = 0.32, 1.7


def draw_importance(table: Any, *, most: int = 15, figure: "Figure | None" = None) -> "Figure":
    """Draw the shares of parameters and of pairs, with one standard deviation over the trees.

    Parameters
    ----------
    table : pandas.DataFrame
        What `tightrope.importance` returns.
    most : int, default=15
        Parameters to draw, those with the largest shares; of pairs, a third as many.
    figure : matplotlib.figure.Figure, optional
        Where to draw.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> import pandas
    >>> rows = {"parameter": ["x", "y", "x"], "partner": ["", "", "y"], "share": [0.7, 0.1, 0.1],
    ...         "spread": [0.1, 0.1, 0.1], "local": [0.9, 0.1, None], "local_spread": [0.1, 0.1, None]}
    >>> draw_importance(pandas.DataFrame(rows)).axes[0].get_title()
    'x explains 70 % of the variation by itself'
    """
    single = table[table["partner"] == ""].head(most)
    pairs = table[table["partner"] != ""].head(max(1, most // 3))
    names = [*single["parameter"], *(pairs["parameter"] + " x " + pairs["partner"])]
    figure = new_figure(figure, size=(7.0, _MARGIN_INCHES + _ROW_INCHES * len(names)))
    axes = figure.subplots()
    rows, last = range(len(single)), range(len(single), len(names))
    _bars(axes, rows, single, "share", "spread", color=BLUE, label="among all configs", shift=-0.14)
    _bars(axes, rows, single, "local", "local_spread", color=ORANGE, label="near the best config", shift=0.14)
    _bars(axes, last, pairs, "share", "spread", color=BLUE, label="among all configs", shift=0.0)
    if len(pairs):
        axes.axhline(len(single) - 0.5, color=GREY, linewidth=1.2)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(left=0.0)
    axes.set_xlabel("share of the variance, %")
    if len(single):
        first = single.iloc[0]
        axes.set_title(
            f"{first['parameter']} explains {100 * first['share']:.0f} % of the variation by itself"
        )
    tidy(axes)
    legend_below(figure, axes)
    return figure


def _bars(
    axes: "Axes", rows: range, part: Any, value: str, spread: str, *, color: str, label: str, shift: float
) -> None:
    """Draw a point and a line for each row; lines end at 0."""
    if not len(part):
        return
    share, reach = 100 * part[value].to_numpy(dtype=float), 100 * part[spread].to_numpy(dtype=float)
    places = [row + shift for row in rows]
    ends = [[min(a, b) for a, b in zip(share, reach, strict=True)], list(reach)]
    axes.errorbar(share, places, xerr=ends, fmt="o", markersize=5, color=color, label=label)
