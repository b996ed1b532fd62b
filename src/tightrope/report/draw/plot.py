"""Plot: axes and marks of one figure, written as SVG.

Colours come from classes, which the page's style sheet sets for light, dark and print. The same colours are
written as attributes, so that the SVG looks right without the page. Many marks are one path: a dot is a line
of length zero with round ends, which takes a dozen bytes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike

from tightrope.report.draw.scale import Floats, Scale

SERIES: Final = ("#0072b2", "#d55e00", "#007e5e", "#b0568c", "#8a6a00", "#3b7fc4", "#6b4c9a", "#5b6470")
BEST, DEFAULT, THIRD, GREY = 0, 1, 2, 7  # series
WIDE: Final = 980  # of a figure that takes the whole page
_TOP, _RIGHT, _BOTTOM = 14, 16, 46  # margins
_KEY_HEIGHT, _LETTER = 18, 6.6  # of the legend
_TICK_LETTER = 6.8
_DOT, _ARROW = 6.0, 1.5  # widths of strokes
_SHAPES: Final = {
    "dot": "h0",
    "up": "v-10m-3 4l3-4l3 4",
    "right": "h10m-4-3l4 3l-4 3",
    "both": "l8-8m-5 0h5v5",
    "tick": "v-6m-2 2.5l2-2.5l2 2.5",
    "cross": "m-3-3l6 6m0-6l-6 6",
}
Shape = Literal["dot", "up", "right", "both", "tick", "cross"]
Point = tuple[float, float, int]


def series_of(i: int) -> int:
    """Return the series of the i-th of several tunings: any but grey, again from the start after the last."""
    return i % GREY


@dataclass(slots=True)
class Plot:
    """A figure under construction; marks are drawn in the order in which they are added.

    `points` collects what can be hovered: place on the drawing, and row of the figure's table.
    """

    x: Scale
    y: Scale
    x_label: str = ""
    y_label: str = ""
    width: int = 480
    height: int = 320
    left: int = 66
    points: list[Point] = field(default_factory=list)
    _marks: list[str] = field(default_factory=list)
    _keys: list[tuple[str, int, str]] = field(default_factory=list)

    def across(self, values: ArrayLike) -> Floats:
        """Return the horizontal places of values."""
        return self.left + self.x.place(values) * (self.width - self.left - _RIGHT)

    def up(self, values: ArrayLike) -> Floats:
        """Return the vertical places of values."""
        return self.height - _BOTTOM - self.y.place(values) * (self.height - _TOP - _BOTTOM)

    def line(
        self, xs: ArrayLike, ys: ArrayLike, series: int, *, width: float = 2.0, dash: bool = False
    ) -> None:
        """Draw a line; it is interrupted where a value is missing."""
        path = _joined(self.across(xs), self.up(ys))
        self._marks.append(_stroke(path, series, width=width, dash=dash))

    def steps(self, xs: ArrayLike, ys: ArrayLike, series: int, *, dash: bool = False) -> None:
        """Draw a line that keeps each value until the next."""
        across, up = np.asarray(xs, dtype=np.float64), np.asarray(ys, dtype=np.float64)
        self.line(np.repeat(across, 2)[1:], np.repeat(up, 2)[:-1], series, dash=dash)

    def band(self, xs: ArrayLike, low: ArrayLike, high: ArrayLike, series: int) -> None:
        """Fill the area between two lines."""
        across = self.across(xs)
        around = np.concatenate([self.up(low), self.up(high)[::-1]])
        path = _joined(np.concatenate([across, across[::-1]]), around)
        self._marks.append(
            f'<path class="f{series}" d="{path}z" fill="{SERIES[series]}" fill-opacity="0.18" stroke="none"/>'
        )

    def marks(
        self,
        xs: ArrayLike,
        ys: ArrayLike,
        series: int,
        rows: Iterable[int] = (),
        *,
        shape: Shape = "dot",
        size: float = _DOT,
        opacity: float = 1.0,
    ) -> None:
        """Draw a mark at each place: a dot, a cross, or an arrow towards where the true value lies.

        The rows of the table, if given, are shown on hover.
        """
        across, up = (np.atleast_1d(places) for places in (self.across(xs), self.up(ys)))
        known = np.isfinite(across) & np.isfinite(up)
        places = [(float(x), float(y)) for x, y in zip(across[known], up[known], strict=True)]
        if not places:
            return
        path = "".join(f"M{x:.1f} {y:.1f}{_SHAPES[shape]}" for x, y in places)
        width = size if shape == "dot" else _ARROW
        self._marks.append(_stroke(path, series, width=width, opacity=opacity))
        numbers = np.array(list(rows), dtype=np.int64)
        if numbers.size:
            kept = numbers[known].tolist()
            self.points += [(x, y, row) for (x, y), row in zip(places, kept, strict=True)]

    def hover(self, xs: ArrayLike, ys: ArrayLike, rows: Iterable[int]) -> None:
        """Make places show rows of the table, without drawing anything."""
        across, up = np.atleast_1d(self.across(xs)), np.atleast_1d(self.up(ys))
        self.points += [
            (float(x), float(y), row)
            for x, y, row in zip(across, up, rows, strict=True)
            if np.isfinite(x + y)
        ]

    def raw(self, svg: str) -> None:
        """Add a piece of SVG."""
        self._marks.append(svg)

    def key(self, text: str, series: int, *, shape: Shape | Literal["line", "dash"] = "line") -> None:
        """Add an entry to the legend, above the plot."""
        self._keys.append((text, series, shape))

    def _legend(self) -> tuple[str, int]:
        """Return the legend, in as many rows as needed, and its height."""
        rows: list[list[tuple[float, str, int, str]]] = [[]]
        x = 0.0
        for text, series, shape in self._keys:
            width = 34 + _LETTER * len(text)
            if rows[-1] and x + width > self.width - self.left:
                rows.append([])
                x = 0.0
            rows[-1].append((self.left + x, text, series, shape))
            x += width
        height = _KEY_HEIGHT * len(rows) if self._keys else 0
        return "".join(
            _key(x, _KEY_HEIGHT * i - height + 8.0, text, series, shape)
            for i, row in enumerate(rows)
            for x, text, series, shape in row
        ), height

    def svg(self, *, title: str) -> str:
        """Return the drawing; the title is read to people who cannot see it."""
        above = self._legend()[1]
        return _drawing(self.content(), f"0 {-above} {self.width} {self.height + above}", title)

    def content(self) -> str:
        """Return the drawing without its frame."""
        return self._axes() + "".join(self._marks) + self._legend()[0]

    def _axes(self) -> str:
        bottom, right = self.height - _BOTTOM, self.width - _RIGHT
        parts = []
        for value, text in self._fitting_ticks():
            x = float(self.across(value))
            parts.append(_grid(f"M{x:.1f} {_TOP}V{bottom}"))
            is_cut_off = x + _TICK_LETTER * len(text) / 2 > self.width
            where = (
                f'x="{self.width}" text-anchor="end"' if is_cut_off else f'x="{x:.1f}" text-anchor="middle"'
            )
            parts.append(f'<text {where} y="{bottom + 16}">{escape(text)}</text>')
        for value, text in self.y.ticks():
            y = float(self.up(value))
            parts.append(_grid(f"M{self.left} {y:.1f}H{right}"))
            parts.append(f'<text x="{self.left - 6}" y="{y + 4:.1f}" text-anchor="end">{escape(text)}</text>')
        middle = (self.left + right) / 2
        if self.x_label:
            parts.append(_label(f'x="{middle:.0f}" y="{self.height - 10}"', self.x_label))
        if self.y_label:
            y = (bottom + _TOP) / 2
            parts.append(_label(f'transform="translate(14 {y:.0f}) rotate(-90)"', self.y_label))
        return "".join(parts)

    def _fitting_ticks(self) -> list[tuple[float, str]]:
        """Return the ticks of the horizontal axis whose labels do not overlap."""
        shown: list[tuple[float, str]] = []
        end = -np.inf
        for value, text in self.x.ticks():
            x, half = float(self.across(value)), _TICK_LETTER * len(text) / 2
            if x - half > end:
                shown.append((value, text))
                end = x + half + 6
        return shown


def tiled(plots: Sequence[Plot], *, n_columns: int, title: str) -> tuple[str, list[Point]]:
    """Return plots of the same size side by side as one drawing, and their points."""
    width, height = plots[0].width, plots[0].height
    parts, points = [], []
    for i, plot in enumerate(plots):
        x, y = width * (i % n_columns), height * (i // n_columns)
        parts.append(f'<g transform="translate({x} {y})">{plot.content()}</g>')
        points += [(x + px, y + py, row) for px, py, row in plot.points]
    whole = width * min(len(plots), n_columns), height * -(-len(plots) // n_columns)
    return _drawing("".join(parts), f"0 0 {whole[0]} {whole[1]}", title), points


def _drawing(content: str, box: str, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(title)}" viewBox="{box}" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="#1b1f24">{content}</svg>'
    )


def _stroke(path: str, series: int, *, width: float, dash: bool = False, opacity: float = 1.0) -> str:
    more = ' stroke-dasharray="5 4"' if dash else ""
    more += f' stroke-opacity="{opacity:g}"' if opacity < 1 else ""
    return (
        f'<path class="s{series}" d="{path}" fill="none" stroke="{SERIES[series]}" stroke-width="{width:g}" '
        f'stroke-linecap="round" stroke-linejoin="round"{more}/>'
    )


def _key(x: float, y: float, text: str, series: int, shape: str) -> str:
    if shape in ("line", "dash"):
        sample = _stroke(f"M{x:.0f} {y:.0f}h16", series, width=2.4, dash=shape == "dash")
    else:
        start = y + 4 if shape in ("up", "tick") else y
        width = _DOT if shape == "dot" else _ARROW
        sample = _stroke(f"M{x + 8:.0f} {start:.0f}{_SHAPES[shape]}", series, width=width)
    return f'{sample}<text x="{x + 21:.0f}" y="{y + 4:.0f}">{escape(text)}</text>'


def _grid(path: str) -> str:
    return f'<path class="grid" d="{path}" stroke="#e3e7ec" fill="none"/>'


def _label(where: str, text: str) -> str:
    return f'<text class="label" {where} text-anchor="middle" fill="#5b6470">{escape(text)}</text>'


def _joined(xs: Floats, ys: Floats) -> str:
    """Return the path through points; it is interrupted at missing ones."""
    parts, pen = [], "M"
    for x, y in zip(xs.tolist(), ys.tolist(), strict=True):
        if x != x or y != y:
            pen = "M"
            continue
        parts.append(f"{pen}{x:.1f} {y:.1f}")
        pen = "L"
    return "".join(parts)
