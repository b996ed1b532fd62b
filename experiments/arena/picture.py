"""Box plots of the test costs: one panel for each contest."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter
from table import Row

from arena.summary import Contest, Floats, collect, find_good

_MOST_COLUMNS = 3
_FEW, _MANY = (1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)  # numbers on an axis, and powers of ten of them
_NARROW = 8.0  # largest over smallest cost below which few are too few
_GOOD, _WORSE = "#0072b2", "#999999"
References = Mapping[tuple[str, str], float]  # arena and name, to a test cost


def draw_boxes(rows: Sequence[Row], path: Path, *, references: References) -> None:
    """Draw each arm's test costs, a panel for each contest; references are dashed lines."""
    contests = collect(rows)
    places = _place(list(contests))
    n_lines, n_columns = (1 + max(place[axis] for place in places.values()) for axis in (0, 1))
    most = max(len(arms) for arms in contests.values())
    size = 1.0 + 4.4 * n_columns, 0.6 + (0.9 + 0.26 * most) * n_lines
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(n_lines, n_columns, squeeze=False)
    for panel in panels.flat:
        panel.set_visible(False)
    for contest, arms in contests.items():
        panel = panels[places[contest]]
        panel.set_visible(True)
        marks = {name: cost for (arena, name), cost in references.items() if arena == contest[0]}
        _draw_panel(panel, arms, marks=marks)
        panel.set_title(", ".join(contest), fontsize=10, pad=14.0)
    label = "mean cost on the test instances (blue: not significantly worse than the best)"
    figure.supxlabel(label, fontsize=9)
    figure.savefig(path, dpi=110)


def _place(contests: Sequence[Contest]) -> dict[Contest, tuple[int, int]]:
    """Return lines and columns: a column for each plan or, if every arena has only one, three columns."""
    arenas, plans = (list(dict.fromkeys(names)) for names in zip(*contests, strict=True))
    if len(arenas) == len(contests):
        return {contest: divmod(i, _MOST_COLUMNS) for i, contest in enumerate(contests)}
    return {(arena, plan): (arenas.index(arena), plans.index(plan)) for arena, plan in contests}


def _draw_panel(axes: Any, arms: Mapping[str, Floats], *, marks: Mapping[str, float]) -> None:
    good = find_good(arms)
    names = list(reversed(arms))
    costs = [arms[name] for name in names]
    boxes = axes.boxplot(
        costs,
        orientation="horizontal",
        tick_labels=names,
        patch_artist=True,
        widths=0.6,
        medianprops={"color": "black"},
        flierprops={"markersize": 3.0},
    )
    for name, box in zip(names, boxes["boxes"], strict=True):
        box.set(facecolor=_GOOD if name in good else _WORSE, alpha=0.6)
    for name, cost in marks.items():
        axes.axvline(cost, color="#555555", linewidth=1.0, linestyle="--", zorder=0)
        axes.annotate(name, (cost, 1.01), xycoords=("data", "axes fraction"), fontsize=7, ha="center")
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    axes.xaxis.set_major_locator(LogLocator(subs=_MANY if high / low < _NARROW else _FEW))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.tick_params(labelsize=8)
    axes.grid(axis="x", color="#eeeeee")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
