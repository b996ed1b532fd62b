"""Progress: the best cost over the total spent, with every run."""

from collections.abc import Sequence
from math import inf, isfinite
from typing import TYPE_CHECKING

from tightrope.figures.style import (
    BLUE,
    legend_below,
    mark,
    needs_log_scale,
    new_figure,
    tidy,
    use_log_scale,
)
from tightrope.records import Run, Status
from tightrope.search.replay import best_costs

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_SMALLEST_BOUND = 0.2  # of the smallest cost


def draw_progress(runs: Sequence[Run], *, figure: "Figure | None" = None) -> "Figure":
    """Draw the best cost so far (a line) over the total spent, and every run at its end.

    Circles are costs. Triangles are stopped runs, whose cost lies somewhere above; those stopped far below
    every cost, such as the last one when the budget ran out, say nothing and are left out. Crosses at the
    bottom are failures. The cost has a logarithmic axis if it ranges over a factor of ten or more.

    Parameters
    ----------
    runs : sequence of Run
        In the order in which they ended.
    figure : matplotlib.figure.Figure, optional
        Figure to draw on.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from tightrope import Optimizer
    >>> optimizer = Optimizer({"n": (1, 9)})
    >>> optimizer.tell_run({"n": 3}, 7.5)
    True
    >>> draw_progress(optimizer.runs).axes[0].get_ylabel()
    'cost'
    """
    figure = new_figure(figure, size=(7.0, 4.4))
    axes = figure.subplots()
    spent, best = best_costs(runs)
    _draw_best(axes, spent, best)
    floor = _floor(runs)
    for status in (Status.DONE, Status.CAPPED):
        ended = [
            (x, run.outcome.cost)
            for x, run in zip(spent, runs, strict=True)
            if run.outcome.status is status and run.outcome.cost >= floor
        ]
        mark(axes, status, [x for x, _ in ended], [cost for _, cost in ended])
    mark(
        axes,
        Status.FAILED,
        [x for x, run in zip(spent, runs, strict=True) if run.outcome.status is Status.FAILED],
    )
    axes.margins(x=0.03, y=0.1)
    costs = [run.outcome.cost for run in runs if run.done or run.censored]
    if needs_log_scale([cost for cost in costs if cost >= floor]):
        use_log_scale(axes)
    axes.set(xlabel="spent so far (sum of costs)", ylabel="cost", title=_title(spent, best))
    tidy(axes)
    legend_below(figure, axes)
    return figure


def _draw_best(axes: "Axes", spent: Sequence[float], best: Sequence[float]) -> None:
    known = [(x, y) for x, y in zip(spent, best, strict=True) if isfinite(y)]
    if known:
        xs, ys = zip(*known, strict=True)
        axes.step(xs, ys, where="post", color=BLUE, linewidth=2.2, label="best cost so far")


def _floor(runs: Sequence[Run]) -> float:
    """Return the smallest bound that is drawn: a fraction of the smallest cost, if that is positive."""
    smallest = min((run.outcome.cost for run in runs if run.done), default=-inf)
    return _SMALLEST_BOUND * smallest if smallest > 0 else -inf


def _title(spent: Sequence[float], best: Sequence[float]) -> str:
    if not best or not isfinite(best[-1]):
        return "Nothing has finished yet"
    return f"Best cost {_round(best[-1])} after {_round(spent[-1])} spent in {len(spent)} runs"


def _round(cost: float) -> str:
    """Write a number with four digits and, up to a million, without an exponent."""
    return f"{float(f'{cost:.4g}'):,g}"
