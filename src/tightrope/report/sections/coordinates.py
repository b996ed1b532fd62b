"""Parallel coordinates: what was tried, with the best configs bright."""

from collections.abc import Sequence
from html import escape
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tightrope.records import Config
from tightrope.report.draw.plot import BEST, DEFAULT, GREY, SERIES, WIDE, Plot, series_of
from tightrope.report.draw.scale import Scale, grouped, label, thin
from tightrope.report.draw.table import Table
from tightrope.report.figure import Figure
from tightrope.report.sections.ranking import best_first, relative_costs
from tightrope.report.tuning import Tuning
from tightrope.space import Space
from tightrope.space.column import Column

Floats = NDArray[np.float64]

_MOST_LINES, _MOST_BRIGHT, _MOST_AXES = 250, 60, 14
_BRIGHT_SHARE = 0.05
_HEIGHT = 400
_READING = (
    "A line is a config, and each axis a parameter; bright lines are the best 5 %. Where they meet, that "
    "value may matter, or the search merely stayed there: compare with the grey lines."
)

_RETURNED_READING = (
    "A line is the best config of a tuning: where all lines meet, far from the default's, the tunings agree "
    "that the value matters; where they spread, it hardly does."
)


def coordinates(tuning: Tuning) -> Figure | None:
    """Draw configs as lines over the parameters."""
    axes = chosen_parameters(tuning, _MOST_AXES)
    costs = relative_costs(tuning)
    order = best_first(costs, tuning)
    if order.size < 10 or len(axes) < 2:
        return None
    n_bright = max(1, ceil(_BRIGHT_SHARE * order.size))
    rest = order[n_bright:]
    shown = {
        GREY: rest[thin(rest.size, _MOST_LINES)],
        BEST: order[:n_bright][thin(n_bright, _MOST_BRIGHT)],
        DEFAULT: np.array([tuning.index_of(tuning.progress.default)]),
    }
    plot = Plot(Scale(-0.4, len(axes) - 0.5, names=()), Scale(0.0, 1.0, names=()), "", "", WIDE, _HEIGHT, 16)
    table = Table(("config", "relative_cost", *(axis.name for axis in axes)))
    for series, places in shown.items():
        for place in places[::-1].tolist():
            config = tuning.columns.configs[place]
            row = table.add(int(tuning.number[place]), float(costs[place]), *_values(config, axes))
            _draw_line(plot, axes, config, row, series, opacity={GREY: 0.25, BEST: 0.5}.get(series, 1.0))
    _draw_axes(plot, axes)
    plot.key(f"best 5 %: {grouped(n_bright)} configs", BEST)
    plot.key("default", DEFAULT)
    plot.key("others", GREY)
    n_lines = sum(places.size for places in shown.values())
    n_axes = len([column for column in Space.of(tuning.scenario.space).columns.each if is_varied(column)])
    notes = (
        [f"{grouped(n_lines)} of {grouped(order.size)} configs are drawn."] if n_lines < order.size else []
    )
    if len(axes) < n_axes:
        notes.append(
            f"{len(axes)} of {n_axes} parameters are drawn, those that the best config changes first."
        )
    alt = f"Parallel coordinates of {n_lines} configs over {len(axes)} parameters"
    return Figure("coordinates", "Configs over parameters", _READING, alt, plot.svg(title=alt), table,
                  plot.points, " ".join(notes), is_wide=True, is_joined=True)  # fmt: skip


def returned(tunings: Sequence[Tuning]) -> Figure | None:
    """Draw the best configs of several tunings as lines over the parameters that they change."""
    first = tunings[0]
    bests = [tuning.progress.config for tuning in tunings]
    default = first.progress.default
    columns = [column for column in Space.of(first.scenario.space).columns.each if is_varied(column)]
    n_changed = {
        column.name: sum(best.get(column.name) != default.get(column.name) for best in bests)
        for column in columns
    }
    most = sorted(n_changed, key=lambda name: -n_changed[name])[:_MOST_AXES]
    axes = [column for column in columns if column.name in most and n_changed[column.name]]
    if len(axes) < 2 or any(_ranges(tuning) != _ranges(first) for tuning in tunings):
        return None
    plot = Plot(Scale(-0.4, len(axes) - 0.5, names=()), Scale(0.0, 1.0, names=()), "", "", WIDE, _HEIGHT, 16)
    table = Table(("tuning", "config", *(axis.name for axis in axes)))
    row = table.add("default", 0, *_values(default, axes))
    _draw_line(plot, axes, default, row, GREY)
    plot.key("default", GREY)
    for i, (tuning, best) in enumerate(zip(tunings, bests, strict=True)):
        row = table.add(tuning.name, tuning.progress.number, *_values(best, axes))
        _draw_line(plot, axes, best, row, series_of(i))
        plot.key(tuning.name, series_of(i))
    _draw_axes(plot, axes)
    alt = f"Parallel coordinates of {len(tunings)} best configs over {len(axes)} parameters"
    n_all = sum(1 for n in n_changed.values() if n)
    note = f"{len(axes)} of {n_all} changed parameters are drawn, those that most tunings change."
    note = note if len(axes) < n_all else ""
    return Figure("returned", "Best configs over parameters", _RETURNED_READING, alt, plot.svg(title=alt),
                  table, plot.points, note, is_wide=True, is_joined=True)  # fmt: skip


def _ranges(tuning: Tuning) -> list[tuple[Any, ...]]:
    """Return the parameters with their ends: only lines over the same axes can be compared."""
    columns = Space.of(tuning.scenario.space).columns.each
    return [(column.name, column.lower, column.upper, column.levels) for column in columns]


def _values(config: Config, axes: list[Column]) -> list[Any]:
    return [config.get(column.name, "") for column in axes]


def is_varied(column: Column) -> bool:
    """Whether a parameter has more than one value."""
    return column.kind != "constant"


def chosen_parameters(tuning: Tuning, most: int) -> list[Column]:
    """Return the parameters that are drawn: those in which the best config differs from the default first."""
    columns = [column for column in Space.of(tuning.scenario.space).columns.each if is_varied(column)]
    default, best = tuning.progress.default, tuning.progress.config
    ranked = sorted(columns, key=lambda column: default.get(column.name) == best.get(column.name))
    kept = {column.name for column in ranked[:most]}
    return [column for column in columns if column.name in kept]


def place_of(column: Column, code: float) -> float:
    """Return where a value lies on its axis, between 0 and 1."""
    if column.upper == column.lower:
        return 0.5
    if column.is_log and column.levels is None and column.lower > 0:
        low, high = np.log(column.lower), np.log(column.upper)
        return float((np.log(code) - low) / (high - low))
    return (code - column.lower) / (column.upper - column.lower)


def _draw_axes(plot: Plot, axes: list[Column]) -> None:
    for i, column in enumerate(axes):
        x, low, high = float(plot.across(i)), float(plot.up(0.0)), float(plot.up(1.0))
        plot.raw(f'<path class="axis" d="M{x:.1f} {low:.1f}V{high:.1f}" stroke="#5b6470" fill="none"/>')
        y = low + (16 if i % 2 == 0 else 32)  # names in two rows, so that they do not touch
        plot.raw(
            f'<text class="label" x="{x:.1f}" y="{y:.0f}" text-anchor="middle">{_short(column.name)}</text>'
        )
        for code, text in _ends(column):
            y = float(plot.up(place_of(column, code)))
            plot.raw(
                f'<text class="halo" x="{x + 4:.1f}" y="{y + 4:.1f}" font-size="10">{_short(text)}</text>'
            )


def _ends(column: Column) -> list[tuple[float, str]]:
    if column.levels is not None and len(column.levels) <= 6:
        return [(float(i), str(level)) for i, level in enumerate(column.levels)]
    names = [str(column.value(code)) if column.levels is not None else label(code)
             for code in (column.lower, column.upper)]  # fmt: skip
    return list(zip((column.lower, column.upper), names, strict=True))


def _short(text: str) -> str:
    return escape(text if len(text) <= 16 else f"{text[:15]}…")


def _draw_line(
    plot: Plot, axes: list[Column], config: Config, row: int, series: int, *, opacity: float = 1.0
) -> None:
    xs = np.arange(len(axes), dtype=np.float64)
    ys = np.array(
        [
            place_of(column, column.code(config[column.name])) if column.name in config else np.nan
            for column in axes
        ]
    )
    known = np.isfinite(ys)
    path = "".join(
        f"{'M' if i == 0 or not known[i - 1] else 'L'}{x:.0f} {y:.0f}"
        for i, (x, y) in enumerate(zip(plot.across(xs).tolist(), plot.up(ys).tolist(), strict=True))
        if known[i]
    )
    width = 1 if series == GREY else 1.6
    plot.raw(f'<path class="s{series}" d="{path}" fill="none" stroke="{SERIES[series]}" '
             f'stroke-width="{width}" stroke-opacity="{opacity}"/>')  # fmt: skip
    plot.hover(xs[known], ys[known], [row] * int(known.sum()))
