"""The progress of a tuning in words: pure functions from values to text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from tightrope.budget import COUNTS, Budget
from tightrope.cli.terminal import words
from tightrope.cli.terminal.limits import describe_budget
from tightrope.cli.terminal.output import one_line
from tightrope.compare.contrast import Claim, Contrast, Estimate
from tightrope.compare.progress import Progress
from tightrope.records import Basis, Run, Status, StopKind, StopReason
from tightrope.run import CommandTarget
from tightrope.scenario.scenario import Scenario
from tightrope.space import Space

_BASES: Mapping[Basis | None, str] = {
    None: "default config first",
    Basis.DESIGN: "challengers from the initial design",
    Basis.MODEL: "challengers from the model and at random",
    Basis.CHANCE: "challengers at random: the model takes longer than the runs",
    Basis.NO_MODEL: "challengers at random, as the scenario asks",
}

_NOTE_LINES = 12  # of a failure that are shown


@dataclass(frozen=True, slots=True)
class Kind:
    """What runs spend (`name`, as in "58 m of CPU time"), and whether this and the cost are times."""

    name: str
    is_time: bool
    spends_time: bool = True

    @classmethod
    def of(cls, scenario: Scenario) -> "Kind":
        """Return the kind of a scenario's cost."""
        target = scenario.target
        if not isinstance(target, CommandTarget):
            return cls("cost", is_time=False, spends_time=False)
        name = "CPU time" if target.clock == "cpu" else "run time"
        return cls(name, is_time=not target.answer.prints_cost)

    def cost(self, value: float) -> str:
        """Write a cost."""
        return words.cost(value, is_time=self.is_time)

    def spent(self, value: float) -> str:
        """Write what was spent."""
        return words.cost(value, is_time=self.spends_time)

    def amount(self, value: float) -> str:
        """Write an amount with its kind, such as "58 m of CPU time"."""
        return f"{self.spent(value)} of {self.name}"


def opening(scenario: Scenario, path: Path, *, n_workers: int, dask: str | None) -> str:
    """Return what is about to start: a tuning on this machine, or on a Dask cluster."""
    n_parameters, n_instances = len(Space.of(scenario.space)), len(scenario.instances)
    on = f" on {words.count(n_instances, 'instance')}" if n_instances > 1 else ""
    by = f"workers of {dask}" if dask else words.count(n_workers, "worker")
    return f"tuning {words.count(n_parameters, 'parameter')}{on}: {allowance(scenario)}, {by}, into {path}"


def allowance(scenario: Scenario) -> str:
    """Return the budget of a scenario, such as "8 h of CPU time and 500 runs"."""
    return describe_budget(Budget.of(scenario.budget), Kind.of(scenario).amount)


def used_up(budget: Budget, progress: Progress, kind: Kind, *, wall_s: float) -> str:
    """Return how much is used of the limit that will be reached first.

    >>> from tightrope import Scenario
    >>> from tightrope.compare.progress import ProgressTracker
    >>> nothing = ProgressTracker(Scenario(space={"x": (0, 9)}, ceiling=1.0, budget=1.0)).progress()
    >>> used_up(Budget(wall="1h"), nothing, Kind("CPU time", is_time=True), wall_s=2467.0)
    '41:07 of 1:00:00'
    >>> used_up(Budget(runs=500), nothing, Kind("CPU time", is_time=True), wall_s=2467.0)
    '0 of 500 runs'
    """
    counts = {"runs": progress.n_runs - progress.n_lost}
    used = {
        "wall": (wall_s, f"{words.clock(wall_s)} of {words.clock(budget.wall_s)}"),
        "cost": (progress.spent, f"{kind.spent(progress.spent)} of {kind.spent(budget.cost)} {kind.name}"),
    }
    for name, n in counts.items():
        most = int(min(budget.limits[name], 1e18))
        used[name] = n, f"{n} of {words.count(most, COUNTS[name])}"
    limits = {name: limit for name, limit in budget.limits.items() if limit < inf}
    return max((used[name][0] / limit, used[name][1]) for name, limit in limits.items())[1]


def estimated(cost: Estimate, kind: Kind) -> str:
    """Return the cost of a config with its interval and number of tasks.

    >>> estimated(Estimate(1.92, 38, (1.6, 2.3)), Kind("CPU time", is_time=True))
    '1.92 s on 38 tasks (1.60 s to 2.30 s)'
    """
    if cost.n_tasks == 0:
        return "not run yet"
    unsolved = f", {cost.n_unsolved} not solved" if cost.n_unsolved else ""
    bound = ">= " if cost.is_bound else ""
    around = (
        "" if cost.interval is None else f" ({kind.cost(cost.interval[0])} to {kind.cost(cost.interval[1])})"
    )
    return f"{bound}{kind.cost(cost.mean)} on {words.count(cost.n_tasks, 'task')}{around}{unsolved}"


def compared(against: Contrast, kind: Kind, *, briefly: bool = False) -> str:
    """Return how a config compares with the default; a bound is never shown as a ratio.

    >>> kind = Kind("CPU time", is_time=True)
    >>> compared(Contrast(Claim.RATIO, 20, 4.12, (3.2, 5.3)), kind)
    '4.12x faster than the default (95 %: 3.2x to 5.3x) on 20 common tasks'
    >>> compared(Contrast(Claim.AT_LEAST, 20, 4.12, (3.2, inf), n_cut=6), kind, briefly=True)
    '>= 4.12x faster than the default (6 of its runs cut)'
    """
    if against.claim is Claim.SAME:
        return "it is the default"
    common = f"{words.count(against.n_tasks, 'common task')}"
    if against.claim is Claim.OPEN:
        why = "no common task" if against.n_tasks == 0 else f"too many runs were capped on {common}"
        return "comparison with the default undecided" + ("" if briefly else f": {why}")
    cut = f"{against.n_cut} of its runs cut" if against.claim is Claim.AT_LEAST else ""
    said = _ratio(against, kind)
    if briefly:
        return f"{said} ({cut})" if cut else said
    remarks = "; ".join(remark for remark in (_sureness(against), cut) if remark)
    return f"{said} ({remarks}) on {common}"


def _ratio(against: Contrast, kind: Kind) -> str:
    is_better = against.ratio >= 1.0
    ratio = words.times(
        against.ratio if is_better else 1.0 / against.ratio, is_bound=against.claim is Claim.AT_LEAST
    )
    if against.is_score:
        return f"score {ratio} {'lower' if is_better else 'higher'} than the default's"
    if kind.is_time:
        return f"{ratio} {'faster' if is_better else 'slower'} than the default"
    return f"{ratio} {'less' if is_better else 'more'} than the default"


def _sureness(against: Contrast) -> str:
    if against.interval is None:
        return "too few for an interval"
    low, high = against.interval
    if against.ratio < 1.0:
        low, high = 1.0 / high, 1.0 / low
    return f"95 %: {words.times(low)} {'or more' if high == inf else f'to {words.times(high)}'}"


def effort(progress: Progress, kind: Kind) -> str:
    """Return the number of runs, and an upper bound on what capping saved."""
    said = (
        f"{words.count(progress.n_runs, 'run')}, {words.share(progress.n_capped, progress.n_runs)} cut short"
    )
    if progress.n_failed:
        said += f", {progress.n_failed} failed"
    if progress.n_lost:
        said += f", {progress.n_lost} lost"
    # A printed cost is known only when the run has ended: capping it saves nothing.
    is_spared = kind.is_time and progress.spared > 0
    return said + (f", up to {kind.cost(progress.spared)} spared" if is_spared else "")


def coverage(progress: Progress) -> str:
    """Return how many instances the incumbent, and any config, has run on."""
    if progress.n_instances == 1:
        return "one instance"
    seen = f"incumbent on {progress.n_seen} of {progress.n_instances} instances"
    return seen if progress.n_used == progress.n_seen else f"{seen}, {progress.n_used} used in all"


def source(progress: Progress) -> str:
    """Return where challengers come from."""
    if progress.basis is not None and progress.n_configs <= 1:
        return "no challenger has been run yet"
    return _BASES[progress.basis]


def reason(why: StopReason, budget: Budget, kind: Kind) -> str:
    """Return why a tuning stopped, with limits in the units that people write.

    >>> time_is_up = StopReason(StopKind.TIME, "28800 s have passed")
    >>> reason(time_is_up, Budget(wall="8h"), Kind("CPU time", is_time=True))
    'its time of 8 h 00 m is up'
    """
    if why.kind is StopKind.TIME:
        return f"its time of {words.duration(budget.wall_s)} is up"
    if why.kind is StopKind.COST:
        return f"its budget of {kind.amount(budget.cost)} is spent"
    return why.text


def changes(config: Mapping[str, Any], default: Mapping[str, Any], most: int = 6) -> str:
    """Return the parameters in which a config differs from the default, in one line."""
    return words.listed(words.differences(config, default), most) or "no parameter differs from the default"


def ended(run: Run, number: int, kind: Kind) -> str:
    """Return how a run ended."""
    trial, outcome = run.trial, run.outcome
    task = f"{one_line(trial.task.instance) or 'run'} seed {trial.task.seed}"
    how = {
        Status.DONE: f"done, {kind.cost(outcome.cost)}",
        Status.CAPPED: f"cut at {kind.cost(outcome.cost)}",
        Status.FAILED: f"failed: {outcome.note.splitlines()[0] if outcome.note else 'no reason given'}",
        Status.LOST: f"lost: {one_line(outcome.note) or 'cause unknown'}",
    }[outcome.status]
    return f"run {trial.id}  #{number}  {task}  cap {kind.cost(trial.cap)}  {how}"


def failure(run: Run, number: int) -> str:
    """Return the details of a failed run: its command, and the end of its output."""
    lines = run.outcome.note.splitlines() or ["no reason given"]
    shown = [*lines[:_NOTE_LINES], "..."] if len(lines) > _NOTE_LINES else lines
    task = one_line(run.trial.task.instance) or "its run"
    head = f"#{number} failed on {task}; further failures are only counted"
    return "\n    ".join([head, *shown])


def flow(parts: Sequence[str], width: int, indent: int) -> list[str]:
    """Join parts into lines of at most this width; lines after the first are indented.

    >>> flow(["one", "two", "three"], width=10, indent=2)
    ['one  two', '  three']
    """
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + 2 + len(part) <= width:
            lines[-1] += f"  {part}"
        else:
            lines.append(part if not lines else " " * indent + part)
    return lines
