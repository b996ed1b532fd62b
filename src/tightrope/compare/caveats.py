"""Caveats of a tuning's result, as findings R01 and following; pure functions of its runs.

`tightrope.findings` has the full explanation of each.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isinf

import numpy as np

from tightrope.compare.contrast import Claim
from tightrope.compare.progress import Progress
from tightrope.errors import Finding, Severity
from tightrope.records import Config, Status
from tightrope.scenario.scenario import Scenario
from tightrope.space import Space
from tightrope.store.columns import CODES
from tightrope.store.history import History

_ENOUGH_RUNS = 20  # of challengers, needed to judge their outcomes
_FEW_TASKS = 10
_MANY_FAILURES = 0.2
_COLD_FACTOR = 2.0  # ratio of wall to CPU time, relative to other runs
_COLD_LEAST_S = 0.2  # of waiting; less is noise
_ENOUGH_WARM = 5


@dataclass(frozen=True, slots=True)
class _Case:
    """The data that caveats are found in."""

    scenario: Scenario
    progress: Progress
    history: History


def caveats(scenario: Scenario, progress: Progress, history: History) -> list[Finding]:
    """Return the caveats of a result.

    Examples
    --------
    >>> from tightrope.compare.progress import ProgressTracker
    >>> scenario = Scenario(space={"x": (0.0, 1.0)}, ceiling=10.0, budget=50.0)
    >>> caveats(scenario, ProgressTracker(scenario).progress(), History())
    []
    """
    case = _Case(scenario, progress, history)
    return [finding for look in _LOOKS for finding in look(case)] if len(history) else []


def _everything_cut(case: _Case) -> Iterator[Finding]:
    status, n = _challengers_ends(case)
    if n >= _ENOUGH_RUNS and np.all(status == CODES[Status.CAPPED]):
        yield _warning(
            "R01",
            "challengers",
            f"all {n} runs of challengers were capped",
            f"raise the ceiling ({case.scenario.ceiling:g}) or the slack ({case.scenario.slack:g}); "
            "or the default is hard to beat",
        )


def _nothing_cut(case: _Case) -> Iterator[Finding]:
    status, n = _challengers_ends(case)
    if n >= _ENOUGH_RUNS and not np.any(status == CODES[Status.CAPPED]):
        yield _warning(
            "R02",
            "challengers",
            f"none of {n} runs of challengers was capped, so capping saved nothing",
            "all configs cost about the same, or the slack is too large"
            if isinf(case.scenario.slack) or case.scenario.slack > 2
            else "all configs cost about the same: other parameters may matter more",
        )


def _few_tasks(case: _Case) -> Iterator[Finding]:
    n = case.progress.cost.n_tasks
    is_all = case.scenario.task_seeds is not None and n >= len(case.scenario.instances) * len(
        case.scenario.task_seeds
    )
    if n < _FEW_TASKS and not is_all:
        yield _warning(
            "R03",
            f"incumbent #{case.progress.number}",
            f"it was run on only {n} {'task' if n == 1 else 'tasks'}",
            "raise the budget, and trust only the validation",
        )


def _at_bound(case: _Case) -> Iterator[Finding]:
    at = list(_parameters_at_bounds(case.scenario, case.progress.config, case.progress.default))
    if at:
        yield _warning(
            "R04",
            f"incumbent #{case.progress.number}",
            f"{', '.join(at)}: the best value may lie beyond",
            "widen the range, if values beyond it make sense",
        )


def _parameters_at_bounds(scenario: Scenario, config: Config, default: Config) -> Iterator[str]:
    """Yield parameters at an end of their range, unless the default is there as well."""
    for column in Space.of(scenario.space).columns.each:
        value = config.get(column.name)
        if column.levels is not None or value is None or value == default.get(column.name):
            continue
        # In a range of few integers, an end is an ordinary choice.
        if column.is_whole and column.upper - column.lower < 4:
            continue
        if value in (column.lower, column.upper):
            side = "lowest" if value == column.lower else "largest"
            yield f"{column.name} = {value:g} is the {side} allowed"


def _default_fails(case: _Case) -> Iterator[Finding]:
    of_default = case.history.filter(config=case.progress.default).columns.status
    n, n_failed = len(of_default), int(np.count_nonzero(of_default == CODES[Status.FAILED]))
    if n and n_failed > _MANY_FAILURES * n:
        yield _warning(
            "R05",
            "default #0",
            f"{n_failed} of its {n} runs failed",
            "see why in the column note of `tightrope export --format csv`; fix the target or the instances",
        )


def _cold_start(case: _Case) -> Iterator[Finding]:
    """Find a first run that waited for the disk: its wall time far exceeds its CPU time."""
    columns = case.history.columns
    known = np.flatnonzero((columns.cpu_s > 0) & (columns.wall_s > 0))
    if not len(known) or columns.trial[known].min() != 0 or len(known) <= _ENOUGH_WARM:
        return
    first = known[np.argmin(columns.trial[known])]
    rest = known[known != first]
    waits = columns.wall_s / np.where(columns.cpu_s > 0, columns.cpu_s, np.inf)
    waited_s = float(columns.wall_s[first] - columns.cpu_s[first])
    if waited_s > _COLD_LEAST_S and waits[first] > _COLD_FACTOR * np.median(waits[rest]):
        yield _warning(
            "R06",
            "first run",
            f"it took {columns.wall_s[first]:.3g} s for {columns.cpu_s[first]:.3g} s of CPU time, unlike the "
            "others: most likely a cold cache",
            "its cost counts as measured; run `tightrope check` before the next tuning to warm up",
        )


def _within_noise(case: _Case) -> Iterator[Finding]:
    against = case.progress.against_default
    is_ratio = against.claim in (Claim.RATIO, Claim.AT_LEAST)
    if is_ratio and against.interval is not None and against.interval[0] <= 1.0:
        yield _warning(
            "R07",
            f"incumbent #{case.progress.number}",
            f"it costs {against.ratio:.3g} times less than the default, but the 95 % interval starts at "
            f"{against.interval[0]:.3g}: it may be no gain at all",
            "raise the budget, or validate on many instances",
        )


_LOOKS: Sequence[Callable[[_Case], Iterator[Finding]]] = (
    _everything_cut,
    _nothing_cut,
    _few_tasks,
    _at_bound,
    _default_fails,
    _cold_start,
    _within_noise,
)


def _challengers_ends(case: _Case) -> tuple[np.ndarray[tuple[int], np.dtype[np.int8]], int]:
    """Return the outcomes of all configs but the default, without lost runs, and their number."""
    columns = case.history.columns
    is_default = np.array([config == case.progress.default for config in columns.configs], dtype=bool)
    status = columns.status[~is_default[columns.config]]
    status = status[status != CODES[Status.LOST]]
    return status, len(status)


def _warning(code: str, where: str, message: str, hint: str) -> Finding:
    return Finding(code, Severity.WARNING, where, message, hint)
