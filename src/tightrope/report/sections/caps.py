"""Where the time went: caps over time, the share of runs cut, and what that saved at most."""

from collections.abc import Sequence

import numpy as np

from tightrope.records import Status
from tightrope.report.draw.plot import BEST, DEFAULT, GREY, THIRD, Plot, Shape, series_of
from tightrope.report.draw.scale import Scale, grouped, thin
from tightrope.report.draw.table import Table
from tightrope.report.figure import Figure
from tightrope.report.tuning import Tuning
from tightrope.store.columns import STATUSES

_MOST = 1500  # runs that are drawn
_N_PARTS, _FEW_PARTS = 40, 12  # of the time, for shares: of one tuning, of several in one figure
_MARKS: Sequence[tuple[Status, int, Shape]] = (
    (Status.CAPPED, GREY, "tick"),
    (Status.DONE, BEST, "dot"),
    (Status.FAILED, DEFAULT, "cross"),
)
_CAPS_READING = (
    "Each mark is a run at its cap, an arrow if it was cut there; lower caps mean that more configs fit into "
    "the budget."
)
_SHARE_READING = "The share of runs that were cut at their caps, in consecutive parts of the tuning."
_SAVED_READING = (
    "The lower line is what was spent; the upper one what it could have been if each cut run had gone on to "
    "the ceiling, an upper bound."
)


def caps(tuning: Tuning) -> list[Figure]:
    """Draw the caps, the share cut, and what was saved."""
    if not len(tuning.history):
        return []
    share = shares([tuning])
    found = [_caps(tuning), *([share] if share is not None else [])]
    if tuning.wording.cost_unit and tuning.progress.spared > 0:
        found.append(_saved(tuning))
    return found


def _caps(tuning: Tuning) -> Figure:
    columns, n = tuning.columns, len(tuning.history)
    chosen = thin(n, _MOST)
    table = Table(("config", "instance", "seed", "spent", "cap", "status", "cost"))
    rows = np.array(
        [
            table.add(
                int(tuning.runs_number[i]), columns.tasks[int(columns.task[i])].instance,
                columns.tasks[int(columns.task[i])].seed, float(tuning.spent[i]), float(columns.cap[i]),
                STATUSES[int(columns.status[i])].value, float(tuning.bounded[i]),
            )
            for i in chosen.tolist()
        ],
        dtype=np.int64,
    )  # fmt: skip
    cap = np.minimum(columns.cap[chosen], tuning.scenario.ceiling)
    wording = tuning.wording
    plot = Plot(
        Scale.of(tuning.spent[chosen], is_log=False, margin=0.02),
        Scale.of(cap),
        wording.spent_axis("spent so far"),
        wording.cost_axis("cap of the run"),
    )
    status = columns.status[chosen]
    for which, series, shape in _MARKS:
        own = status == STATUSES.index(which)
        if not own.any():
            continue
        spent = tuning.spent[chosen][own]
        plot.marks(spent, cap[own], series, rows[own], shape=shape, size=4, opacity=0.6)
        word = {Status.CAPPED: "cut", Status.DONE: "finished", Status.FAILED: "failed"}[which]
        plot.key(
            f"{word}: {grouped(int(np.count_nonzero(columns.status == STATUSES.index(which))))}",
            series,
            shape=shape,
        )
    return Figure.of(
        plot,
        table,
        name="caps",
        title="Caps over time",
        reading=_CAPS_READING,
        alt=f"Scatter plot of the caps of {grouped(n)} runs over the cost spent",
        note=f"{grouped(chosen.size)} of {grouped(n)} runs are drawn, evenly chosen."
        if chosen.size < n
        else "",
    )


def shares(tunings: Sequence[Tuning]) -> Figure | None:
    """Draw the share of runs cut over the cost spent, of one tuning or of several."""
    if min(len(tuning.history) for tuning in tunings) < 2 * _N_PARTS:
        return None
    table = Table(("tuning", "spent", "runs", "share_cut"))
    found = [_parts(tuning, _N_PARTS if len(tunings) == 1 else _FEW_PARTS) for tuning in tunings]
    plot = Plot(
        Scale.of([end for ends, _, _ in found for end in ends], is_log=False, margin=0.02),
        Scale(0.0, 1.04),
        tunings[0].wording.spent_axis("spent so far"),
        "share of runs cut",
    )
    for i, (tuning, (ends, counts, cut)) in enumerate(zip(tunings, found, strict=True)):
        series = THIRD if len(tunings) == 1 else series_of(i)
        names = [tuning.name] * len(ends)
        rows = table.extend(zip(names, ends, counts, cut, strict=True))
        if len(tunings) == 1:
            plot.band(ends, np.zeros(len(ends)), cut, series)
        else:
            plot.key(tuning.name, series)
        plot.line(ends, cut, series)
        plot.hover(ends, cut, rows)
    whole = " and ".join(f"{tuning.has(Status.CAPPED).mean():.0%}" for tuning in tunings)
    return Figure.of(
        plot,
        table,
        name="share-cut",
        title="Share of runs cut",
        reading=_SHARE_READING,
        alt=f"The share of runs cut over the cost spent; {whole} in all",
    )


def _parts(tuning: Tuning, n: int) -> tuple[list[float], list[int], list[float]]:
    """Return where consecutive parts of a tuning end, their numbers of runs, and the share cut in each."""
    parts = np.array_split(np.arange(len(tuning.history)), n)
    cut = tuning.has(Status.CAPPED)
    ends = [float(tuning.spent[part[-1]]) for part in parts]
    return ends, [len(part) for part in parts], [float(cut[part].mean()) for part in parts]


def _saved(tuning: Tuning) -> Figure:
    cut = tuning.has(Status.CAPPED)
    spared = np.cumsum(np.where(cut, np.maximum(0.0, tuning.scenario.ceiling - tuning.bounded), 0.0))
    chosen = thin(spared.size, 200)
    share = (chosen + 1) / spared.size
    spent = tuning.spent[chosen]
    without = spent + spared[chosen]
    table = Table(("share_of_runs", "spent", "without_capping_at_most"))
    rows = list(table.extend(zip(share, spent, without, strict=True)))
    plot = Plot(
        Scale(0.0, 1.0),
        Scale.of(np.concatenate([spent, without]), is_log=True, margin=0.03),
        "share of the runs",
        tuning.wording.spent_axis("spent"),
    )
    plot.band(share, spent, without, BEST)
    plot.line(share, without, GREY, dash=True)
    plot.line(share, spent, BEST)
    plot.hover(share, spent, rows)
    plot.hover(share, without, rows)
    plot.key("spent", BEST)
    plot.key("without capping, at most", GREY, shape="dash")
    words = tuning.wording.spent
    return Figure.of(
        plot,
        table,
        name="saved",
        title="Time saved by capping",
        reading=_SAVED_READING,
        alt=f"{words(float(spent[-1]))} spent, {words(float(without[-1]))} at most without capping",
    )
