"""Which changes matter: the mean cost along the path from the default to the best config."""

from collections.abc import Sequence

import numpy as np

from tightrope.figures.ablation import Stage, percent
from tightrope.report.draw.plot import BEST, DEFAULT, GREY, SERIES, WIDE, Plot
from tightrope.report.draw.scale import Scale
from tightrope.report.draw.table import Table
from tightrope.report.figure import Figure, Section
from tightrope.report.tuning import Tuning

_ROW, _AROUND = 26, 62  # pixels of each bar, and of margins
_LEFT, _LETTERS = 300, 44  # pixels for labels, and letters that fit
_BAR, _INTERVAL = 14, 2.0  # heights
_GAP = 10  # pixels between a bar and its share
_READING = (
    "Each bar is the mean cost with this change and all above it, with its 95 % interval, and the change's "
    "share of the gain; the blue bar is the stripped config, which keeps the gain without the other changes."
)


def ablation(tuning: Tuning) -> Section:
    """Return the section; it is empty unless the folder has an ablation of its best config."""
    found = tuning.ablation
    if found is None:
        return Section("ablation", "Which changes matter")
    figure = _path(tuning, found.stages)
    return Section("ablation", "Which changes matter", figures=[figure], paragraphs=[found.sentence])


def _path(tuning: Tuning, stages: Sequence[Stage]) -> Figure:
    n = len(stages)
    ends = [stage.interval[1] if stage.interval is not None else stage.cost for stage in stages]
    x = Scale.of([*ends, *(stage.cost for stage in stages)], is_log=False, margin=0.12, from_zero=True)
    names = [_label(stage) for stage in reversed(stages)]
    height = _AROUND + _ROW * n
    plot = Plot(
        x,
        Scale(-0.5, n - 0.5, names=names),
        tuning.wording.cost_axis("mean cost"),
        width=WIDE,
        height=height,
        left=_LEFT,
    )
    table = Table(("change", "before", "after", "mean_cost", "low", "high", "ratio", "share"))
    last = max((i for i, stage in enumerate(stages) if not stage.title), default=-1)
    for i, stage in enumerate(stages):
        series = BEST if i == last else DEFAULT if i == 0 else GREY
        _draw(plot, table, stage, place=n - 1 - i, series=series)
    return Figure.of(
        plot,
        table,
        name="ablation-path",
        title="From the default to the best config, change by change",
        reading=_READING,
        alt=f"{n} bars of mean costs; {'; '.join(_said(stage) for stage in stages if not stage.title)}",
        is_wide=True,
    )


def _draw(plot: Plot, table: Table, stage: Stage, *, place: int, series: int) -> None:
    low, high = stage.interval or (np.nan, np.nan)
    plot.raw(_bar(plot, stage.cost, place, series))
    plot.line([low, high], [place, place], series, width=_INTERVAL)
    before = ", ".join(_text(before) for _, before, _ in stage.changes)
    after = ", ".join(_text(after) for _, _, after in stage.changes)
    name = stage.title or ", ".join(name for name, _, _ in stage.changes)
    row = table.add(
        name, *(("", "") if stage.title else (before, after)), stage.cost, low, high, stage.ratio, stage.share
    )
    plot.hover([stage.cost], [place], [row])
    if np.isfinite(stage.share):
        at = float(plot.across(np.nanmax([stage.cost, high]))) + _GAP
        up = float(plot.up(place)) + 4
        plot.raw(f'<text x="{at:.0f}" y="{up:.0f}">{percent(stage.share)}</text>')


def _bar(plot: Plot, cost: float, place: int, series: int) -> str:
    left, right = plot.across([0.0, cost]).tolist()
    top = float(plot.up(place)) - _BAR / 2
    path = f"M{left:.1f} {top:.1f}H{right:.1f}v{_BAR}H{left:.1f}z"
    return f'<path class="f{series}" d="{path}" fill="{SERIES[series]}" fill-opacity="0.5" stroke="none"/>'


def _label(stage: Stage) -> str:
    return stage.label if len(stage.label) <= _LETTERS else f"{stage.label[: _LETTERS - 3]}..."


def _said(stage: Stage) -> str:
    return f"{stage.label}: {percent(stage.share)}"


def _text(value: object) -> str:
    if value is None:
        return "unused"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
