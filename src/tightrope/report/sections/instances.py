"""Default against best, instance by instance."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from statistics import fmean

from tightrope.compare.match import scores_by_config
from tightrope.race.objective import Score
from tightrope.records import Task
from tightrope.report.draw.plot import BEST, GREY, THIRD, Plot, Shape, series_of
from tightrope.report.draw.scale import Scale, thin
from tightrope.report.draw.table import Table
from tightrope.report.figure import Figure
from tightrope.report.tuning import Tuning

_MOST = 1500  # instances that are drawn
_SIZE = 460
_READING = (
    "Each dot is an instance; below the diagonal the best config costs less. An arrow is a bound: the run "
    "was stopped, and the cost lies in its direction. Dashed lines are the ceiling."
)


@dataclass(frozen=True, slots=True)
class _Cost:
    """Mean cost of a config on an instance, at most the ceiling; a lower bound unless `exact`."""

    mean: float
    exact: bool


def instances(tuning: Tuning) -> Figure | None:
    """Draw the costs of default and best on the instances that both were run on."""
    if tuning.progress.number == 0:
        return None
    sets = {"training": (tuning, _trained(tuning), THIRD)}
    if tuning.validation is not None:
        sets[tuning.validation.on] = tuning, _validated(tuning), BEST
    return _figure({f"{name} instances": each for name, each in sets.items()}, "cost of the best")


def instances_of_several(tunings: Sequence[Tuning]) -> Figure | None:
    """Draw the best config of each tuning against the default, on the validation's instances if there are."""
    pairs_of = _validated if all(tuning.validation for tuning in tunings) else _trained
    sets = {tuning.name: (tuning, pairs_of(tuning), series_of(i)) for i, tuning in enumerate(tunings)}
    return _figure(sets, "cost of the best config of each tuning")


_Pairs = Mapping[str, tuple[_Cost, _Cost]]


def _trained(tuning: Tuning) -> _Pairs:
    default, best = (tuning.scores(config) for config in (tuning.progress.default, tuning.progress.config))
    return _pairs(default, best, tuning.scenario.ceiling)


def _validated(tuning: Tuning) -> _Pairs:
    assert tuning.validation is not None
    known = scores_by_config(tuning.validation.history)
    default, best = (known.get(config, {}) for config in (tuning.progress.default, tuning.progress.config))
    return _pairs(default, best, tuning.scenario.ceiling)


def _figure(sets: Mapping[str, tuple[Tuning, _Pairs, int]], up: str) -> Figure | None:
    shown = [pair for _, pairs, _ in sets.values() for pair in pairs.values()]
    if not shown:
        return None
    scale = Scale.of([cost.mean for pair in shown for cost in pair if cost.mean > 0], is_log=True)
    tuning = next(iter(sets.values()))[0]
    axis = tuning.wording.cost_axis
    plot = Plot(scale, scale, axis("cost of the default"), axis(up), _SIZE, _SIZE)
    plot.line([scale.low, scale.high], [scale.low, scale.high], GREY, width=1)
    _draw_ceiling(plot, scale, tuning.scenario.ceiling)
    table = Table(
        ("tuning", "config", "set", "instance", "default", "best", "default_is_bound", "best_is_bound")
    )
    for name, (own, pairs, series) in sets.items():
        _draw(plot, table, (own.name, own.progress.number, name), pairs, series)
    n_better = sum(one.mean > other.mean and other.exact for one, other in shown)
    n_all = max(len(pairs) for _, pairs, _ in sets.values())
    return Figure.of(
        plot,
        table,
        name="instances",
        title="Default against best per instance",
        reading=_READING,
        alt=f"Scatter plot on logarithmic axes: the best config costs less on {n_better} of {len(shown)} "
        "instances",
        note=f"{_MOST} of {n_all} instances are drawn, evenly chosen." if n_all > _MOST else "",
    )


def _pairs(
    one: Mapping[Task, Score], other: Mapping[Task, Score], ceiling: float
) -> dict[str, tuple[_Cost, _Cost]]:
    """Return both costs on each instance, over the tasks that both were run on."""
    tasks: defaultdict[str, list[Task]] = defaultdict(list)
    for task in one:
        if task in other:
            tasks[task.instance].append(task)
    return {
        name: (_mean([one[task] for task in own], ceiling), _mean([other[task] for task in own], ceiling))
        for name, own in tasks.items()
    }


def _mean(scores: list[Score], ceiling: float) -> _Cost:
    costs = [min(score.cost, ceiling) if isfinite(score.cost) else ceiling for score in scores]
    return _Cost(fmean(costs), all(score.exact and score.cost < ceiling for score in scores))


def _draw_ceiling(plot: Plot, scale: Scale, ceiling: float) -> None:
    if scale.low < ceiling < scale.high:
        plot.line([ceiling, ceiling], [scale.low, scale.high], GREY, width=1, dash=True)
        plot.line([scale.low, scale.high], [ceiling, ceiling], GREY, width=1, dash=True)


_SHAPES: Mapping[tuple[bool, bool], Shape] = {
    (True, True): "dot",
    (False, True): "right",
    (True, False): "up",
    (False, False): "both",
}


def _draw(plot: Plot, table: Table, head: tuple[str, int, str], pairs: _Pairs, series: int) -> None:
    names = list(pairs)
    for (is_one, is_other), shape in _SHAPES.items():
        chosen = [names[i] for i in thin(len(names), _MOST).tolist()]
        chosen = [
            each for each in chosen if (pairs[each][0].exact, pairs[each][1].exact) == (is_one, is_other)
        ]
        rows = [
            table.add(
                *head, each, pairs[each][0].mean, pairs[each][1].mean,
                "no" if is_one else "yes", "no" if is_other else "yes",
            )
            for each in chosen
        ]  # fmt: skip
        xs, ys = ([pairs[each][side].mean for each in chosen] for side in (0, 1))
        plot.marks(xs, ys, series, rows, shape=shape, opacity=0.75)
    if names:
        plot.key(head[-1], series, shape="dot")
