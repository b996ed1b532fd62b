"""Predictions of runs by models that did not learn from them, against what was measured."""

from collections.abc import Sequence

import numpy as np

from tightrope.records import Status
from tightrope.report.draw.plot import BEST, GREY, Plot, Shape
from tightrope.report.draw.scale import Scale, grouped, thin
from tightrope.report.draw.table import Table
from tightrope.report.figure import Figure
from tightrope.report.sections.model import FOLDS, Fitted, Ints
from tightrope.report.tuning import Tuning

_MOST = 1500  # runs that are drawn
_MARKS: Sequence[tuple[bool, int, Shape, str]] = (
    (True, GREY, "tick", "cut: at least this"),
    (False, BEST, "dot", "finished"),
)
_READING = (
    "Each mark is a run, predicted by a model that did not learn from it; near the diagonal the prediction "
    "was right, and an arrow means that the true cost is higher, because the run was cut."
)


def error(tuning: Tuning, fitted: Fitted) -> Figure:
    """Draw the prediction of each run against its cost, or its bound."""
    data = fitted.data
    drawn = thin(data.cost.size, _MOST)
    predicted, truth = fitted.predicted, data.cost
    scale = Scale.of(np.concatenate([truth[drawn], predicted[drawn]]), is_log=True)
    axis = tuning.wording.cost_axis
    plot = Plot(scale, scale, axis("predicted"), axis("measured"), 460, 460)
    plot.line([scale.low, scale.high], [scale.low, scale.high], GREY, width=1)
    table = Table(("config", "instance", "seed", "predicted", "low", "high", "measured", "is_bound"))
    for is_bound, series, shape, word in _MARKS:
        own = drawn[data.censored[drawn] == is_bound]
        rows = _rows(tuning, fitted, own, table)
        plot.marks(predicted[own], truth[own], series, rows, shape=shape, size=5, opacity=0.6)
        if own.size:
            plot.key(word, series, shape=shape)
    return Figure.of(
        plot,
        table,
        name="model-error",
        title="Model against truth, on runs it has not seen",
        reading=_READING,
        alt=f"Scatter plot of {drawn.size} predicted and measured costs",
        note=_note(tuning, fitted, drawn.size),
    )


def _rows(tuning: Tuning, fitted: Fitted, own: Ints, table: Table) -> list[int]:
    rows = []
    for i in own.tolist():
        run = int(fitted.data.run[i])
        task = tuning.columns.tasks[int(tuning.columns.task[run])]
        rows.append(
            table.add(
                int(tuning.runs_number[run]), task.instance, task.seed, float(fitted.predicted[i]),
                float(fitted.low[i]), float(fitted.high[i]), float(fitted.data.cost[i]),
                "yes" if fitted.data.censored[i] else "no",
            )
        )  # fmt: skip
    return rows


def _note(tuning: Tuning, fitted: Fitted, n_drawn: int) -> str:
    n_all, n = int(np.count_nonzero(~tuning.has(Status.LOST))), fitted.data.cost.size
    sample = (
        f"a sample of {grouped(n)} of {grouped(n_all)} runs" if n < n_all else f"all {grouped(n_all)} runs"
    )
    drawn = f" {grouped(n_drawn)} of them are drawn." if n_drawn < n else ""
    return f"Forests of the report on {sample}, {FOLDS} of which leave out one part in {FOLDS} each.{drawn}"


def typical_error(fitted: Fitted) -> float:
    """Return the median factor between prediction and truth of the runs that finished; NaN if none did."""
    exact = ~fitted.data.censored
    if not exact.any():
        return float("nan")
    ratios = np.log(fitted.predicted[exact]) - np.log(fitted.data.cost[exact])
    return float(np.exp(np.median(np.abs(ratios))))


def contradicted(fitted: Fitted) -> float:
    """Return the share of cut runs whose prediction, plus one standard deviation, is below their bound."""
    cut = fitted.data.censored
    if not cut.any():
        return float("nan")
    return float(np.mean(fitted.high[cut] < fitted.data.cost[cut]))
