"""Belief: the model's prediction over one or two parameters."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tightrope.figures.chart import draw_chart
from tightrope.figures.curve import draw_curve
from tightrope.figures.slice import variable_names
from tightrope.records import Run
from tightrope.search.options import Options as Plan

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_belief(
    plan: Plan, runs: Sequence[Run], *parameters: str, figure: "Figure | None" = None
) -> "Figure":
    """Draw the model's belief: `draw_curve` for one parameter, `draw_chart` for two.

    The default is all parameters of the space; there must then be at most two.
    """
    names = list(parameters) or variable_names(plan.space)
    if len(names) == 1:
        return draw_curve(plan, runs, names[0], figure=figure)
    if len(names) == 2:
        return draw_chart(plan, runs, names[0], names[1], figure=figure)
    hint = f"; there are {', '.join(names)}" if not parameters else ""
    raise ValueError(f"a belief can be drawn over one or two parameters, not {len(names)}: name them{hint}")
