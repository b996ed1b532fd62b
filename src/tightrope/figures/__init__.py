"""Plots of runs as matplotlib figures, one function per plot (extra `plot`).

Each function draws on the given figure, or on a new one that pyplot does not manage, and returns it:
`figure.savefig("progress.png")`. To show a plot in a window, pass a figure of pyplot:
`draw_progress(runs, figure=plt.figure())` and `plt.show()`.
"""

from tightrope.figures.belief import draw_belief
from tightrope.figures.chart import draw_chart
from tightrope.figures.curve import draw_curve
from tightrope.figures.progress import draw_progress
from tightrope.figures.scatter import draw_scatter
from tightrope.figures.trajectory import draw_trajectory

__all__ = ["draw_belief", "draw_chart", "draw_curve", "draw_progress", "draw_scatter", "draw_trajectory"]
