"""Configs by tasks: the cost of each run as a shade, cut runs hatched."""

import numpy as np
from numpy.typing import NDArray

from tightrope.records import Status
from tightrope.report.draw.plot import WIDE, Plot
from tightrope.report.draw.scale import Scale, grouped, label, thin
from tightrope.report.draw.table import Table
from tightrope.report.figure import Figure
from tightrope.report.tuning import Tuning
from tightrope.store.columns import STATUSES

Ints = NDArray[np.int64]

# Of equal steps in lightness, for readers who see no hues; dark means cheap.
SHADES = ("#23457f", "#3f5b86", "#5d7189", "#7e8784", "#a39d74", "#cbb95d", "#fee838")
_MOST_CONFIGS, _MOST_TASKS = 40, 90
_N_DROPPED = 14  # of the configs: some that were soon dropped
_CELL_HEIGHT = 11
_READING = (
    "A column is a task, a row a config, darker is cheaper; hatched runs were cut and cost at least that, "
    "crossed ones failed, and empty cells were never run."
)
_HATCH = (
    '<defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><path d="M0 0V5" stroke="#fff" stroke-width="2.4" '
    'stroke-opacity="0.75"/></pattern></defs>'
)


def heatmap(tuning: Tuning) -> Figure | None:
    """Draw the configs that ran most, in the order of their numbers, on the tasks that were used most."""
    columns = tuning.columns
    if len(columns.configs) < 2 or len(columns.tasks) < 2:
        return None
    configs, tasks = _chosen_configs(tuning), _chosen_tasks(tuning)
    cells = _last_runs(tuning, configs, tasks)
    height = 60 + _CELL_HEIGHT * configs.size
    x, y = Scale(0.0, float(tasks.size)), Scale(0.0, float(configs.size))
    plot = Plot(x, _names(tuning, configs), "", "", WIDE, height, 96)
    plot.x = Scale(0.0, float(tasks.size), names=())
    table = Table(("config", "instance", "seed", "cost", "status", "cap"))
    levels = _draw(plot, table, tuning, cells, (x, y))
    _draw_legend(plot, levels)
    n_configs, n_tasks = np.unique(columns.config).size, np.unique(columns.task).size
    note = (
        f"{configs.size} of {grouped(n_configs)} configs (default, incumbents, those with most runs, others) "
        f"and {tasks.size} of {grouped(n_tasks)} tasks are drawn."
    )
    left_out = configs.size < n_configs or tasks.size < n_tasks
    return Figure.of(
        plot,
        table,
        name="heatmap",
        title="Configs by tasks",
        reading=_READING,
        alt=f"Heat map of {configs.size} configs on {tasks.size} tasks",
        note=note if left_out else "",
        is_wide=True,
    )


def _chosen_configs(tuning: Tuning) -> Ints:
    """Return the places of default, incumbents, configs with most runs and some others, by number."""
    first = [tuning.index_of(tuning.progress.default), tuning.index_of(tuning.progress.config)]
    first += [tuning.index_of(each.config) for each in reversed(tuning.trajectory)]
    counts = np.bincount(tuning.columns.config, minlength=len(tuning.columns.configs))
    most = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)]
    chosen = list(dict.fromkeys(place for place in [*first, *most[:_MOST_CONFIGS].tolist()] if place >= 0))
    chosen = chosen[: _MOST_CONFIGS - _N_DROPPED]
    dropped = np.setdiff1d(most, chosen)
    chosen += dropped[thin(dropped.size, _MOST_CONFIGS - len(chosen))].tolist()
    kept = np.array(chosen, dtype=np.int64)
    return np.asarray(kept[np.argsort(tuning.number[kept])], dtype=np.int64)


def _chosen_tasks(tuning: Tuning) -> Ints:
    counts = np.bincount(tuning.columns.task, minlength=len(tuning.columns.tasks))
    order = np.argsort(-counts, kind="stable")[:_MOST_TASKS]
    return np.asarray(order[counts[order] > 0], dtype=np.int64)


def _last_runs(tuning: Tuning, configs: Ints, tasks: Ints) -> list[tuple[int, int, int]]:
    """Return run, row and column of each cell; of several runs the last that finished, else the last."""
    row = np.full(len(tuning.columns.configs), -1)
    row[configs] = np.arange(configs.size)
    column = np.full(len(tuning.columns.tasks), -1)
    column[tasks] = np.arange(tasks.size)
    rows, across = row[tuning.columns.config], column[tuning.columns.task]
    (inside,) = np.nonzero((rows >= 0) & (across >= 0) & ~tuning.has(Status.LOST))
    done = tuning.has(Status.DONE)
    order = sorted(inside.tolist(), key=lambda i: bool(done[i]))
    cells = {(int(rows[i]), int(across[i])): i for i in order}
    return [(i, r, c) for (r, c), i in cells.items()]


def _names(tuning: Tuning, configs: Ints) -> Scale:
    """Return the vertical axis: numbers of the configs, at the middle of their rows."""
    numbers = tuning.number[configs].tolist()
    named = {0: "default", tuning.progress.number: f"best #{tuning.progress.number}"}
    if tuning.progress.number == 0:
        named[0] = "default"
    return _Rows(0.0, float(configs.size), names=[named.get(number, f"#{number}") for number in numbers])


class _Rows(Scale):
    """Rows from top to bottom, with each name at its row's middle."""

    __slots__ = ()

    def ticks(self) -> list[tuple[float, str]]:
        """Return the middle and the name of each row."""
        names = list(self.names or ())
        return [(len(names) - i - 0.5, name) for i, name in enumerate(names)]


def _draw(
    plot: Plot,
    table: Table,
    tuning: Tuning,
    cells: list[tuple[int, int, int]],
    scales: tuple[Scale, Scale],
) -> list[float]:
    """Draw the cells, and return the costs at which the shade changes."""
    columns, n_rows = tuning.columns, scales[1].high
    runs = np.array([run for run, _, _ in cells])
    costs = tuning.bounded[runs]
    positive = costs[costs > 0]
    floor = float(positive.min()) if positive.size else 1.0
    levels = np.geomspace(floor, max(float(costs.max()), floor * 1.01), len(SHADES) + 1)
    shade = np.clip(np.searchsorted(levels, costs, side="right") - 1, 0, len(SHADES) - 1)
    rows = n_rows - np.array([row for _, row, _ in cells]) - 0.5
    across = np.array([column for _, _, column in cells]) + 0.5
    xs, ys = plot.across(across), plot.up(rows)
    width = float(plot.across(1.0) - plot.across(0.0)) - 0.8
    height = float(plot.up(0.0) - plot.up(1.0)) - 0.8
    is_cut, is_failed = (
        columns.status[runs] == STATUSES.index(status) for status in (Status.CAPPED, Status.FAILED)
    )
    cell = f"h{width:.1f}v{height:.1f}h-{width:.1f}z"
    plot.raw(_HATCH)
    for fill, chosen in [(color, shade == i) for i, color in enumerate(SHADES)] + [("url(#hatch)", is_cut)]:
        places = zip(xs[chosen] - width / 2, ys[chosen] - height / 2, strict=True)
        path = "".join(f"M{x:.1f} {y:.1f}{cell}" for x, y in places)
        plot.raw(f'<path d="{path}" fill="{fill}"/>')
    crosses = "".join(
        f"M{x:.1f} {y:.1f}m-3-3l6 6m0-6l-6 6" for x, y in zip(xs[is_failed], ys[is_failed], strict=True)
    )
    plot.raw(f'<path d="{crosses}" fill="none" stroke="#000" stroke-width="1.4"/>')
    for (run, _, _), x, y in zip(cells, xs.tolist(), ys.tolist(), strict=True):
        task = columns.tasks[int(columns.task[run])]
        row = table.add(
            int(tuning.runs_number[run]), task.instance, task.seed, float(tuning.bounded[run]),
            STATUSES[int(columns.status[run])].value, float(columns.cap[run]),
        )  # fmt: skip
        plot.points.append((x, y, row))
    return [float(level) for level in levels]


def _draw_legend(plot: Plot, levels: list[float]) -> None:
    """Draw the shades with their costs below the plot, at the right."""
    y, width = plot.height - 18, 46
    plot.raw(f'<text class="label" x="{plot.left}" y="{y}">tasks, those used by most configs first</text>')
    left = plot.width - 26 - width * len(SHADES)
    for i, color in enumerate(SHADES):
        plot.raw(f'<rect x="{left + i * width}" y="{y - 10}" width="{width}" height="10" fill="{color}"/>')
    for i, level in enumerate(levels):
        text = label(float(f"{level:.2g}"))
        plot.raw(
            f'<text x="{left + i * width}" y="{y + 13}" font-size="10" text-anchor="middle">{text}</text>'
        )
