"""One session of a tuning in a run folder: `start` or `resume`, up to its last line."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from tightrope.api.result import TuneResult
from tightrope.api.tune import tune
from tightrope.budget import Budget
from tightrope.cli.main import Exit
from tightrope.cli.runs.executor import default_workers, executor_for
from tightrope.cli.runs.folder import Ended, RunFolder, Settings
from tightrope.cli.runs.look import keep_result
from tightrope.cli.terminal import ending, phrases, words
from tightrope.cli.terminal.console import Terminal
from tightrope.cli.terminal.json_events import event_as_json
from tightrope.cli.terminal.limits import Limit, as_much_again
from tightrope.cli.terminal.live import LiveProgress
from tightrope.cli.terminal.phrases import Kind
from tightrope.cli.terminal.signals import tidy_stop
from tightrope.compare.caveats import caveats
from tightrope.compare.progress import ProgressTracker
from tightrope.errors import ExecutorError, Finding, JournalError, TargetError
from tightrope.records import INTERRUPTED, Event, Started, Status, StopReason
from tightrope.scenario import Scenario, read_scenario
from tightrope.scenario.earlier import Earlier, take_in

_NOTHING: Final = Earlier()
_CHOSEN_HERE = "It was chosen on these tasks, so expect less on others; `validate` measures that."


@dataclass(slots=True)
class _Session:
    """What a session led to; there is no result if it was stopped before any run finished."""

    tracker: ProgressTracker
    wall_s: float = 0.0
    result: TuneResult | None = None
    was_stopped: bool = False
    was_idle: bool = True  # no trial was started
    has_begun: bool = False


def start(
    scenario: Path,
    path: Path,
    *,
    budget: Limit | None,
    options: dict[str, Any],
    earlier: Sequence[Path] = (),
    terminal: Terminal,
) -> Exit:
    """Create a run folder and tune; the other command-line `options` become its settings."""
    # The copy keeps its suffix: readers and editors recognise the format by it.
    settings = Settings(f"scenario{scenario.suffix}", str(scenario.parent.absolute()), **options)
    given = read_scenario(scenario, base=settings.base)
    if budget is not None:
        settings = replace(settings, budget=budget.applied_to(Budget.of(given.budget)))
    ready = settings.applied_to(given)
    executor_for(RunFolder(path, settings), ready)  # raises before anything is written
    taken = take_in(earlier, ready)
    folder = RunFolder.create(path, scenario.read_bytes(), settings)
    n_workers = settings.workers or default_workers()
    terminal.say(phrases.opening(ready, path, n_workers=n_workers, dask=settings.dask))
    if taken.tunings:
        terminal.say(str(taken))
    try:
        return _run(folder, ready, terminal, earlier=taken)
    except TargetError as error:
        if all(run.outcome.status is Status.FAILED for run in error.history or ()):
            folder.discard()
            terminal.say("every run failed, so nothing is kept; fix the target, then  tightrope check")
        else:  # bounds are worth keeping, too
            more = as_much_again(Budget.of(ready.budget))
            terminal.say(f"the runs so far are kept:  {words.command('resume', path)} {more}")
        raise
    except (ExecutorError, JournalError):
        if path.is_dir() and not RunFolder.settled(path).settings.begun:
            folder.discard()  # so that the same command works once that is fixed
        raise


def resume(
    folder: RunFolder, *, budget: Limit | None, workers: int | None, dask: str | None, terminal: Terminal
) -> Exit:
    """Resume the tuning in a run folder."""
    settings = folder.settings
    scenario = folder.scenario()
    if budget is not None:
        settings = replace(settings, budget=budget.applied_to(Budget.of(scenario.budget)))
    if workers is not None:
        settings = replace(settings, workers=workers)
    if dask is not None:
        settings = replace(settings, dask=dask)
    folder, scenario = replace(folder, settings=settings), settings.applied_to(scenario)
    ended = settings.ended
    # The journal does not show that the time is up: it has no outcome of the last run.
    if ended is not None and ended.wall_s >= Budget.of(scenario.budget).wall_s:
        then = _report_ended_before(folder, scenario, ended.reason, terminal)
        terminal.data(
            {"event": "ended", "folder": str(folder.path), "reason": ended.reason.text, "next": then}
        )
        return Exit.DONE
    terminal.say(f"resuming {folder.path}: {phrases.allowance(scenario)} in all")
    return _run(folder, scenario, terminal)


def race(folder: RunFolder, terminal: Terminal) -> Exit:
    """Race the candidates of a run folder that is new, though its journal has runs."""
    return _run(folder, folder.scenario(), terminal, is_new=True)


def _run(
    folder: RunFolder,
    scenario: Scenario,
    terminal: Terminal,
    *,
    earlier: Earlier = _NOTHING,
    is_new: bool = False,
) -> Exit:
    """Tune until the budget is spent or the user stops it, and report the result.

    The folder's settings are saved once the journal is locked, so that no other process tunes there.
    """
    folder = replace(folder, settings=replace(folder.settings, ended=None))
    session = _Session(ProgressTracker(scenario))
    try:
        _tune(folder, scenario, session, terminal, earlier=earlier)
    except JournalError:
        if session.has_begun:
            again = words.command("resume", folder.path)
            terminal.say(f"nothing that was written is lost; once that is fixed:  {again}")
        raise
    if session.was_stopped:
        return _report_stopped(folder, scenario, session, terminal)
    assert session.result is not None
    folder = folder.remember(
        replace(folder.settings, begun=True, ended=Ended(session.result.reason, session.wall_s))
    )
    keep_result(folder, scenario, session.result, session.tracker)
    if session.was_idle and not is_new:
        return _report_idle(folder, scenario, session, terminal)
    return _report_ended(folder, scenario, session, terminal)


def _tune(
    folder: RunFolder,
    scenario: Scenario,
    session: _Session,
    terminal: Terminal,
    *,
    earlier: Earlier,
) -> None:
    kind, budget = Kind.of(scenario), Budget.of(scenario.budget)
    live = LiveProgress(terminal, session.tracker, budget=budget, kind=kind, clock=time.monotonic)

    def watch(event: Event) -> None:
        if not session.has_begun:
            folder.remember(replace(folder.settings, begun=True))
            session.has_begun = True
        session.was_idle = session.was_idle and not isinstance(event, Started)
        if terminal.verbose:
            terminal.data(event_as_json(event))
        live.watch(event)

    with tidy_stop() as stop:
        try:
            with live:
                session.result = tune(
                    scenario,
                    journal=folder.journal,
                    executor=executor_for(folder, scenario),
                    seed=folder.settings.seed,
                    watch=watch,
                    earlier=earlier,
                )
        except KeyboardInterrupt:
            pass
        except TargetError:  # also raised if stopped before any run finished
            if not stop.was_asked:
                raise
    session.was_stopped, session.wall_s = stop.was_asked, live.wall_s


def _report_stopped(folder: RunFolder, scenario: Scenario, session: _Session, terminal: Terminal) -> Exit:
    progress, resume = session.tracker.progress(), words.command("resume", folder.path)
    if progress.n_done:
        text = ending.sentence(progress, Kind.of(scenario), wall_s=session.wall_s, reason=INTERRUPTED.text)
        terminal.say(terminal.folded(text))
    terminal.result(f"stopped; nothing lost.  {resume}")
    _write_json(folder, session, terminal, reason=INTERRUPTED, then=resume, findings=())
    return Exit.INTERRUPTED


def _report_idle(folder: RunFolder, scenario: Scenario, session: _Session, terminal: Terminal) -> Exit:
    assert session.result is not None
    then = _report_ended_before(folder, scenario, session.result.reason, terminal)
    _write_json(folder, session, terminal, reason=session.result.reason, then=then, findings=())
    return Exit.DONE


def _report_ended_before(
    folder: RunFolder, scenario: Scenario, reason: StopReason, terminal: Terminal
) -> str:
    """Report that a tuning has nothing left to do, and return the sensible next command."""
    terminal.result(f"this tuning has ended already: {_why(reason, scenario)}")
    if reason.is_final:
        then = words.command("best", folder.path)
        terminal.say(f"more budget would change nothing; next:  {then}")
        return then
    then = ending.more(folder.path, Budget.of(scenario.budget))
    terminal.say(f"to continue with more budget:  {then}")
    return then


def _report_ended(folder: RunFolder, scenario: Scenario, session: _Session, terminal: Terminal) -> Exit:
    assert session.result is not None
    progress, reason = session.tracker.progress(), session.result.reason
    findings = [*session.result.findings, *caveats(scenario, progress, session.result.history)]
    why = _why(reason, scenario)
    text = ending.sentence(progress, Kind.of(scenario), wall_s=session.wall_s, reason=why)
    terminal.result(terminal.folded(text), style="bold")
    for line in ending.parameters(progress, folder.path):
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
    folder.mention_report(terminal)
    terminal.say(f"next:  {then}")
    _write_json(folder, session, terminal, reason=reason, then=then, findings=findings)
    return Exit.DONE


def _write_json(
    folder: RunFolder,
    session: _Session,
    terminal: Terminal,
    *,
    reason: StopReason,
    then: str,
    findings: Sequence[Finding],
) -> None:
    facts = ending.facts(session.tracker.progress(), wall_s=session.wall_s, findings=findings)
    terminal.data(
        {"event": "ended", "folder": str(folder.path), **facts, "reason": reason.text, "next": then}
    )


def _why(reason: StopReason, scenario: Scenario) -> str:
    return phrases.reason(reason, Budget.of(scenario.budget), Kind.of(scenario))
