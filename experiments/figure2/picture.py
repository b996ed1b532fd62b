"""Picture of error and log likelihood against the slack, with a column for each data set."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from lib.tables import Row
from lib.treatments.fitting import TREATMENTS
from lib.treatments.summary import collect, median
from matplotlib.figure import Figure

MEASURES = {"rmse": "RMSE of log10 cost", "log_likelihood": "mean log likelihood"}
TITLES = {
    "synthetic-20": "Generated runtimes\n20 instances",
    "spear-20": "SPEAR-SWV\n20 instances",
    "spear-100": "SPEAR-SWV\n100 instances",
    "clasp-120": "clasp, ASP-POTASSCO\n120 instances",
}
LABELS = {
    "sample": "sample (Algorithm 1)",
    "mean": "mean (Schmee & Hahn)",
    "drop": "drop censored runs",
    "ignore": "take bounds as values",
}
_STYLES = {
    "sample": ("#0072b2", "o-"),
    "mean": ("#56b4e9", "s--"),
    "drop": ("#d55e00", "^-."),
    "ignore": ("#444444", "x:"),
}
_LIKELIHOODS = (0.0, -0.5, -1.0, -2.0, -5.0, -10.0, -20.0)
_DODGE = 0.07  # distance between the intervals of the four treatments


def draw_treatments(rows: Sequence[Row], path: Path) -> None:
    """Draw medians and their 95 % intervals."""
    names = [name for name in TITLES if any(row["data"] == name for row in rows)]
    size = (1.0 + 2.75 * len(names), 6.2)
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(2, len(names), sharex="col", squeeze=False)
    for column, name in zip(grid.T, names, strict=True):
        chosen = [row for row in rows if row["data"] == name]
        for axes, measure in zip(column, MEASURES, strict=True):
            _draw_lines(axes, chosen, measure=measure)
        column[0].set_title(TITLES[name], fontsize=10)
        _label_slacks(column[1], chosen)
    for axes, label in zip(grid[:, 0], MEASURES.values(), strict=True):
        axes.set_ylabel(label)
    for axes in grid[0]:
        axes.set_ylim(bottom=0.0)
    for axes in grid[1]:
        _scale_likelihoods(axes)
    figure.supxlabel("slack, and share of train runs that are censored", fontsize=10)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncol=4, frameon=False)
    figure.savefig(path, dpi=88)


def _draw_lines(axes: Any, rows: Sequence[Row], *, measure: str) -> None:
    values = collect(rows, by=("treatment", "slack"), measure=measure)
    slacks = _slacks(rows)
    for i, treatment in enumerate(TREATMENTS):
        medians = [median(values[treatment, slack]) for slack in slacks]
        centre = np.array([m.value for m in medians])
        around = np.abs(np.array([[m.low for m in medians], [m.high for m in medians]]) - centre)
        colour, style = _STYLES[treatment]
        at = np.arange(len(slacks)) + (i - 1.5) * _DODGE
        axes.errorbar(
            at,
            centre,
            yerr=around,
            fmt=style,
            color=colour,
            markersize=5,
            linewidth=1.5,
            elinewidth=1.0,
            label=LABELS[treatment],
        )
    axes.grid(axis="y", color="#e3e3e3", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)


def _scale_likelihoods(axes: Any) -> None:
    """Set a scale that shows small differences near zero and large ones far below it."""
    low, high = axes.dataLim.intervaly
    axes.set_yscale("symlog", linthresh=1.0)
    axes.set_ylim(1.25 * min(low, -1.0), max(high, 0.0) + 0.1)
    ticks = [tick for tick in _LIKELIHOODS if tick > 1.2 * min(low, -1.0)]
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()


def _label_slacks(axes: Any, rows: Sequence[Row]) -> None:
    shares = collect(rows, by=("slack",), measure="censored")
    slacks = _slacks(rows)
    names = ["none" if slack == "inf" else f"{float(slack):g}" for slack in slacks]
    labels = [f"{name}\n{np.median(shares[slack,]):.0%}" for name, slack in zip(names, slacks, strict=True)]
    axes.set_xticks(range(len(slacks)), labels, fontsize=8)


def _slacks(rows: Sequence[Row]) -> list[str]:
    return sorted({row["slack"] for row in rows}, key=float)
