"""Axes of parameters, and the marks of evaluated configs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tightrope.figures.slice import EvaluatedConfig, is_discrete
from tightrope.figures.style import mark, mark_best
from tightrope.records import Status
from tightrope.space.column import Column

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FAINT = 0.3
_MOST_LETTERS = 60  # that fit side by side below a plot
_SLANTED: dict[str, Any] = {"rotation": 20, "ha": "right", "rotation_mode": "anchor"}


def label_axis(axes: "Axes", which: str, column: Column) -> None:
    """Set scale, limits, ticks and label of the x or the y axis for a parameter."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    if column.is_log and not is_discrete(column):
        axes.set(**{f"{which}scale": "log"})
    if column.levels is not None:
        places = np.arange(len(column.levels))
        names = [str(level) for level in column.levels]
        is_tight = which == "x" and sum(map(len, names)) > _MOST_LETTERS
        axis.set_ticks(places, names, **(_SLANTED if is_tight else {}))
    elif is_discrete(column):
        axis.set_ticks(np.arange(column.lower, column.upper + 1.0))
    margin = 0.5 if is_discrete(column) else 0.0
    axes.set(**{f"{which}lim": (column.lower - margin, column.upper + margin), f"{which}label": column.name})


def mark_on_curve(axes: "Axes", evaluated: Sequence[EvaluatedConfig], column: Column) -> None:
    """Mark configs at their value of one parameter and their cost."""
    for chosen, changes in _by_slice(evaluated):
        for status in Status:
            group = [one for one in chosen if one.status is status]
            values = [column.code(one.config[column.name]) for one in group]
            costs = None if status is Status.FAILED else [one.cost for one in group]
            mark(axes, status, values, costs, **changes)


def mark_on_chart(axes: "Axes", evaluated: Sequence[EvaluatedConfig], x: Column, y: Column) -> None:
    """Mark configs at their values of two parameters."""
    for chosen, changes in _by_slice(evaluated):
        for status in Status:
            group = [one for one in chosen if one.status is status]
            xs = [x.code(one.config[x.name]) for one in group]
            ys = [y.code(one.config[y.name]) for one in group]
            mark(axes, status, xs, ys, **changes)
    best = min((one for one in evaluated if one.status is Status.DONE), key=lambda one: one.cost)
    mark_best(axes, x.code(best.config[x.name]), y.code(best.config[y.name]))


def _by_slice(evaluated: Sequence[EvaluatedConfig]) -> list[tuple[list[EvaluatedConfig], dict[str, Any]]]:
    """Split into configs off the slice, which are drawn faintly, and configs on it."""
    on_slice = [one for one in evaluated if one.is_on_slice]
    off_slice = [one for one in evaluated if not one.is_on_slice]
    return [(off_slice, {"alpha": _FAINT, "zorder": 4}), (on_slice, {})]
