"""What a model of the runs says: slices through the best config, and its error on runs it has not seen.

The report fits a forest of its own, to at most a few thousand runs, with the settings of the scenario. The
tuning's own models came and went; this one takes less than a second.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tightrope.forest import CensoredForest
from tightrope.race.training import InstanceColumns
from tightrope.records import Status
from tightrope.report.draw.plot import BEST, DEFAULT, GREY, Plot, Shape, tiled
from tightrope.report.draw.scale import Scale
from tightrope.report.draw.table import Table
from tightrope.report.figure import Figure
from tightrope.report.sections.coordinates import chosen_parameters
from tightrope.report.tuning import Tuning
from tightrope.space import Space
from tightrope.space.column import Column

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_MOST_RUNS, _FEWEST_RUNS = 2500, 60
_TREES, _HELD_OUT = 20, 0.2
_MOST_SLICES, _N_POINTS, _MOST_INSTANCES = 8, 31, 60
_N_ACROSS, _PANEL_WIDTH, _PANEL_HEIGHT = 4, 245, 210
_SEED = 0  # of the choice of runs, so that the same folder gives the same page
_MARKS: Sequence[tuple[bool, int, Shape, str]] = (
    (True, GREY, "tick", "cut: at least this"),
    (False, BEST, "dot", "finished"),
)
_SLICE_READING = (
    "Model's estimate of the mean cost, with one standard deviation, if one parameter of the best config is "
    "changed: a flat line means that it hardly matters. The blue dot is the best value, the orange one the "
    "default's."
)
_ERROR_READING = (
    "Each mark is a run that the model did not learn from; near the diagonal the prediction was right, and "
    "an arrow means that the true cost is higher, because the run was cut."
)


@dataclass(frozen=True, slots=True)
class _Data:
    """Runs as rows of a model; a cost is a lower bound where `censored`."""

    run: Ints
    rows: Floats  # of the configs
    instance: Ints
    cost: Floats
    censored: Bools


@dataclass(frozen=True, slots=True)
class Fitted:
    """A forest for slices, and predictions of the runs that were held out."""

    space: Space
    view: InstanceColumns
    data: _Data
    baseline: Floats  # of each instance: costs are learnt as multiples of it
    forest: CensoredForest
    held_out: Ints  # places in data
    predicted: Floats


def fit(tuning: Tuning) -> Fitted | None:
    """Fit a forest to four fifths of the runs; None if there are too few."""
    data = _data(tuning)
    if data is None:
        return None
    rng = np.random.default_rng(_SEED)
    order = rng.permutation(data.cost.size)
    n_held = int(_HELD_OUT * order.size)
    held, kept = order[:n_held], order[n_held:]
    space = Space.of(tuning.scenario.space)
    view = InstanceColumns.of(
        len(tuning.scenario.instances),
        tuning.scenario.feature_table,
        components=tuning.scenario.tactics.components,
    )
    X = np.hstack([space.for_model(data.rows), view.columns[data.instance]])
    forest = CensoredForest(
        n_estimators=_TREES,
        log=True,
        ceiling=tuning.scenario.ceiling,
        par=tuning.scenario.par,
        min_samples_split=5,
        min_variance=1e-4,
        max_iter=5,
        random_state=_SEED,
    )
    categorical = np.concatenate([space.categorical, view.categorical])
    baseline = _baseline(tuning)
    of_run = baseline[data.instance]
    forest.fit(X[kept], data.cost[kept], data.censored[kept], categorical=categorical, baseline=of_run[kept])
    return Fitted(space, view, data, baseline, forest, held, forest.predict(X[held]) * of_run[held])


def _baseline(tuning: Tuning) -> Floats:
    """Return the best config's cost on each instance, which make costs on different instances comparable."""
    costs = np.full(len(tuning.scenario.instances), np.nan)
    number = {name: i for i, name in enumerate(tuning.scenario.instances)}
    for task, score in tuning.scores(tuning.progress.config).items():
        if task.instance in number:
            cost = min(score.cost, tuning.scenario.ceiling)
            costs[number[task.instance]] = max(cost, tuning.scenario.resolution)
    known = costs[np.isfinite(costs)]
    typical = float(np.exp(np.log(known).mean())) if known.size else 1.0
    return np.where(np.isfinite(costs), costs, typical)


def _data(tuning: Tuning) -> _Data | None:
    columns, ceiling = tuning.columns, tuning.scenario.ceiling
    number = {name: i for i, name in enumerate(tuning.scenario.instances)}
    instance = np.array([number.get(task.instance, -1) for task in columns.tasks], dtype=np.int64)
    (known,) = np.nonzero(~tuning.has(Status.LOST) & (instance[columns.task] >= 0) & (tuning.bounded > 0))
    if known.size < _FEWEST_RUNS or not tuning.has(Status.DONE).any():
        return None
    if known.size > _MOST_RUNS:
        known = np.sort(np.random.default_rng(_SEED).choice(known, _MOST_RUNS, replace=False))
    places, inverse = np.unique(columns.config[known], return_inverse=True)
    rows = Space.of(tuning.scenario.space).encode([columns.configs[place] for place in places.tolist()])
    cost = np.maximum(tuning.bounded[known], tuning.scenario.resolution / 2)
    censored = tuning.has(Status.CAPPED)[known] | (cost >= ceiling)
    return _Data(known, rows[inverse], instance[columns.task[known]], cost, censored)


@dataclass(frozen=True, slots=True)
class _Slice:
    """The belief about values of one parameter, with the others as in the best config."""

    column: Column
    codes: Floats
    mean: Floats
    low: Floats
    high: Floats


def slices(tuning: Tuning, fitted: Fitted) -> Figure | None:
    """Draw the model's belief along the parameters that the best config changes, one panel each."""
    marginal = _Marginal(fitted)
    columns = chosen_parameters(tuning, _MOST_SLICES)
    found = [_slice(tuning, fitted.space, marginal, column) for column in columns]
    known = [each for each in found if each is not None]
    if not known:
        return None
    # All panels share an axis, so that parameters that matter stand out.
    y = Scale.of(np.concatenate([part for each in known for part in (each.low, each.high)]))
    table = Table(("parameter", "value", "cost", "low", "high"))
    panels = [_panel(tuning, each, y, table) for each in known]
    alt = f"Model's estimate of the mean cost along each of {len(panels)} parameters"
    svg, points = tiled(panels, n_columns=_N_ACROSS, title=alt)
    n_all = len(chosen_parameters(tuning, len(fitted.space.columns.each)))
    note = f"{len(panels)} of {n_all} parameters are drawn, those that the best config changes first."
    return Figure("slices", "Slices through the best config", _SLICE_READING, alt, svg, table, points,
                  note if len(panels) < n_all else "", is_wide=True)  # fmt: skip


class _Marginal:
    """The forest's belief about mean costs over instances, of which at most some are used."""

    def __init__(self, fitted: Fitted) -> None:
        instances = fitted.view.columns
        every = max(1, -(-len(instances) // _MOST_INSTANCES))
        self._forest, self._space, self._instances = fitted.forest, fitted.space, instances[::every]
        self._baseline = fitted.baseline[::every]

    def __call__(self, rows: Floats) -> tuple[Floats, Floats, Floats]:
        """Return mean, and one standard deviation below and above."""
        configs = self._space.for_model(rows)
        if self._instances.shape[1] == 0:
            mean, s = self._forest.belief(configs)
            mean = mean + np.log(self._baseline[0])
        else:
            mean, s = self._forest.belief_marginal(configs, self._instances, baseline=self._baseline)
        return np.exp(mean), np.exp(mean - s), np.exp(mean + s)


def _slice(tuning: Tuning, space: Space, marginal: _Marginal, column: Column) -> _Slice | None:
    best = tuning.progress.config
    if column.name not in best:
        return None
    codes = _grid(column)
    rows = np.tile(space.encode(best), (codes.size, 1))
    rows[:, space.columns.position[column.name]] = codes
    rows = space.activate(rows)
    legal = space.is_legal(rows)
    return _Slice(column, codes[legal], *marginal(rows[legal])) if np.count_nonzero(legal) > 1 else None


def _panel(tuning: Tuning, found: _Slice, y: Scale, table: Table) -> Plot:
    column, codes = found.column, found.codes
    values = [column.value(code) for code in codes.tolist()]
    names = [column.name] * len(values)
    rows = table.extend(zip(names, values, found.mean, found.low, found.high, strict=True))
    plot = Plot(_axis(column), y, column.name, "", _PANEL_WIDTH, _PANEL_HEIGHT, 50)
    if column.levels is None:
        plot.band(codes, found.low, found.high, GREY)
        plot.line(codes, found.mean, GREY)
        plot.hover(codes, found.mean, rows)
    else:
        for code, bottom, top in zip(codes.tolist(), found.low.tolist(), found.high.tolist(), strict=True):
            plot.line([code, code], [bottom, top], GREY, width=5)
        plot.marks(codes, found.mean, GREY, rows)
    _mark_values(plot, tuning, found)
    return plot


def _grid(column: Column) -> Floats:
    if column.is_whole and (column.levels is not None or column.upper - column.lower < _N_POINTS):
        return np.arange(column.lower, column.upper + 1.0)
    space = np.geomspace if column.is_log and column.lower > 0 else np.linspace
    points = np.asarray(space(column.lower, column.upper, _N_POINTS)).clip(column.lower, column.upper)
    return np.unique(np.round(points)) if column.is_whole else points


def _axis(column: Column) -> Scale:
    if column.levels is not None:
        names = [str(level)[:12] for level in column.levels]
        return Scale(column.lower - 0.5, column.upper + 0.5, names=names)
    return Scale(column.lower, column.upper, is_log=column.is_log and column.lower > 0)


def _mark_values(plot: Plot, tuning: Tuning, found: _Slice) -> None:
    """Mark the values of best and default at the height of the nearest point."""
    for series, config in ((DEFAULT, tuning.progress.default), (BEST, tuning.progress.config)):
        if found.column.name in config:
            code = found.column.code(config[found.column.name])
            nearest = np.argmin(np.abs(found.codes - code))
            plot.marks([code], [found.mean[nearest]], series, size=9)


def error(tuning: Tuning, fitted: Fitted) -> Figure:
    """Draw predictions of held-out runs against what was measured."""
    data, held = fitted.data, fitted.held_out
    truth, predicted, censored = data.cost[held], fitted.predicted, data.censored[held]
    scale = Scale.of(np.concatenate([truth, predicted]), is_log=True)
    axis = tuning.wording.cost_axis
    plot = Plot(scale, scale, axis("predicted"), axis("measured"), 460, 460)
    plot.line([scale.low, scale.high], [scale.low, scale.high], GREY, width=1)
    table = Table(("config", "instance", "seed", "predicted", "measured", "is_bound"))
    for is_bound, series, shape, word in _MARKS:
        own = np.flatnonzero(censored == is_bound)
        rows = []
        for i in own.tolist():
            run = int(data.run[held[i]])
            task = tuning.columns.tasks[int(tuning.columns.task[run])]
            rows.append(
                table.add(
                    int(tuning.runs_number[run]), task.instance, task.seed, float(predicted[i]),
                    float(truth[i]), "yes" if is_bound else "no",
                )
            )  # fmt: skip
        plot.marks(predicted[own], truth[own], series, rows, shape=shape, size=5, opacity=0.6)
        if own.size:
            plot.key(word, series, shape=shape)
    n_all = int(np.count_nonzero(~tuning.has(Status.LOST)))
    share = 100 * (1 - _HELD_OUT)
    return Figure.of(
        plot,
        table,
        name="model-error",
        title="Model against truth, on runs it has not seen",
        reading=_ERROR_READING,
        alt=f"Scatter plot of {held.size} predicted and measured costs",
        note=f"A forest of the report, fitted to {share:.0f} % of {data.cost.size:,} of {n_all:,} runs; the "
        "others are drawn.",
    )


def typical_error(fitted: Fitted) -> float:
    """Return the median factor between prediction and truth of held-out runs that finished; NaN if none."""
    exact = ~fitted.data.censored[fitted.held_out]
    truth = fitted.data.cost[fitted.held_out][exact]
    if not truth.size:
        return float("nan")
    return float(np.exp(np.median(np.abs(np.log(fitted.predicted[exact]) - np.log(truth)))))
