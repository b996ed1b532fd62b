"""Share of runs solved over the cost allowed: Kaplan-Meier where runs were cut.

t_k   a cost at which runs finished
n_k   runs that cost t_k or more, or were cut there or later
d_k   runs that finished at t_k
S     product of (1 - d_k / n_k): share that costs more than t
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tightrope.compare.match import scores_by_config
from tightrope.race.objective import Score
from tightrope.records import Task
from tightrope.report.draw.plot import BEST, DEFAULT, GREY, Plot, series_of
from tightrope.report.draw.scale import Scale, thin
from tightrope.report.draw.table import Table
from tightrope.report.figure import Figure
from tightrope.report.tuning import Tuning

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

_MOST = 400  # steps of a line
_READING = (
    "The higher line solves more within the same cost; small arrows mark runs that were stopped, which count "
    "as long as they ran (Kaplan-Meier)."
)


def kaplan_meier(costs: Floats, exact: Bools) -> tuple[Floats, Floats]:
    """Return the costs at which runs finished, and the share that has finished by then.

    Examples
    --------
    >>> costs, share = kaplan_meier(np.array([1.0, 2.0, 2.0, 4.0]), np.array([True, False, True, True]))
    >>> costs.tolist(), share.tolist()
    ([1.0, 2.0, 4.0], [0.25, 0.5, 1.0])
    """
    at, n_done = np.unique(costs[exact], return_counts=True)
    n_at_risk = costs.size - np.searchsorted(np.sort(costs), at, side="left")
    share: Floats = 1.0 - np.cumprod(1.0 - n_done / n_at_risk, dtype=np.float64)
    return at, share


def survival(tuning: Tuning) -> list[Figure]:
    """Draw default and best on the training instances and, if validated, on the others."""
    best = {"best": (tuning, True, BEST)} if tuning.progress.number != 0 else {}
    return _figures({"default": (tuning, False, DEFAULT), **best})


def survivals(tunings: Sequence[Tuning]) -> list[Figure]:
    """Draw the best configs of several tunings, and the default of the first."""
    lines = {tuning.name: (tuning, True, series_of(i)) for i, tuning in enumerate(tunings)}
    return _figures({"default": (tunings[0], False, GREY), **lines})


# Which config of which tuning (the best one, or the default), and its series.
_Lines = Mapping[str, tuple[Tuning, bool, int]]


def _figures(lines: _Lines) -> list[Figure]:
    sets = dict.fromkeys(tuning.validation.on for tuning, _, _ in lines.values() if tuning.validation)
    found = [_figure("training", {name: (*line, _trained(*line[:2])) for name, line in lines.items()})]
    for on in sets:
        own = {
            name: (*line, _validated(*line[:2]))
            for name, line in lines.items()
            if line[0].validation is not None and line[0].validation.on == on
        }
        found.append(_figure(on, own))
    return [figure for figure in found if figure is not None]


def _trained(tuning: Tuning, is_best: bool) -> Mapping[Task, Score]:
    return tuning.scores(tuning.progress.config if is_best else tuning.progress.default)


def _validated(tuning: Tuning, is_best: bool) -> Mapping[Task, Score]:
    assert tuning.validation is not None
    known = scores_by_config(tuning.validation.history)
    return known.get(tuning.progress.config if is_best else tuning.progress.default, {})


def _figure(on: str, shown: Mapping[str, tuple[Tuning, bool, int, Mapping[Task, Score]]]) -> Figure | None:
    tuning = next((line[0] for line in shown.values()), None)
    every = [
        min(score.cost, line[0].scenario.ceiling) for line in shown.values() for score in line[3].values()
    ]
    every = [cost for cost in every if cost > 0]
    if tuning is None or not every:
        return None
    ceiling = tuning.scenario.ceiling
    low = 0.7 * min(every)
    x = Scale(low, max(ceiling if ceiling < 30 * max(every) else 0.0, 1.4 * max(every)), is_log=True)
    plot = Plot(x, Scale(0.0, 1.04), tuning.wording.cost_axis("cost allowed"), "share of tasks solved")
    table = Table(("tuning", "config", "cost", "share_solved", "stopped_here"))
    said = []
    for name, (own, is_best, series, scores) in shown.items():
        number = own.progress.number if is_best else 0
        share = _draw(plot, table, (own.name, number), scores, series, ceiling=own.scenario.ceiling)
        plot.key(f"{name}, {len(scores)} tasks", series)
        said.append(f"{name} {share:.0%}")
    if x.low < ceiling < x.high:
        plot.line([ceiling, ceiling], [0.0, 1.04], GREY, width=1, dash=True)
    return Figure.of(
        plot,
        table,
        name=f"survival-{on}",
        title=f"Share solved over cost, {on} instances",
        reading=_READING,
        alt=f"Step lines of the share of tasks solved; at the end: {', '.join(said)}",
    )


def _draw(
    plot: Plot,
    table: Table,
    which: tuple[str, int],
    scores: Mapping[Task, Score],
    series: int,
    *,
    ceiling: float,
) -> float:
    """Draw the line of one config (`which`: tuning and number), and return the share solved at its end."""
    if not scores:
        return 0.0
    costs = np.array([min(score.cost, ceiling) for score in scores.values()])
    exact = np.array([score.exact and score.cost < ceiling for score in scores.values()], dtype=bool)
    # A failure never finishes, however long it is allowed to run.
    never = np.array([not np.isfinite(score.cost) for score in scores.values()], dtype=bool)
    at, share = kaplan_meier(np.where(never, np.inf, costs), exact)
    kept = thin(at.size, _MOST)
    rows = table.extend([*which, cost, part, "no"] for cost, part in zip(at[kept], share[kept], strict=True))
    if not at.size:
        plot.line([plot.x.low, costs.max()], [0.0, 0.0], series)
    else:
        xs = np.concatenate([[plot.x.low], at[kept], [plot.x.high]])
        ys = np.concatenate([[0.0], share[kept], share[-1:]])
        plot.steps(xs, ys, series)
        plot.hover(at[kept], share[kept], rows)
    cut = np.unique(costs[~exact & ~never])
    cut = cut[thin(cut.size, _MOST)]
    if cut.size:
        heights = np.concatenate([[0.0], share])[np.searchsorted(at, cut, side="right")]
        rows = table.extend([*which, cost, part, "yes"] for cost, part in zip(cut, heights, strict=True))
        plot.marks(cut, heights, series, rows, shape="up")
    return float(share[-1]) if at.size else 0.0
