"""One session of a tuning in a run folder: from its start or resumption to its last line."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tightrope.api.result import TuneResult
from tightrope.api.tune import tune
from tightrope.budget import Budget
from tightrope.cli.main import Exit
from tightrope.cli.runs.executor import executor_for
from tightrope.cli.runs.folder import Ended, RunFolder
from tightrope.cli.terminal import ending, phrases, words
from tightrope.cli.terminal.console import Terminal
from tightrope.cli.terminal.json_events import event_as_json
from tightrope.cli.terminal.live import LiveProgress
from tightrope.cli.terminal.phrases import Kind
from tightrope.cli.terminal.signals import tidy_stop
from tightrope.compare.caveats import caveats
from tightrope.compare.progress import ProgressTracker
from tightrope.errors import Finding, JournalError, TargetError
from tightrope.records import INTERRUPTED, Event, Started, StopReason
from tightrope.scenario.scenario import Scenario

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


def run_session(folder: RunFolder, scenario: Scenario, terminal: Terminal) -> Exit:
    """Tune until the budget is spent or the user stops it, and report the result.

    The folder's settings are saved once the journal is locked, so that no other process tunes there.
    """
    folder = replace(folder, settings=replace(folder.settings, ended=None))
    session = _Session(ProgressTracker(scenario))
    try:
        _tune(folder, scenario, session, terminal)
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
    if session.was_idle:
        return _report_idle(folder, scenario, session, terminal)
    return _report_ended(folder, scenario, session, terminal)


def _tune(folder: RunFolder, scenario: Scenario, session: _Session, terminal: Terminal) -> None:
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
    then = report_ended_before(folder, scenario, session.result.reason, terminal)
    _write_json(folder, session, terminal, reason=session.result.reason, then=then, findings=())
    return Exit.DONE


def stop_words(reason: StopReason, scenario: Scenario) -> str:
    """Return why a tuning stopped, in words."""
    return phrases.reason(reason, Budget.of(scenario.budget), Kind.of(scenario))


def report_ended_before(folder: RunFolder, scenario: Scenario, reason: StopReason, terminal: Terminal) -> str:
    """Report that a tuning has nothing left to do, and return the sensible next command."""
    terminal.result(f"this tuning has ended already: {stop_words(reason, scenario)}")
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
    why = stop_words(reason, scenario)
    text = ending.sentence(progress, Kind.of(scenario), wall_s=session.wall_s, reason=why)
    terminal.result(terminal.folded(text), style="bold")
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
