"""Picture of each arm's cost to succeed, with a panel for each problem."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from lib.tables import Row
from matplotlib.figure import Figure

from black_box.measure import TOLERANCES
from black_box.report import BASE
from black_box.summary import Attempts, collect, ert

_OURS, _PROCESS, _PEER, _DEFAULT = "#0072b2", "#007e5e", "#999999", "#d55e00"
_COLUMNS = 3


def draw_ratios(rows: Sequence[Row], path: Path) -> None:
    """Draw ERT with intervals; arms without a success have an arrow at the total they spent."""
    by_problem = collect(rows, tolerance=min(TOLERANCES))
    arms = list(dict.fromkeys(arm for known in by_problem.values() for arm in known))
    n_rows = -(-len(by_problem) // _COLUMNS)
    figure = Figure(figsize=(13.0, 1.2 + n_rows * (0.6 + 0.2 * len(arms))), layout="constrained")
    panels = figure.subplots(n_rows, _COLUMNS, sharey=True, squeeze=False)
    for axes in panels.flat[len(by_problem) :]:
        axes.set_visible(False)
    for axes, (problem, known) in zip(panels.flat, by_problem.items(), strict=False):
        _draw_panel(axes, problem, known, arms=arms)
    figure.supxlabel(
        f"expected cost to come within {min(TOLERANCES):.0%} of the optimum, in evaluations of the optimum "
        "(mean, 95 % interval; arrows: at least this)"
    )
    figure.savefig(path, dpi=110)


def _draw_panel(axes: Any, problem: str, known: dict[str, Attempts], *, arms: list[str]) -> None:
    for y, arm in enumerate(reversed(arms)):
        if arm in known:
            _draw_arm(axes, known[arm], y=y, colour=_colour(arm))
    if BASE in known and known[BASE].hit.any():
        axes.axvline(float(known[BASE].ert()), color="#cdd3dc", linewidth=1.5, zorder=0)
    axes.set_xscale("log")
    axes.set_yticks(range(len(arms)), list(reversed(arms)), fontsize=8)
    axes.set_title(problem, fontsize=10)
    axes.grid(axis="x", color="#eeeeee")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def _draw_arm(axes: Any, attempts: Attempts, *, y: int, colour: str) -> None:
    found = ert(attempts)
    if not np.isfinite(found.value):
        axes.plot(attempts.spent.sum(), y, ">", color=colour, markersize=6)
        return
    high = found.high if np.isfinite(found.high) else attempts.spent.sum()
    axes.plot([found.low, high], [y, y], color=colour, linewidth=1.5)
    axes.plot(found.value, y, "o", color=colour, markersize=5)
    if not np.isfinite(found.high):
        axes.plot(high, y, ">", color=colour, markersize=5)


def _colour(arm: str) -> str:
    if arm == "default":
        return _DEFAULT
    if arm.startswith("process"):
        return _PROCESS
    return _OURS if arm.startswith("forest") else _PEER
