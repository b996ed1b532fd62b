"""The incumbent's estimated cost over what was spent, with its band and the promotions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tightrope.compare.contrast import Estimate, estimate
from tightrope.race.objective import Score, better_known, score_of
from tightrope.records import Config, Status, Task
from tightrope.report.draw.plot import BEST, DEFAULT, GREY, THIRD, WIDE, Plot, series_of
from tightrope.report.draw.scale import Scale
from tightrope.report.draw.table import Table
from tightrope.report.figure import Figure
from tightrope.report.tuning import Tuning

_SHOWN = (0.03, 0.9)  # quantiles of the intervals' ends that the axis holds
_MOST_ESTIMATES = 150  # of one tuning: each takes a fraction of a millisecond
_COLUMNS = ("tuning", "config", "spent", "cost", "low", "high", "is_bound", "tasks", "on", "promoted")
_READING = (
    "Lower is better: the line is the mean cost of the best config known at that time on its tasks so far, "
    "the band its 95 % interval, and each dot a promotion."
)
_READING_OF_SEVERAL = (
    "Lower is better: each line is the mean cost of a tuning's best config at that time, each small dot a "
    "promotion, and a large dot at the end the validated mean with its 95 % interval."
)


@dataclass(frozen=True, slots=True)
class Point:
    """The incumbent after a run: its number, its estimate, and what had been spent."""

    number: int
    spent: float
    cost: Estimate
    is_promotion: bool


def points_of(tuning: Tuning) -> list[Point]:
    """Return the incumbent's estimate whenever it was promoted or had run again."""
    reigns = _reigns(tuning)
    n_runs = sum(
        int(np.count_nonzero(tuning.columns.config == tuning.index_of(config))) for config, _, _ in reigns
    )
    every = max(1, n_runs // _MOST_ESTIMATES)
    return [point for reign in reigns for point in _points_of_reign(tuning, *reign, every=every)]


def _reigns(tuning: Tuning) -> list[tuple[Config, float, float]]:
    """Return each incumbent, and from where to where in the cost spent it was the incumbent."""
    names = [tuning.progress.default, *(each.config for each in tuning.trajectory)]
    begins = [0.0, *(each.spent for each in tuning.trajectory)]
    return list(zip(names, begins, [*begins[1:], float(np.inf)], strict=True))


def _points_of_reign(tuning: Tuning, config: Config, begin: float, end: float, *, every: int) -> list[Point]:
    place = tuning.index_of(config)
    if place < 0:
        return []
    scores: dict[Task, Score] = {}
    found: list[Point] = []
    number, tolerance = int(tuning.number[place]), 1e-9 * max(1.0, begin)
    runs = np.flatnonzero((tuning.columns.config == place) & ~tuning.has(Status.LOST)).tolist()
    runs = [i for i in runs if tuning.spent[i] < end - tolerance] or runs[:1]
    for count, i in enumerate(runs):
        run = tuning.columns.run(i)
        scores[run.trial.task] = better_known(scores.get(run.trial.task), score_of(run.outcome))
        is_next_in = count + 1 < len(runs) and tuning.spent[runs[count + 1]] <= begin + tolerance
        is_last = count + 1 == len(runs)
        if is_next_in or (found and count % every and not is_last):
            continue
        spent = max(float(tuning.spent[i]), begin)
        found.append(Point(number, spent, estimate(scores, tuning.objective), not found and begin > 0))
    return found


def incumbents(tunings: Sequence[Tuning]) -> Figure:
    """Draw the incumbents of one tuning, or of several."""
    table = Table(_COLUMNS)
    found = [points_of(tuning) for tuning in tunings]
    every = [point for points in found for point in points]
    ends = [end for point in every if point.cost.interval for end in point.cost.interval]
    costs = [point.cost.mean for point in every]
    wording = tunings[0].wording
    plot = Plot(
        Scale.of([point.spent for point in every] + [float(t.spent[-1]) for t in tunings], margin=0.03),
        Scale.of([*costs, *_validated(tunings), *_inner(ends)]),
        wording.spent_axis("spent so far"),
        wording.cost_axis("mean cost of the incumbent"),
        width=WIDE,
        height=380,
    )
    for series, (tuning, points) in enumerate(zip(tunings, found, strict=True)):
        _draw(plot, table, tuning, points, series_of(series), has_band=len(tunings) == 1)
        if len(tunings) > 1:
            plot.key(tuning.name, series_of(series))
    if len(tunings) == 1:
        plot.key("incumbent, 95 % interval", BEST)
    plot.key("promotion", BEST if len(tunings) == 1 else GREY, shape="dot")
    for series, tuning in enumerate(tunings):
        one = None if len(tunings) == 1 else series_of(series)
        _draw_validation(plot, table, tuning, one)
    n = sum(point.is_promotion for point in every)
    return Figure.of(
        plot,
        table,
        name="incumbent" if len(tunings) == 1 else "incumbents",
        title="Incumbent over cost spent",
        reading=_READING if len(tunings) == 1 else _READING_OF_SEVERAL,
        alt=f"Line of the incumbent's mean cost over the cost spent, with {n} promotions",
        is_wide=True,
    )


def _inner(values: Sequence[float]) -> list[float]:
    """Leave out the most extreme values: intervals of few tasks are so wide that they would hide the rest."""
    return [float(end) for end in np.quantile(values, _SHOWN)] if values else []


def _validated(tunings: Sequence[Tuning]) -> list[float]:
    """Return the validated costs, which are drawn at the right ends of the lines."""
    found = [tuning.validation for tuning in tunings if tuning.validation is not None]
    return [one.cost.mean for each in found for one in each.contenders]


def _draw(
    plot: Plot, table: Table, tuning: Tuning, points: Sequence[Point], series: int, *, has_band: bool
) -> None:
    if not points:
        return
    rows = [
        table.add(
            tuning.name, point.number, point.spent, point.cost.mean, *(point.cost.interval or ("", "")),
            "yes" if point.cost.is_bound else "no", point.cost.n_tasks, "training",
            "yes" if point.is_promotion else "no",
        )
        for point in points
    ]  # fmt: skip
    spent = [*(point.spent for point in points), float(tuning.spent[-1])]
    costs = [point.cost.mean for point in points]
    if has_band:
        edges = [point.cost.interval or (point.cost.mean, point.cost.mean) for point in points]
        edges.append(edges[-1])
        across = np.repeat(np.array(spent), 2)[1:]
        low, high = (np.repeat(np.array([edge[side] for edge in edges]), 2)[:-1] for side in (0, 1))
        plot.band(across, low, high, series)
    plot.steps(spent, [*costs, costs[-1]], series)
    chosen = [i for i, point in enumerate(points) if point.is_promotion]
    plot.marks(
        [spent[i] for i in chosen], [costs[i] for i in chosen], series, [rows[i] for i in chosen], size=8
    )
    others = [i for i in range(len(points)) if i not in set(chosen)]
    plot.hover([spent[i] for i in others], [costs[i] for i in others], [rows[i] for i in others])


def _draw_validation(plot: Plot, table: Table, tuning: Tuning, of_several: int | None) -> None:
    """Draw the validated means at the right end; of several tunings, only the best config's."""
    found = tuning.validation
    if found is None:
        return
    end = float(tuning.spent[-1])
    for one, series in zip(found.contenders, (DEFAULT, THIRD), strict=True):
        if of_several is not None and one.name == "default":
            continue
        number = 0 if one.name == "default" else tuning.progress.number
        low, high = one.cost.interval or (one.cost.mean, one.cost.mean)
        row = table.add(
            tuning.name, number, end, one.cost.mean, low, high,
            "yes" if one.cost.is_bound else "no", one.cost.n_tasks, found.on, "no",
        )  # fmt: skip
        color = series if of_several is None else of_several
        plot.line([end, end], [low, high], color)
        plot.marks([end], [one.cost.mean], color, [row], size=9)
        if of_several is None:
            plot.key(f"{one.name}, validated on {found.on}", series, shape="dot")
