"""Can I trust it? Coverage of instances, noise between seeds, and findings."""

from collections import defaultdict

import numpy as np

from tightrope.records import Status
from tightrope.report.draw.plot import BEST, GREY, Plot
from tightrope.report.draw.scale import Scale, grouped, thin
from tightrope.report.draw.table import Table
from tightrope.report.figure import Figure
from tightrope.report.tuning import Tuning

_MOST = 300  # instances that are drawn
_READING = (
    "Each place is an instance, sorted by use; blue dots were run by the best config, and an instance that "
    "was hardly used says little about the result."
)


def coverage(tuning: Tuning) -> Figure | None:
    """Draw how many runs each instance had, and whether the best config was among them."""
    names = list(tuning.scenario.instances)
    if len(names) < 2:
        return None
    counts = _runs_by_instance(tuning)
    used = {task.instance for task in tuning.scores(tuning.progress.config)}
    order = sorted(names, key=lambda name: -counts.get(name, 0))
    kept = [order[i] for i in thin(len(order), _MOST).tolist()]
    place = {name: i + 1 for i, name in enumerate(order)}
    table = Table(("instance", "runs", "run_by_best"))
    is_log = max(counts.values(), default=1) > 20 * max(1, min(counts.get(name, 0) for name in names))
    top = max([1, *counts.values()])
    y = Scale(0.5, 1.5 * top, is_log=True) if is_log else Scale(0.0, 1.08 * top)
    plot = Plot(Scale(0.0, len(order) + 1.0), y, "instances, most used first", "runs of all configs")
    for is_used, series, word in (
        (False, GREY, "not by the best config"),
        (True, BEST, "by the best config"),
    ):
        own = [name for name in kept if (name in used) is is_used]
        rows = table.extend((name, counts.get(name, 0), "yes" if is_used else "no") for name in own)
        heights = [max(counts.get(name, 0), 0.5 if is_log else 0) for name in own]
        plot.marks([place[name] for name in own], heights, series, rows, size=7)
        if own:
            plot.key(f"run {word}", series, shape="dot")
    return Figure.of(
        plot,
        table,
        name="coverage",
        title="Coverage of instances",
        reading=_READING,
        alt=f"Runs of each of {len(order)} instances; {len(used)} were run by the best config",
        note=f"{len(kept)} of {grouped(len(order))} instances are drawn, evenly chosen."
        if len(kept) < len(order)
        else "",
    )


def _runs_by_instance(tuning: Tuning) -> dict[str, int]:
    counts = np.bincount(tuning.columns.task, minlength=len(tuning.columns.tasks))
    found: defaultdict[str, int] = defaultdict(int)
    for task, n in zip(tuning.columns.tasks, counts.tolist(), strict=True):
        found[task.instance] += n
    return dict(found)


def noise(tuning: Tuning) -> str:
    """Describe how much the best config's cost varies between seeds of the same instance, in a phrase."""
    costs: defaultdict[str, list[float]] = defaultdict(list)
    columns = tuning.columns
    own = np.flatnonzero(
        (columns.config == tuning.index_of(tuning.progress.config)) & tuning.has(Status.DONE)
    )
    for i in own.tolist():
        if columns.cost[i] > 0:
            costs[columns.tasks[int(columns.task[i])].instance].append(float(columns.cost[i]))
    spreads = [float(np.std(np.log(each), ddof=1)) for each in costs.values() if len(each) > 1]
    if not spreads:
        return "not known: no instance was run twice by the best config"
    factor = float(np.exp(np.median(spreads)))
    return f"typically a factor of {factor:.2f} between seeds of an instance ({len(spreads)} instances)"
