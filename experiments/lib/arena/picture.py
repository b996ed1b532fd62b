"""Box plots of the test costs, with a panel for each arena and plan."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from lib.arena.summary import Floats, Group, collect, find_good
from lib.tables import Row

_MOST_COLUMNS = 3
_FEW, _MANY = (1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)  # tick labels, times powers of ten
_NARROW = 8.0  # below this ratio of largest to smallest cost, an axis needs many ticks
_GOOD, _WORSE = "#0072b2", "#999999"
References = Mapping[tuple[str, str], float]  # test cost by arena and name


def draw_boxes(rows: Sequence[Row], path: Path, *, references: References) -> None:
    """Draw each arm's test costs, in a panel for each arena and plan; references are dashed lines."""
    groups = collect(rows)
    places = _place(list(groups))
    n_lines, n_columns = (1 + max(place[axis] for place in places.values()) for axis in (0, 1))
    most = max(len(arms) for arms in groups.values())
    size = 1.0 + 4.4 * n_columns, 0.6 + (0.9 + 0.26 * most) * n_lines
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(n_lines, n_columns, squeeze=False)
    for panel in panels.flat:
        panel.set_visible(False)
    for group, arms in groups.items():
        panel = panels[places[group]]
        panel.set_visible(True)
        marks = {name: cost for (arena, name), cost in references.items() if arena == group[0]}
        _draw_panel(panel, arms, marks=marks)
        panel.set_title(", ".join(group), fontsize=10, pad=14.0)
    label = "mean cost on the test instances (blue: not significantly worse than the best)"
    figure.supxlabel(label, fontsize=9)
    figure.savefig(path, dpi=110)


def _place(groups: Sequence[Group]) -> dict[Group, tuple[int, int]]:
    """Return row and column of each panel: a column for each plan, or three if every arena has one plan."""
    arenas, plans = (list(dict.fromkeys(names)) for names in zip(*groups, strict=True))
    if len(arenas) == len(groups):
        return {group: divmod(i, _MOST_COLUMNS) for i, group in enumerate(groups)}
    return {(arena, plan): (arenas.index(arena), plans.index(plan)) for arena, plan in groups}


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
