"""One function per picture: from runs to a matplotlib figure (extra `plot`).

Each draws on the figure that it is given, else on a new one that pyplot does not know of, and returns it:
`figure.savefig("progress.png")`. To see it in a window, draw on one of pyplot's:
`draw_progress(runs, figure=plt.figure())` and `plt.show()`.
"""

from tightrope.figures.belief import draw_belief
from tightrope.figures.chart import draw_chart
from tightrope.figures.curve import draw_curve
from tightrope.figures.progress import draw_progress
from tightrope.figures.trajectory import draw_trajectory

__all__ = ["draw_belief", "draw_chart", "draw_curve", "draw_progress", "draw_trajectory"]
