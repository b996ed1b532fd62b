"""What a model of the runs says: slices through the best config, and its error on runs it has not seen.

The report fits a forest of its own, to at most a few thousand runs, with the settings of the scenario: the
tuning's own models are not kept. For its error each run is predicted by a forest without that run: one of
five, each of which leaves out a fifth.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tightrope.forest import ALGORITHM_1, CensoredForest
from tightrope.race.training import InstanceColumns
from tightrope.records import Status
from tightrope.report.draw.plot import BEST, DEFAULT, GREY, Plot, tiled
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
_TREES, FOLDS = 20, 5
_MOST_SLICES, _N_POINTS, _MOST_INSTANCES = 8, 31, 60
_N_ACROSS, _PANEL_WIDTH, _PANEL_HEIGHT = 4, 245, 210
_SEED = 0  # of the choice of runs, so that the same folder gives the same page
_SLICE_READING = (
    "Model's estimate of the mean cost, with one standard deviation, if one parameter of the best config is "
    "changed: a flat line means that it hardly matters. The blue dot is the best value, the orange one the "
    "default's."
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
    """A forest for slices, and the belief about each run of forests that did not learn from it."""

    space: Space
    view: InstanceColumns
    data: _Data
    baseline: Floats  # of each instance: costs are learnt as multiples of it
    forest: CensoredForest
    predicted: Floats  # of each run in data
    low: Floats  # one standard deviation below
    high: Floats


def fit(
    tuning: Tuning,
    *,
    n_trees: int = _TREES,
    most_runs: int = _MOST_RUNS,
    is_checked: bool = True,
    n_jobs: int | None = None,
) -> Fitted | None:
    """Fit a forest to all runs, and if it is checked, one without each fifth of them.

    Returns None if there are too few runs. Unchecked, the predictions of runs are missing.
    """
    data = _data(tuning, most_runs)
    if data is None:
        return None
    space = Space.of(tuning.scenario.space)
    view = InstanceColumns.of(
        len(tuning.scenario.instances),
        tuning.scenario.feature_table,
        components=tuning.scenario.tactics.components,
    )
    X = np.hstack([space.for_model(data.rows), view.columns[data.instance]])
    categorical = np.concatenate([space.categorical, view.categorical])
    baseline = _baseline(tuning)
    of_run = baseline[data.instance]

    def fitted_to(kept: Bools) -> CensoredForest:
        return _forest(tuning, n_trees, n_jobs).fit(
            X[kept], data.cost[kept], data.censored[kept], categorical=categorical, baseline=of_run[kept]
        )

    fold = np.random.default_rng(_SEED).permutation(data.cost.size) % FOLDS
    mean, s = np.full((2, data.cost.size), np.nan)
    for i in range(FOLDS if is_checked else 0):
        mean[fold == i], s[fold == i] = fitted_to(fold != i).belief(X[fold == i])
    ends = (np.exp(mean + k * s) * of_run for k in (0, -1, 1))
    return Fitted(space, view, data, baseline, fitted_to(np.ones(data.cost.size, dtype=bool)), *ends)


def _forest(tuning: Tuning, n_trees: int, n_jobs: int | None) -> CensoredForest:
    return CensoredForest(
        n_estimators=n_trees,
        log=True,
        ceiling=tuning.scenario.ceiling,
        par=tuning.scenario.par,
        min_samples_split=5,
        random_state=_SEED,
        n_jobs=n_jobs,
        **{**ALGORITHM_1, "min_variance": 1e-4, "max_iter": 5},
    )


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


def _data(tuning: Tuning, most_runs: int) -> _Data | None:
    columns, ceiling = tuning.columns, tuning.scenario.ceiling
    number = {name: i for i, name in enumerate(tuning.scenario.instances)}
    instance = np.array([number.get(task.instance, -1) for task in columns.tasks], dtype=np.int64)
    (known,) = np.nonzero(~tuning.has(Status.LOST) & (instance[columns.task] >= 0) & (tuning.bounded > 0))
    if known.size < _FEWEST_RUNS or not tuning.has(Status.DONE).any():
        return None
    if known.size > most_runs:
        known = np.sort(np.random.default_rng(_SEED).choice(known, most_runs, replace=False))
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
