"""Workers: when each run was under way, the idle share, and losses."""

from heapq import heapify, heapreplace

import numpy as np
from numpy.typing import NDArray

from tightrope.records import Status
from tightrope.report.draw.plot import BEST, DEFAULT, GREY, SERIES, THIRD, WIDE, Plot
from tightrope.report.draw.scale import Scale, grouped
from tightrope.report.draw.table import Table
from tightrope.report.figure import Figure
from tightrope.report.sections.idle import busy_until, ends_s, is_timed, most_at_once
from tightrope.report.tuning import Tuning
from tightrope.store.columns import STATUSES

Floats = NDArray[np.float64]

_MOST_BARS, _MOST_LANES = 1500, 24
_N_PARTS = 120
_LANES_READING = (
    "A row is a worker, a bar a run, put on the row that was free first: blue finished, grey cut, orange "
    "failed or lost; gaps are idle time, in which the tuning decided what to run or had nothing to run."
)
_BUSY_READING = "The share of workers that were busy; dips are time in which the tuning decided what to run."


def workers(tuning: Tuning) -> Figure | None:
    """Draw the runs of each worker or, if there are too many, the share of workers that were busy."""
    if not is_timed(tuning):
        return None
    n_lanes = max(most_at_once(tuning))
    if len(tuning.history) <= _MOST_BARS and n_lanes <= _MOST_LANES:
        return _lanes(tuning, n_lanes)
    return _busy(tuning, n_lanes)


def _lanes(tuning: Tuning, n_lanes: int) -> Figure:
    columns = tuning.columns
    lanes, begins, ends = _assigned(tuning, n_lanes)
    plot = Plot(
        Scale(0.0, max(tuning.wall_s, float(ends.max()))), Scale(0.0, float(n_lanes), names=()),
        "time of the tuning [s]", "", WIDE, 70 + max(26 * n_lanes, 52), 20,
    )  # fmt: skip
    table = Table(("config", "instance", "seed", "worker", "begin_s", "end_s", "status", "cost"))
    tops = plot.up(n_lanes - lanes.astype(np.float64) - 0.1)
    height = 0.8 * float(plot.up(0.0) - plot.up(1.0))
    lefts, rights = plot.across(begins), plot.across(ends)
    for series, statuses in (
        (GREY, (Status.CAPPED,)),
        (BEST, (Status.DONE,)),
        (DEFAULT, (Status.FAILED, Status.LOST)),
    ):
        own = np.isin(columns.status, [STATUSES.index(status) for status in statuses])
        bars = zip(lefts[own], tops[own], np.maximum(rights[own] - lefts[own] - 0.4, 0.6), strict=True)
        path = "".join(f"M{x:.1f} {y:.1f}h{w:.1f}v{height:.1f}h-{w:.1f}z" for x, y, w in bars)
        plot.raw(f'<path class="b{series}" d="{path}" fill="{SERIES[series]}" fill-opacity="0.75"/>')
    for i, (x, end, y) in enumerate(zip(lefts.tolist(), rights.tolist(), tops.tolist(), strict=True)):
        task = columns.tasks[int(columns.task[i])]
        row = table.add(
            int(tuning.runs_number[i]), task.instance, task.seed, int(lanes[i]) + 1, float(begins[i]),
            float(ends[i]), STATUSES[int(columns.status[i])].value, float(tuning.bounded[i]),
        )  # fmt: skip
        plot.points.append(((x + end) / 2, y + height / 2, row))
    return Figure.of(
        plot,
        table,
        name="timeline",
        title="Timeline of the workers",
        reading=_LANES_READING,
        alt=f"Timeline of {len(tuning.history)} runs on {n_lanes} workers",
        is_wide=True,
    )


def _assigned(tuning: Tuning, n_lanes: int) -> tuple[NDArray[np.int64], Floats, Floats]:
    """Return lane, begin and end of each run: in the order of begin, each takes the lane that is free first.

    The journal does not tell which worker did a run. A run that would begin before its lane is free, such as
    one that was repeated after a crash, is drawn later.
    """
    free = [(0.0, lane) for lane in range(n_lanes)]
    heapify(free)
    n = len(tuning.history)
    lanes, begins, ends = np.zeros(n, dtype=np.int64), np.zeros(n), np.zeros(n)
    for i in np.argsort(tuning.began_s, kind="stable").tolist():
        at, lane = free[0]
        begins[i] = max(at, float(tuning.began_s[i]))
        ends[i] = begins[i] + max(0.0, float(tuning.columns.wall_s[i]))
        lanes[i] = lane
        heapreplace(free, (float(ends[i]), lane))
    return lanes, begins, ends


def _busy(tuning: Tuning, n_lanes: int) -> Figure:
    ends = ends_s(tuning)
    edges = np.linspace(0.0, max(tuning.wall_s, float(ends.max())), _N_PARTS + 1)
    busy = np.diff(busy_until(tuning.began_s, edges) - busy_until(ends, edges))
    shares = np.minimum(1.0, busy / np.diff(edges) / n_lanes)
    middles = (edges[1:] + edges[:-1]) / 2
    lost = np.histogram(ends[tuning.has(Status.LOST)], edges)[0]
    table = Table(("time_s", "share_busy", "lost_runs"))
    rows = table.extend(zip(middles, shares, lost.tolist(), strict=True))
    plot = Plot(
        Scale(0.0, float(edges[-1])), Scale(0.0, 1.04), "time of the tuning [s]", "share busy", WIDE, 240
    )
    plot.band(middles, np.zeros(_N_PARTS), shares, THIRD)
    plot.line(middles, shares, THIRD)
    plot.hover(middles, shares, rows)
    hit = np.flatnonzero(lost)
    plot.marks(middles[hit], np.full(hit.size, 0.05), DEFAULT, np.array(rows)[hit].tolist(), shape="cross")
    if hit.size:
        plot.key("runs lost", DEFAULT, shape="cross")
    return Figure.of(
        plot,
        table,
        name="timeline",
        title="Share of workers busy",
        reading=_BUSY_READING,
        alt=f"Area of the share of {n_lanes} workers that were busy over time",
        note=f"{grouped(len(tuning.history))} runs are too many to draw one by one: shares of {_N_PARTS} "
        "parts of the time are drawn.",
        is_wide=True,
    )
