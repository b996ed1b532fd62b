"""A simulated tuning as the report sees it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tightrope import Budget, Scenario, TuneResult, tune
from tightrope.compare.progress import ProgressTracker
from tightrope.records import Event, Outcome, Run, Started, Status, Task, Trial
from tightrope.report.tuning import Tuning, Wording
from tightrope.run import Virtual
from tightrope.store import History

WORDING = Wording(
    lambda cost: f"{cost:.3g} s", lambda spent: f"{spent:.3g} s", lambda config: f"{dict(config)}", "s", "s"
)


def seconds(config: Any, instance: str, seed: int) -> float:
    """Return the cost of a config on an instance; the best x is 0.3."""
    return (1.0 + 30.0 * (config["x"] - 0.3) ** 2 + (config["mode"] == "slow")) * len(instance)


def scenario(**changes: Any) -> Scenario:
    """Return what is tuned."""
    settings: dict[str, Any] = {
        "space": {"x": (0.0, 1.0), "mode": ["slow", "quick"]},
        "default": {"x": 0.9, "mode": "slow"},
        "instances": ["a", "bb", "cccc", "dddddd", "eeeeeee", "ffffffff"],
        "ceiling": 120.0,
        "budget": Budget(runs=150),
    }
    return Scenario(**settings | changes)


def tuned(
    cost: Callable[..., float] = seconds, *, slots: int = 2, name: str = "solver", **changes: Any
) -> Tuning:
    """Tune a simulated solver."""
    setting = scenario(**changes)
    tracker, began = ProgressTracker(setting), dict[int, int]()

    def watch(event: Event) -> None:
        tracker.take(event)
        if isinstance(event, Started):
            began[event.trial.id] = len(began)

    result = tune(setting, executor=Virtual(cost, slots=slots), watch=watch, seed=1)
    numbers = np.array([tracker.number(config) for config in result.history.columns.configs], dtype=np.int64)
    return _tuning(setting, tracker, result, numbers, name=name, slots=slots)


def _tuning(
    setting: Scenario, tracker: ProgressTracker, result: TuneResult, numbers: Any, *, name: str, slots: int
) -> Tuning:
    spent = result.history.columns.spent
    return Tuning(
        name=name,
        scenario=setting,
        progress=tracker.progress(),
        history=result.history,
        number=numbers,
        began_s=np.maximum(0.0, np.cumsum(spent) / slots - result.history.columns.wall_s),
        trajectory=result.trajectory,
        wall_s=result.wall_s,
        slots=slots,
        sentence="It is faster.\nIt took a while.",
        command="./solver --x=0.3 INSTANCE",
        findings=(),
        validation=None,
        is_running=False,
        wording=WORDING,
    )


def repeated(tuning: Tuning, n_times: int) -> Tuning:
    """Return a tuning with its runs and configs so many times, one after the other."""
    columns, n, n_configs = tuning.columns, len(tuning.history), len(tuning.columns.configs)
    part = np.repeat(np.arange(n_times), n)
    every = columns.take(np.tile(np.arange(n), n_times))
    history = History.of(
        replace(
            every,
            configs=list(columns.configs) * n_times,
            config=every.config + part * n_configs,
            trial=np.arange(n * n_times),
        )
    )
    number = np.concatenate([tuning.number + i * n_configs for i in range(n_times)])
    began_s = np.tile(tuning.began_s, n_times) + part * tuning.wall_s
    return replace(tuning, history=history, number=number, began_s=began_s, wall_s=n_times * tuning.wall_s)


def with_statuses(tuning: Tuning, statuses: Sequence[Status]) -> Tuning:
    """Return a tuning of one run of the default for each status, each on its own task."""
    default = tuning.progress.default
    runs = [
        Run(Trial(i, default, 5.0, Task("a", i)), Outcome(i, status, cost=2.0 + i, spent=2.0 + i, wall_s=1.0))
        for i, status in enumerate(statuses)
    ]
    history = History(runs)
    return replace(
        tuning,
        history=history,
        number=np.array([0]),
        began_s=np.arange(len(runs), dtype=float),
        trajectory=(),
    )
