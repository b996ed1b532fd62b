"""Picture of the time to quality over the number of workers."""

from collections.abc import Sequence
from math import inf
from pathlib import Path

from lib.tables import Row
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, StrMethodFormatter

from scaling.measure import LEVELS_S
from scaling.report import Floats, collect, median

_COLORS = ("#0072b2", "#e69f00", "#009e73")


def draw_times(rows: Sequence[Row], path: Path) -> None:
    """Draw the times of every tuning and a line through the medians; dashed lines show perfect speed-up."""
    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    axes = figure.subplots()
    for level, color in zip(LEVELS_S, _COLORS, strict=True):
        _draw_level(axes, collect(rows, f"time_{level:g}"), level=level, color=color)
    axes.set_xscale("log", base=4)
    axes.set_yscale("log")
    axes.set_xticks(list(collect(rows, "idle_share")))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.set_xlabel("workers")
    axes.set_ylabel("simulated seconds until the incumbent is this good")
    axes.grid(color="#eeeeee")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(title="mean cost on the\ntraining instances", frameon=False)
    figure.savefig(path, dpi=110)


def _draw_level(axes: object, times: dict[int, Floats], *, level: float, color: str) -> None:
    workers = list(times)
    medians = [median(times[n]) for n in workers]
    first = medians[0]
    axes.plot(workers, medians, color=color, label=f"at most {level:g} s")
    for n, found in times.items():
        axes.plot([n] * len(found), found, "o", color=color, markersize=3.5, alpha=0.5)
    if first < inf:
        axes.plot(workers, [first / n for n in workers], color=color, linewidth=0.8, linestyle="--")
