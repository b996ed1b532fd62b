"""Scatter: the costs of two configs, instance by instance."""

from collections import defaultdict
from collections.abc import Iterable
from math import inf
from statistics import fmean
from typing import TYPE_CHECKING

from tightrope.figures.style import BLUE, GREY, ORANGE, legend_below, new_figure, tidy, use_plain_numbers
from tightrope.records import Config, Run, Status

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_VERY_WIDE = 1e4  # largest over smallest cost, above which there is room for powers of ten only


def draw_scatter(
    runs: Iterable[Run],
    one: tuple[str, Config],
    other: tuple[str, Config],
    *,
    ceiling: float = inf,
    figure: "Figure | None" = None,
) -> "Figure":
    """Draw the mean cost of two configs on each instance, on logarithmic axes.

    Points below the diagonal are instances on which the other config costs less. Triangles are instances that
    one of the two did not solve in every run: its cost is at least what is shown.

    Parameters
    ----------
    runs : iterable of Run
        Runs of both configs; others are ignored.
    one, other : (str, Config)
        Name and config on the horizontal and the vertical axis.
    ceiling : float, default=inf
        Largest cost: failures and timeouts are drawn there.
    figure : matplotlib.figure.Figure, optional
        Where to draw.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure = new_figure(figure, size=(5.4, 5.4))
    axes = figure.subplots()
    across, up = (_costs(runs, config, ceiling) for _, config in (one, other))
    shown = [(*across[name], *up[name]) for name in across if name in up]
    points = [(x, y, is_x and is_y) for x, is_x, y, is_y in shown if x > 0 and y > 0]
    for marker, color, label, is_solved in (
        ("o", BLUE, "solved by both", True),
        ("^", ORANGE, "not solved", False),
    ):
        chosen = [(x, y) for x, y, solved in points if solved is is_solved]
        if chosen:
            xs, ys = zip(*chosen, strict=True)
            axes.plot(xs, ys, marker, color=color, markersize=5, markerfacecolor="none", label=label)
    axes.set_xscale("log")
    axes.set_yscale("log")
    costs = [cost for x, y, _ in points for cost in (x, y)]
    if costs:
        ends = (0.8 * min(costs), 1.25 * max(costs))
        axes.plot(ends, ends, color=GREY, linewidth=1.2, zorder=0)
        axes.set(xlim=ends, ylim=ends, aspect="equal")
        if max(costs) < _VERY_WIDE * min(costs):
            use_plain_numbers(axes.xaxis)
            use_plain_numbers(axes.yaxis)
    n_better = sum(y < x for x, y, _ in points)
    axes.set(xlabel=f"cost of {one[0]}", ylabel=f"cost of {other[0]}")
    axes.set_title(f"{other[0]} costs less on {n_better} of {len(points)} instances")
    tidy(axes)
    legend_below(figure, axes)
    return figure


def _costs(runs: Iterable[Run], config: Config, ceiling: float) -> dict[str, tuple[float, bool]]:
    """Return the mean cost of a config on each instance, and whether every run was solved."""
    found: defaultdict[str, list[Run]] = defaultdict(list)
    for run in runs:
        if run.trial.config == config and run.outcome.status is not Status.LOST:
            found[run.trial.task.instance].append(run)
    return {
        instance: (
            fmean(min(run.outcome.cost, ceiling) for run in own),
            all(run.done and run.outcome.cost < ceiling for run in own),
        )
        for instance, own in found.items()
    }
