"""One sitting of a tuning: from the moment it starts, or goes on, to its last line."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from joblib import cpu_count  # type: ignore[import-untyped]

from tightrope.api.result import TuneResult
from tightrope.api.tune import tune
from tightrope.budget import Budget
from tightrope.cli.main import Exit
from tightrope.cli.runs.folder import Ended, RunFolder
from tightrope.cli.terminal import ending, phrases, words
from tightrope.cli.terminal.console import Terminal
from tightrope.cli.terminal.json_events import event_as_json
from tightrope.cli.terminal.live import LiveProgress
from tightrope.cli.terminal.phrases import Kind
from tightrope.cli.terminal.signals import tidy_stop
from tightrope.compare.caveats import caveats
from tightrope.compare.progress import ProgressTracker
from tightrope.errors import Finding, JournalError, TargetError, UsageError
from tightrope.records import INTERRUPTED, Event, Started, StopReason
from tightrope.run import CommandTarget, Dask, ExecutorSpec, LocalPool, Serial
from tightrope.run.executor import usable_cores
from tightrope.scenario.scenario import Scenario

_SCHEDULER_FILE = ".json"  # how the name ends of what `dask scheduler --scheduler-file` writes
_CHOSEN_HERE = "These are the tasks it was chosen on: expect less on others, and measure it by `validate`."


def usual_workers() -> int:
    """Return how many runs at once are usual: one for each real core, but one, which is for the model.

    Two runs on the hyper-threads of one core slow each other down, and would be measured so.
    """
    return max(1, int(cpu_count(only_physical_cores=True)) - 1)


def executor_of(folder: RunFolder, scenario: Scenario) -> ExecutorSpec:
    """Return how runs are to be run."""
    settings = folder.settings
    if settings.dask is not None:
        is_file = settings.dask.endswith(_SCHEDULER_FILE)
        return Dask(
            None if is_file else settings.dask,
            scheduler_file=settings.dask if is_file else None,
            n_workers=settings.workers,
            log=str(folder.path / "dask.log"),
        )
    n = usual_workers() if settings.workers is None else settings.workers
    if n == 1:
        return Serial()
    # CPU time is measured well enough where runs share cores; time that passes is not.
    target = scenario.target
    is_wall = isinstance(target, CommandTarget) and target.clock == "wall"
    n_cores = usable_cores()
    if is_wall and n > n_cores:
        raise UsageError(
            f"{n} workers are more than the {n_cores} cores that may be used here, and time that passes is "
            "measured wrongly where runs share a core",
            hint=f'take --workers {n_cores} or fewer, or say cost = "cpu" in the scenario',
        )
    return LocalPool(n, oversubscribe=not is_wall)


@dataclass(slots=True)
class _Sat:
    """What came of a sitting; no result if it was stopped before there was any."""

    tracker: ProgressTracker
    wall_s: float = 0.0
    result: TuneResult | None = None
    was_stopped: bool = False
    was_idle: bool = True
    has_begun: bool = False


def sit(folder: RunFolder, scenario: Scenario, terminal: Terminal) -> Exit:
    """Tune until the budget is spent or somebody stops it, and say how it ended.

    The folder's settings are written down as soon as it is sure that nobody else tunes there.
    """
    folder = replace(folder, settings=replace(folder.settings, ended=None))
    sat = _Sat(ProgressTracker(scenario))
    try:
        _sit(folder, scenario, sat, terminal)
    except JournalError:
        if sat.has_begun:
            again = words.command("resume", folder.path)
            terminal.say(f"nothing that was written is lost; once it is mended:  {again}")
        raise
    if sat.was_stopped:
        return _say_stopped(folder, scenario, sat, terminal)
    assert sat.result is not None
    folder = folder.remember(replace(folder.settings, begun=True, ended=Ended(sat.result.reason, sat.wall_s)))
    if sat.was_idle:
        return _say_idle(folder, scenario, sat, terminal)
    return _say_ended(folder, scenario, sat, terminal)


def _sit(folder: RunFolder, scenario: Scenario, sat: _Sat, terminal: Terminal) -> None:
    kind, budget = Kind.of(scenario), Budget.of(scenario.budget)
    show = LiveProgress(terminal, sat.tracker, budget=budget, kind=kind, clock=time.monotonic)

    def watch(event: Event) -> None:
        if not sat.has_begun:
            folder.remember(replace(folder.settings, begun=True))
            sat.has_begun = True
        sat.was_idle = sat.was_idle and not isinstance(event, Started)
        if terminal.verbose:
            terminal.data(event_as_json(event))
        show.watch(event)

    with tidy_stop() as stop:
        try:
            with show:
                sat.result = tune(
                    scenario,
                    journal=folder.journal,
                    executor=executor_of(folder, scenario),
                    seed=folder.settings.seed,
                    watch=watch,
                )
        except KeyboardInterrupt:
            pass
        except TargetError:  # also if it was stopped before any run had finished
            if not stop.was_asked:
                raise
    sat.was_stopped, sat.wall_s = stop.was_asked, show.wall_s


def _say_stopped(folder: RunFolder, scenario: Scenario, sat: _Sat, terminal: Terminal) -> Exit:
    progress, resume = sat.tracker.progress(), words.command("resume", folder.path)
    if progress.n_done:
        said = ending.sentence(progress, Kind.of(scenario), wall_s=sat.wall_s, reason=INTERRUPTED.text)
        terminal.say(terminal.folded(said))
    terminal.result(f"stopped; nothing lost.  {resume}")
    _tell(folder, sat, terminal, reason=INTERRUPTED, then=resume, findings=())
    return Exit.INTERRUPTED


def _say_idle(folder: RunFolder, scenario: Scenario, sat: _Sat, terminal: Terminal) -> Exit:
    assert sat.result is not None
    then = say_over(folder, scenario, sat.result.reason, terminal)
    _tell(folder, sat, terminal, reason=sat.result.reason, then=then, findings=())
    return Exit.DONE


def stop_words(reason: StopReason, scenario: Scenario) -> str:
    """Say why a tuning stopped as people would."""
    return phrases.reason(reason, Budget.of(scenario.budget), Kind.of(scenario))


def say_over(folder: RunFolder, scenario: Scenario, reason: StopReason, terminal: Terminal) -> str:
    """Say that a tuning has nothing left to do, and return the command that makes sense now."""
    terminal.result(f"this tuning has ended already: {stop_words(reason, scenario)}")
    if reason.is_final:
        then = words.command("best", folder.path)
        terminal.say(f"more budget would change nothing; next:  {then}")
        return then
    then = ending.more(folder.path, Budget.of(scenario.budget))
    terminal.say(f"with more budget it goes on:  {then}")
    return then


def _say_ended(folder: RunFolder, scenario: Scenario, sat: _Sat, terminal: Terminal) -> Exit:
    assert sat.result is not None
    progress, reason = sat.tracker.progress(), sat.result.reason
    findings = [*sat.result.findings, *caveats(scenario, progress, sat.result.history)]
    why = stop_words(reason, scenario)
    said = ending.sentence(progress, Kind.of(scenario), wall_s=sat.wall_s, reason=why)
    terminal.result(terminal.folded(said), style="bold")
    for line in ending.parameters(progress):
        terminal.result(line)
    if progress.number != 0:
        terminal.say(terminal.folded(_CHOSEN_HERE))
    for line in ending.warnings(findings):
        terminal.warn(line)
    then = ending.next_command(
        str(folder.path),
        progress,
        Budget.of(scenario.budget),
        reason=reason,
        has_test=bool(scenario.test),
    )
    terminal.say(f"next:  {then}")
    _tell(folder, sat, terminal, reason=reason, then=then, findings=findings)
    return Exit.DONE


def _tell(
    folder: RunFolder,
    sat: _Sat,
    terminal: Terminal,
    *,
    reason: StopReason,
    then: str,
    findings: Sequence[Finding],
) -> None:
    facts = ending.facts(sat.tracker.progress(), wall_s=sat.wall_s, findings=findings)
    terminal.data(
        {"event": "ended", "folder": str(folder.path), **facts, "reason": reason.text, "next": then}
    )
