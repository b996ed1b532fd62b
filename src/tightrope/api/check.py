"""check(): checks a scenario before a tuning, with real runs of the target."""

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from math import inf, nan
from statistics import median

import numpy as np

from tightrope.budget import Budget
from tightrope.preflight import probe_checks
from tightrope.preflight.budget_check import RunCosts, check_budget
from tightrope.preflight.probe import Probe, Prober
from tightrope.preflight.probe import Watch as WatchRuns
from tightrope.preflight.report import CheckLine, CheckReport, warning
from tightrope.preflight.static_checks import InstanceFiles, check_instances, check_scenario, find_files
from tightrope.records import Config, Task
from tightrope.run import CommandTarget, Serial, Target
from tightrope.run.executor import usable_cores
from tightrope.run.supervise.groups import find_groups
from tightrope.scenario.scenario import Scenario
from tightrope.scenario.setup import is_timed, target_of
from tightrope.space import Space

WITHIN_S = 120.0
_ABSENT = "no-such-instance-of-tightrope"
_SHARE = 0.25  # of the total time, for a single run
_SHORT_S = 1.0  # runs shorter than this are repeated more often
_KILL_S, _LEAST_KILL_S = 0.2, 0.005


def check(
    scenario: Scenario,
    *,
    fast: bool = False,
    within_s: float = WITHIN_S,
    slots: int = 1,
    watch: Callable[[CheckLine], object] | None = None,
    watch_runs: WatchRuns | None = None,
) -> CheckReport:
    """Check everything that a tuning needs, with real runs of the target.

    The default config runs on up to three instances, again with the same seed, and once to be stopped
    half-way. A few random configs run as well. Nothing is written.

    Parameters
    ----------
    scenario : Scenario
        What to tune.
    fast : bool, default=False
        Skip all checks that run the target.
    within_s : float, default=120
        Total time for the runs; checks that do not fit are reported as not done.
    slots : int, default=1
        How many trials the tuning will run at once.
    watch : callable or None, default=None
        Called with each line as soon as it is known.
    watch_runs : callable or None, default=None
        Called with each trial and None when it starts, and with the trial and its probe when it has ended.

    Returns
    -------
    CheckReport
        Lines and findings; `is_ready` is False if something must be fixed first.

    Examples
    --------
    >>> from tightrope import Scenario, check
    >>> scenario = Scenario(
    ...     space={"x": (0.0, 1.0)}, target="true {parameters}", ceiling=2.0, budget=600.0
    ... )
    >>> print(check(scenario, fast=True))
      ok scenario     1 parameter, default is legal
      ok instances    none: the target runs without an instance
      ok budget       10m / ceiling 2s = 300 full-length runs
    """
    lines = []
    for line in _lines(scenario, 0.0 if fast else within_s, slots=slots, watch_runs=watch_runs):
        lines.append(line)
        if watch is not None:
            watch(line)
    return CheckReport(tuple(lines))


@dataclass(frozen=True, slots=True)
class _Subject:
    """The scenario, and what all probes need to know about it."""

    scenario: Scenario
    target: Target
    files: InstanceFiles
    is_time: bool
    within_s: float

    @property
    def default(self) -> Config:
        return self.scenario.default_config

    @property
    def seed(self) -> int:
        seeds = self.scenario.task_seeds
        return 0 if seeds is None else seeds[0]

    def run(self, prober: Prober, config: Config, instance: str, *, cap: float = inf) -> Probe:
        """Probe a config on an instance, for at most a share of the total time."""
        cap = min(cap, self.scenario.ceiling)
        return prober.run(config, Task(instance, self.seed), cap=cap, limit_s=_SHARE * self.within_s)


def _lines(
    scenario: Scenario, within_s: float, *, slots: int, watch_runs: WatchRuns | None
) -> Iterator[CheckLine]:
    with ExitStack() as stack:
        target = target_of(scenario, Serial())
        stack.callback(target.close)
        files = find_files(scenario, target)
        subject = _Subject(scenario, target, files, is_timed(target), within_s)
        static = [check_scenario(scenario, target), check_instances(scenario, files)]
        yield from static
        runs = RunCosts(scenario.ceiling, _limit_s(scenario, target), is_time=subject.is_time)
        if within_s > 0 and CheckReport(static).is_ready:
            runs = yield from _probe_all(subject, runs, Prober(target, within_s, watch=watch_runs))
        yield check_budget(Budget.of(scenario.budget), runs, n_instances=len(scenario.instances), slots=slots)


def _probe_all(subject: _Subject, runs: RunCosts, prober: Prober) -> Generator[CheckLine, None, RunCosts]:
    """Run all probes; return what the runs cost."""
    defaults = list(_default_probes(subject, prober))
    yield probe_checks.check_default(defaults, is_time=subject.is_time)
    solved = [probe for probe in defaults if probe.is_solved]
    if any(probe.is_failed for probe in defaults):
        return runs
    if not solved:
        yield _kill(subject, prober, defaults)
        return runs
    checks = {"repeatable": _repeatable, "kill": _kill, "timing": _timing, "parameters": _parameters}
    for name, check_probes in checks.items():
        yield check_probes(subject, prober, solved) if prober.left_s > 0 else _out_of_time(name)
    if isinstance(subject.target, CommandTarget):
        yield probe_checks.check_groups(find_groups())
    return RunCosts(
        runs.ceiling,
        runs.limit_s,
        typical=median(probe.outcome.cost for probe in solved) if subject.is_time else nan,
        typical_s=median(probe.outcome.wall_s for probe in solved),
        longest=max(probe.outcome.cost for probe in defaults),
        is_time=runs.is_time,
    )


def _out_of_time(name: str) -> CheckLine:
    return CheckLine(
        name, "", (warning("C16", name, "not checked: out of time", "allow more with --within"),)
    )


def _default_probes(subject: _Subject, prober: Prober) -> Iterator[Probe]:
    """Run the default on the smallest instance, likely the easiest, then on a middle and the largest one."""
    instances = sorted(subject.scenario.instances, key=lambda name: _size(name, subject.files))
    middle, largest = instances[len(instances) // 2], instances[-1]
    for number, instance in enumerate(dict.fromkeys((instances[0], middle, largest))):
        if number and prober.left_s < 2 * _SHARE * subject.within_s:
            return
        probe = subject.run(prober, subject.default, instance)
        yield probe
        if probe.is_failed:
            return


def _size(name: str, files: InstanceFiles) -> int:
    return os.path.getsize(files.folder / name) if name in files.readable else 0


def _repeatable(subject: _Subject, prober: Prober, solved: list[Probe]) -> CheckLine:
    first = solved[0]
    n_more = 3 if first.elapsed_s < _SHORT_S else 1
    probes = [subject.run(prober, subject.default, first.trial.task.instance) for _ in range(n_more)]
    return probe_checks.check_repeatable(
        [first, *probes], is_time=subject.is_time, deterministic=subject.scenario.deterministic
    )


def _kill(subject: _Subject, prober: Prober, probes: list[Probe]) -> CheckLine:
    longest = max(probes, key=lambda probe: probe.elapsed_s)
    task = longest.trial.task
    if subject.is_time:
        cap = max(_LEAST_KILL_S, min(_KILL_S, longest.outcome.cost / 2))
        probe = subject.run(prober, subject.default, task.instance, cap=cap)
    else:
        half_s = max(_LEAST_KILL_S, min(_KILL_S, longest.outcome.wall_s / 2))
        probe = prober.run(subject.default, task, cap=subject.scenario.ceiling, limit_s=half_s)
    return probe_checks.check_kill(probe, is_time=subject.is_time)


def _timing(subject: _Subject, prober: Prober, solved: list[Probe]) -> CheckLine:
    absent = None
    instance = solved[0].trial.task.instance
    if instance in subject.files.readable:
        name = os.path.join(os.path.dirname(instance), _ABSENT + os.path.splitext(instance)[1])
        absent = subject.run(prober, subject.default, name, cap=_generous_cap(solved[0], subject))
    return probe_checks.check_timing(
        solved,
        absent,
        resolution=subject.scenario.resolution,
        is_time=subject.is_time,
        load=os.getloadavg()[0],
        cores=usable_cores(),
    )


def _parameters(subject: _Subject, prober: Prober, solved: list[Probe]) -> CheckLine:
    reference = min(solved, key=lambda probe: probe.elapsed_s)
    space = Space.of(subject.scenario.space)
    n_configs = 5 if reference.elapsed_s < _SHORT_S else 3
    probes: list[Probe] = []
    for row in space.sample(n_configs, np.random.default_rng(0)):
        if probes and prober.left_s <= 0:
            break
        cap = _generous_cap(reference, subject)
        probes.append(subject.run(prober, space.decode(row), reference.trial.task.instance, cap=cap))
    return probe_checks.check_parameters(probes, reference, is_time=subject.is_time)


def _generous_cap(probe: Probe, subject: _Subject) -> float:
    """Return a cap that suffices for configs that are not much worse."""
    return max(_SHORT_S, 3 * probe.outcome.cost) if subject.is_time else inf


def _limit_s(scenario: Scenario, target: Target) -> float:
    if is_timed(target):
        return scenario.ceiling
    limit_s = getattr(target, "limit_s", inf)
    return limit_s if limit_s < inf else nan
