"""Trajectory: the cost of the incumbent over the cost spent."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tightrope.figures.style import BLUE, needs_log_scale, new_figure, tidy, use_log_scale
from tightrope.records import Incumbent

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_trajectory(
    trajectory: Sequence[Incumbent], *, spent: float, figure: "Figure | None" = None
) -> "Figure":
    """Draw the mean cost of each incumbent, as it was at its promotion, over the cost spent.

    A triangle marks a lower bound: some runs of that incumbent were stopped below the ceiling.

    Parameters
    ----------
    trajectory : sequence of Incumbent
        In the order of promotion, as in `Result.trajectory`.
    spent : float
        What was spent in all: where the last step ends.
    figure : matplotlib.figure.Figure, optional
        Where to draw.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from tightrope.records import Config
    >>> first = Incumbent(Config({"x": 1}), 8.0, 4, spent=10.0)
    >>> draw_trajectory([first], spent=50.0).axes[0].get_title()
    '1 promotion, final cost 8'
    """
    figure = new_figure(figure, size=(7.0, 4.4))
    axes = figure.subplots()
    if trajectory:
        costs = [each.cost for each in trajectory]
        xs = [each.spent for each in trajectory]
        axes.step([*xs, max(spent, xs[-1])], [*costs, costs[-1]], where="post", color=BLUE, linewidth=2.2)
        for marker, is_bound in (("o", False), ("^", True)):
            shown = [each for each in trajectory if each.is_bound is is_bound]
            axes.plot([each.spent for each in shown], [each.cost for each in shown], marker, color=BLUE)
        if needs_log_scale(costs):
            use_log_scale(axes)
    n = len(trajectory)
    promotions = "1 promotion" if n == 1 else f"{n} promotions"
    final = f", final cost {trajectory[-1].cost:.4g}" if trajectory else ": the default is still the best"
    axes.set(xlabel="spent so far (sum of costs)", ylabel="mean cost of the incumbent")
    axes.set_title(f"{promotions}{final}")
    axes.margins(x=0.03, y=0.1)
    tidy(axes)
    return figure
