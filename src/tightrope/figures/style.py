"""The style of all plots: colours that colour-blind readers can distinguish, and the marks of runs."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from tightrope.records import Status

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure, FigureBase

INK, ORANGE, BLUE, GREEN, GREY = "#222222", "#d55e00", "#0072b2", "#007e5e", "#cdd3dc"

_HOLLOW = {"linestyle": "none", "markerfacecolor": "white", "markeredgewidth": 1.8, "zorder": 5}
_MARKS: dict[Status, dict[str, Any]] = {
    Status.DONE: {"marker": "o", "color": ORANGE, "label": "finished"},
    Status.CAPPED: {"marker": "^", "color": INK, "label": "stopped at its cap: costs at least this"},
    Status.FAILED: {"marker": "x", "color": INK, "label": "failed"},
    Status.LOST: {"marker": "+", "color": INK, "label": "lost"},
}
_SIZE, _SMALL_SIZE, _MANY = 7.0, 5.0, 80  # points; marks are smaller if there are many
_FAILED_HEIGHT = 0.03  # of the axes: a failed run has no cost
_WIDE = 10.0  # largest over smallest value, above which a logarithmic axis is easier to read
_VERY_WIDE = 1e4  # the same, above which there is room for powers of ten only


def new_figure(figure: "Figure | None", *, size: tuple[float, float]) -> "Figure":
    """Return the given figure, or a new one of this size in inches, with a layout that avoids overlaps."""
    if figure is not None:
        if figure.get_layout_engine() is None:
            figure.set_layout_engine("constrained")
        return figure
    try:
        from matplotlib.figure import Figure as MatplotlibFigure
    except ImportError as error:
        raise ImportError('plots need matplotlib: pip install "tightrope[plot]"') from error
    return MatplotlibFigure(figsize=size, layout="constrained")


def mark(axes: "Axes", status: Status, x: ArrayLike, y: ArrayLike | None = None, **changes: Any) -> None:
    """Draw a mark for each run with this status; without y (no cost), at the bottom of the plot."""
    x = np.asarray(x)
    if x.size == 0:
        return
    size = _SIZE if x.size < _MANY else _SMALL_SIZE
    looks = {**_HOLLOW, **_MARKS[status], "markersize": size, "clip_on": False, **changes}
    if y is None:
        y = np.full(x.shape, _FAILED_HEIGHT)
        looks["transform"] = axes.get_xaxis_transform()
    axes.plot(x, y, **looks)


def mark_best(axes: "Axes", x: float, y: float) -> None:
    """Draw a star at the best config."""
    looks: dict[str, Any] = {
        "markersize": 15,
        "color": ORANGE,
        "markeredgecolor": "white",
        "zorder": 6,
        "clip_on": False,
    }
    axes.plot([x], [y], marker="*", linestyle="none", label="best", **looks)


def needs_log_scale(values: ArrayLike) -> bool:
    """Whether values are positive and range so widely that a logarithmic axis is better."""
    values = np.asarray(values)
    return bool(values.size and values.min() > 0 and values.max() >= _WIDE * values.min())


def use_log_scale(axes: "Axes") -> None:
    """Make the axis of costs logarithmic, with readable numbers."""
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    if high < _VERY_WIDE * low:
        use_plain_numbers(axes.yaxis)


def use_plain_numbers(axis: "Axis") -> None:
    """Label a logarithmic axis with 1, 2, 5, 10, 20 and so on."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(FuncFormatter(lambda cost, _: f"{cost:g}"))
    axis.set_minor_formatter(NullFormatter())


def tidy(axes: "Axes") -> None:
    """Remove lines that carry no information."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(which="both", color=INK)


def legend_below(figure: "FigureBase", axes: "Axes", *, n_columns: int = 2) -> None:
    """Place the legend below the whole plot, where it hides nothing."""
    handles, labels = axes.get_legend_handles_labels()
    shown = dict(zip(labels, handles, strict=True))  # of equal labels the last, which is not faint
    looks: dict[str, Any] = {"ncols": n_columns, "frameon": False, "fontsize": "small"}
    figure.legend(list(shown.values()), list(shown), loc="outside lower center", **looks)
