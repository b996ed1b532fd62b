"""An axis on which a parameter's values are laid out, and the runs at their places."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tightrope.figures.slice import Evaluated, is_discrete
from tightrope.figures.style import mark, mark_best
from tightrope.records import Status
from tightrope.space.column import Column

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FAINT = 0.3
_ROOM = 60  # letters that fit side by side below a picture
_SLANTED: dict[str, Any] = {"rotation": 20, "ha": "right", "rotation_mode": "anchor"}


def label_axis(axes: "Axes", which: str, column: Column) -> None:
    """Set scale, limits, ticks and name of the x or the y axis for a parameter."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    if column.is_log and not is_discrete(column):
        axes.set(**{f"{which}scale": "log"})
    if column.levels is not None:
        places = np.arange(len(column.levels))
        names = [str(level) for level in column.levels]
        is_tight = which == "x" and sum(map(len, names)) > _ROOM
        axis.set_ticks(places, names, **(_SLANTED if is_tight else {}))
    elif is_discrete(column):
        axis.set_ticks(np.arange(column.lower, column.upper + 1.0))
    margin = 0.5 if is_discrete(column) else 0.0
    axes.set(**{f"{which}lim": (column.lower - margin, column.upper + margin), f"{which}label": column.name})


def mark_on_curve(axes: "Axes", runs: Sequence[Evaluated], column: Column) -> None:
    """Mark configs at their value of one parameter and their cost."""
    for chosen, changes in _near_and_far(runs):
        for status in Status:
            group = [run for run in chosen if run.status is status]
            places = [column.code(run.config[column.name]) for run in group]
            costs = None if status is Status.FAILED else [run.cost for run in group]
            mark(axes, status, places, costs, **changes)


def mark_on_chart(axes: "Axes", runs: Sequence[Evaluated], x: Column, y: Column) -> None:
    """Mark configs at their values of two parameters."""
    for chosen, changes in _near_and_far(runs):
        for status in Status:
            group = [run for run in chosen if run.status is status]
            xs = [x.code(run.config[x.name]) for run in group]
            ys = [y.code(run.config[y.name]) for run in group]
            mark(axes, status, xs, ys, **changes)
    best = min((run for run in runs if run.status is Status.DONE), key=lambda run: run.cost)
    mark_best(axes, x.code(best.config[x.name]), y.code(best.config[y.name]))


def _near_and_far(runs: Sequence[Evaluated]) -> list[tuple[list[Evaluated], dict[str, Any]]]:
    """Split into those on the slice, and those elsewhere, which are drawn faintly."""
    near = [run for run in runs if run.is_on_slice]
    far = [run for run in runs if not run.is_on_slice]
    return [(far, {"alpha": _FAINT, "zorder": 4}), (near, {})]
