"""Belief: a curve over one parameter or a chart of two, whichever the space has."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tightrope.figures.chart import draw_chart
from tightrope.figures.curve import draw_curve
from tightrope.figures.slice import varying
from tightrope.records import Run
from tightrope.search.options import Options as Plan

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_belief(
    plan: Plan, runs: Sequence[Run], *parameters: str, figure: "Figure | None" = None
) -> "Figure":
    """Draw what the model believes: `draw_curve` for one parameter, `draw_chart` for two.

    Without names, these are all parameters of the space, of which there may then be no more than two.
    """
    names = list(parameters) or varying(plan.space)
    if len(names) == 1:
        return draw_curve(plan, runs, names[0], figure=figure)
    if len(names) == 2:
        return draw_chart(plan, runs, names[0], names[1], figure=figure)
    hint = f"; there are {', '.join(names)}" if not parameters else ""
    raise ValueError(f"a belief is drawn over one or two parameters, not {len(names)}: name them{hint}")
