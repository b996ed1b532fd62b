"""What the figures are drawn from: a result, a history or a run folder, as the report sees it."""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite, nan
from pathlib import Path
from typing import Any

import numpy as np

from tightrope.api.result import MinimizeResult, Result, TuneResult
from tightrope.api.validation import Validation
from tightrope.budget import Budget
from tightrope.cli.runs.folder import RunFolder
from tightrope.cli.runs.replay import Replay
from tightrope.cli.runs.report import tuning_of, wording_of
from tightrope.cli.terminal import ending, phrases
from tightrope.cli.terminal.console import Terminal
from tightrope.cli.terminal.phrases import Kind
from tightrope.compare.caveats import caveats
from tightrope.compare.progress import ProgressTracker, number_configs
from tightrope.records import Config, Incumbent, Resumed, StopReason, Trial
from tightrope.report.tuning import Tuning
from tightrope.run import CommandTarget
from tightrope.scenario.scenario import Scenario
from tightrope.space import Space
from tightrope.store.history import History

Source = Result | History | str | Path

_MARGIN = 1e-9  # of the ends of a range
_WIDE = 1000.0  # largest over smallest value, above which a parameter gets a logarithmic axis


def tuning_from(
    source: Source, *, scenario: Scenario | None = None, validation: Validation | None = None, name: str = ""
) -> Tuning:
    """Return what the report would know of a result, a history, or the run folder at a path.

    A history does not tell when configs became incumbents: its best config is the first of `History.table`.
    """
    if isinstance(source, str | Path):
        folder = RunFolder.open(Path(source))
        silent = Terminal.of(quiet=True, verbose=False, is_json=False, no_color=True, to_stderr=True)
        seen = Replay(folder, silent).look()
        return tuning_of(folder, seen, name or folder.path.resolve().name)
    if isinstance(source, History):
        known = scenario or scenario_of(source)
        return _tuning(source, known, _best_of(source, known), name or "history", validation=validation)
    if isinstance(source, TuneResult):
        known = scenario or source.scenario or scenario_of(source.history)
    elif isinstance(source, MinimizeResult):
        known = scenario or _scenario_of_search(source)
    else:
        raise TypeError(
            f"a figure needs a result of tune or minimize, a History or a run folder, not {source!r}"
        )
    return _tuning(
        source.history,
        known,
        source.trajectory,
        name or "result",
        wall_s=source.wall_s,
        reason=source.reason,
        validation=validation,
    )


def _tuning(
    history: History,
    scenario: Scenario,
    trajectory: Sequence[Incumbent],
    name: str,
    *,
    wall_s: float = nan,
    reason: StopReason | None = None,
    validation: Validation | None = None,
) -> Tuning:
    if not len(history):
        raise ValueError("there is nothing to draw: no run has ended")
    if isinstance(scenario.target, str):
        command = CommandTarget(scenario.target, names=Space.of(scenario.space).names)
        scenario = replace(scenario, target=command)
    kind, runs = Kind.of(scenario), tuple(history.runs)
    tracker = ProgressTracker(scenario)
    tracker.take(Resumed(runs, tuple(trajectory), (), 0.0))
    progress = tracker.progress()
    numbers: dict[Config, int] = {progress.default: 0}
    number_configs([run.trial for run in runs], numbers)
    why = (
        "all runs have ended" if reason is None else phrases.reason(reason, Budget.of(scenario.budget), kind)
    )
    return Tuning(
        name=name,
        scenario=scenario,
        progress=progress,
        history=history,
        number=np.array([numbers.get(config, -1) for config in history.columns.configs], dtype=np.int64),
        began_s=np.full(len(history), nan),
        trajectory=tuple(trajectory),
        wall_s=wall_s,
        slots=1,
        sentence=ending.sentence(progress, kind, wall_s=wall_s if isfinite(wall_s) else 0.0, reason=why),
        command="",
        findings=caveats(scenario, progress, history),
        validation=validation,
        is_running=False,
        wording=wording_of(kind, progress.default),
    )


def scenario_of(history: History, space: Any = None) -> Scenario:
    """Return a scenario that fits the runs: ranges, instances and ceiling are those that occur in them.

    Ranges are those of the space, if it is known.
    """
    columns = history.columns
    if not len(history):
        raise ValueError("there is nothing to draw: no run has ended")
    used = np.unique(columns.config).tolist()
    configs = [columns.configs[i] for i in used]
    if space is None and len({tuple(sorted(config)) for config in configs}) > 1:
        raise ValueError("configs have different parameters: pass the scenario, as in scenario=scenario")
    first: Trial = min((run.trial for run in history), key=lambda trial: trial.id)
    finite = columns.cap[np.isfinite(columns.cap)]
    ceiling = max([1e-9, *finite.tolist(), *columns.cost[np.isfinite(columns.cost)].tolist()])
    tasks = [columns.tasks[i] for i in np.unique(columns.task).tolist()]
    if space is None:
        space = {key: _values([config[key] for config in configs]) for key in configs[0]}
    return Scenario(
        space=space,
        default=dict(first.config),
        instances=list(dict.fromkeys(task.instance for task in tasks)),
        ceiling=ceiling,
        resolution=min(0.01, ceiling / 1000),
        budget=Budget(runs=len(history)),
    )


def _values(values: list[Any]) -> Any:
    """Return a range or a list of choices that holds these values."""
    is_number = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
    if not is_number or min(values) == max(values):
        return list(dict.fromkeys(values))
    low, high = min(values), max(values)
    if not all(isinstance(value, int) for value in values):
        # ConfigSpace rounds the ends of ranges; all values must stay inside.
        low, high = low - _MARGIN * abs(low), high + _MARGIN * abs(high)
    return (low, high, "log") if low > 0 and high > _WIDE * low else (low, high)


def _scenario_of_search(result: MinimizeResult) -> Scenario:
    options, columns = result.options, result.history.columns
    costs = [
        *columns.cost[np.isfinite(columns.cost)].tolist(),
        *columns.cap[np.isfinite(columns.cap)].tolist(),
    ]
    ceiling = options.ceiling if isfinite(options.ceiling) else max([1e-9, *costs])
    first = min((run.trial for run in result.history), key=lambda trial: trial.id)
    return Scenario(
        space=options.space,
        default=dict(first.config),
        ceiling=ceiling,
        resolution=min(0.01, ceiling / 1000),
        budget=Budget(runs=len(result.history)),
    )


def _best_of(history: History, scenario: Scenario) -> tuple[Incumbent, ...]:
    """Return the best config, the cheapest of those with most tasks, as the only incumbent."""
    columns = history.columns
    pairs = np.unique(np.stack([columns.config, columns.task]), axis=1)
    used, n_tasks = np.unique(pairs[0], return_counts=True)
    summary = history.by_config()
    best = np.lexsort((summary.at_least, -n_tasks))[0]
    config = columns.configs[int(used[best])]
    if config == scenario.default_config:
        return ()
    own = np.flatnonzero(columns.config == used[best])
    spent = float(np.cumsum(columns.spent)[own[-1]])
    return (Incumbent(config, float(summary.at_least[best]), int(n_tasks[best]), spent=spent),)
