"""check(): a look at everything before a tuning, with real runs."""

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from math import inf, nan
from statistics import median

import numpy as np

from tightrope.budget import Budget
from tightrope.preflight import verdicts
from tightrope.preflight.arithmetic import Runs, budget_line
from tightrope.preflight.probe import Probe, Prober
from tightrope.preflight.report import Line, Report, warning
from tightrope.preflight.static import Files, instances_line, look_at_files, scenario_line
from tightrope.records import Config, Task
from tightrope.run import Serial, Target
from tightrope.run.executor import usable_cores
from tightrope.scenario.scenario import Scenario
from tightrope.scenario.setup import is_timed, target_of
from tightrope.space import Space

WITHIN_S = 120.0
_ABSENT = "no-such-instance-of-tightrope"
_SHARE = 0.25  # of all the time: what a single run may take
_SHORT_S = 1.0  # runs shorter than this are repeated more often
_KILL_S, _LEAST_KILL_S = 0.2, 0.005


def check(
    scenario: Scenario,
    *,
    fast: bool = False,
    within_s: float = WITHIN_S,
    slots: int = 1,
    watch: Callable[[Line], object] | None = None,
) -> Report:
    """Look at everything that a tuning needs, and really run the target.

    The default config is run, once more with the same seed, and once to be cut short; so are a few random
    configs. Nothing is written.

    Parameters
    ----------
    scenario : Scenario
        What is to be tuned.
    fast : bool, default=False
        Run nothing.
    within_s : float, default=120
        How long the runs may take in all; what has not been done by then is told.
    slots : int, default=1
        How many runs the tuning will do at once.
    watch : callable or None, default=None
        Is given each line as soon as it is known.

    Returns
    -------
    Report
        Lines and findings; `is_ready` says whether anything must be mended.

    Examples
    --------
    >>> from tightrope import Scenario, check
    >>> scenario = Scenario(
    ...     space={"x": (0.0, 1.0)}, target="true {parameters}", ceiling=2.0, budget=600.0
    ... )
    >>> print(check(scenario, fast=True))
      ok scenario     1 parameter, default is legal
      ok instances    none: the target is run by itself
      ok budget       10m / ceiling 2s = 300 uncut runs
    """
    lines = []
    for line in _lines(scenario, within_s=0.0 if fast else within_s, slots=slots):
        lines.append(line)
        if watch is not None:
            watch(line)
    return Report(tuple(lines))


@dataclass(frozen=True, slots=True)
class _Subject:
    """What is probed, in the words that all probes need."""

    scenario: Scenario
    target: Target
    files: Files
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
        """Probe a config on an instance, for a share of the time at most."""
        cap = min(cap, self.scenario.ceiling)
        return prober.run(config, Task(instance, self.seed), cap=cap, limit_s=_SHARE * self.within_s)


def _lines(scenario: Scenario, *, within_s: float, slots: int) -> Iterator[Line]:
    with ExitStack() as stack:
        target = target_of(scenario, Serial())
        stack.callback(target.close)
        files = look_at_files(scenario, target)
        subject = _Subject(scenario, target, files, is_timed(target), within_s)
        on_paper = [scenario_line(scenario, target), instances_line(scenario, files)]
        yield from on_paper
        runs = Runs(scenario.ceiling, _limit_s(scenario, target), is_time=subject.is_time)
        if within_s > 0 and Report(on_paper).is_ready:
            runs = yield from _probed(subject, runs)
        yield budget_line(Budget.of(scenario.budget), runs, n_instances=len(scenario.instances), slots=slots)


def _probed(subject: _Subject, runs: Runs) -> Generator[Line, None, Runs]:
    """Run the target in all ways; return what its runs cost."""
    prober = Prober(subject.target, subject.within_s)
    defaults = list(_default_probes(subject, prober))
    yield verdicts.default_line(defaults, is_time=subject.is_time)
    solved = [probe for probe in defaults if probe.is_solved]
    if any(probe.is_failed for probe in defaults):
        return runs
    if not solved:
        yield _kill(subject, prober, defaults)
        return runs
    looks = {"repeatable": _repeatable, "kill": _kill, "timing": _timing, "parameters": _parameters}
    for name, look in looks.items():
        yield look(subject, prober, solved) if prober.left_s > 0 else _out_of_time(name)
    return Runs(
        runs.ceiling,
        runs.limit_s,
        typical=median(probe.outcome.cost for probe in solved) if subject.is_time else nan,
        typical_s=median(probe.outcome.wall_s for probe in solved),
        longest=max(probe.outcome.cost for probe in defaults),
        is_time=runs.is_time,
    )


def _out_of_time(name: str) -> Line:
    return Line(name, "", (warning("C16", name, "not looked at: time was up", "allow more with --within"),))


def _default_probes(subject: _Subject, prober: Prober) -> Iterator[Probe]:
    """Run the default on the smallest instance, which is most likely to be solved, then on others."""
    instances = sorted(subject.scenario.instances, key=lambda name: _size(name, subject.files))
    middle, largest = instances[len(instances) // 2], instances[-1]
    for number, instance in enumerate(dict.fromkeys((instances[0], middle, largest))):
        if number and prober.left_s < 2 * _SHARE * subject.within_s:
            return
        probe = subject.run(prober, subject.default, instance)
        yield probe
        if probe.is_failed:
            return


def _size(name: str, files: Files) -> int:
    return os.path.getsize(files.folder / name) if name in files.readable else 0


def _repeatable(subject: _Subject, prober: Prober, solved: list[Probe]) -> Line:
    first = solved[0]
    n_more = 3 if first.elapsed_s < _SHORT_S else 1
    probes = [subject.run(prober, subject.default, first.trial.task.instance) for _ in range(n_more)]
    return verdicts.repeatable_line(
        [first, *probes], is_time=subject.is_time, deterministic=subject.scenario.deterministic
    )


def _kill(subject: _Subject, prober: Prober, probes: list[Probe]) -> Line:
    longest = max(probes, key=lambda probe: probe.elapsed_s)
    task = longest.trial.task
    if subject.is_time:
        cap = max(_LEAST_KILL_S, min(_KILL_S, longest.outcome.cost / 2))
        probe = subject.run(prober, subject.default, task.instance, cap=cap)
    else:
        half_s = max(_LEAST_KILL_S, min(_KILL_S, longest.outcome.wall_s / 2))
        probe = prober.run(subject.default, task, cap=subject.scenario.ceiling, limit_s=half_s)
    return verdicts.kill_line(probe, is_time=subject.is_time)


def _timing(subject: _Subject, prober: Prober, solved: list[Probe]) -> Line:
    absent = None
    instance = solved[0].trial.task.instance
    if instance in subject.files.readable:
        name = os.path.join(os.path.dirname(instance), _ABSENT + os.path.splitext(instance)[1])
        absent = subject.run(prober, subject.default, name, cap=_generous(solved[0], subject))
    return verdicts.timing_line(
        solved,
        absent,
        resolution=subject.scenario.resolution,
        is_time=subject.is_time,
        load=os.getloadavg()[0],
        cores=usable_cores(),
    )


def _parameters(subject: _Subject, prober: Prober, solved: list[Probe]) -> Line:
    reference = min(solved, key=lambda probe: probe.elapsed_s)
    space = Space.of(subject.scenario.space)
    n_configs = 5 if reference.elapsed_s < _SHORT_S else 3
    probes: list[Probe] = []
    for row in space.sample(n_configs, np.random.default_rng(0)):
        if probes and prober.left_s <= 0:
            break
        cap = _generous(reference, subject)
        probes.append(subject.run(prober, space.decode(row), reference.trial.task.instance, cap=cap))
    return verdicts.parameters_line(probes, reference, is_time=subject.is_time)


def _generous(probe: Probe, subject: _Subject) -> float:
    """Return a cap that is enough for those who are not much worse."""
    return max(_SHORT_S, 3 * probe.outcome.cost) if subject.is_time else inf


def _limit_s(scenario: Scenario, target: Target) -> float:
    if is_timed(target):
        return scenario.ceiling
    limit_s = getattr(target, "limit_s", inf)
    return limit_s if limit_s < inf else nan
