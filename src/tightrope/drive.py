"""drive(): the one loop that joins engine, journal and executor; and how an engine gets back to where it was.

Whatever is acted upon is written down before: a decision with its trials in one commit, an outcome before
the engine learns from it.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import inf

from tightrope.errors import Finding, Severity, TargetError
from tightrope.race.engine import Decided, Engine
from tightrope.records import (
    Action,
    Cancel,
    Event,
    Finished,
    Improved,
    Incumbent,
    Noted,
    Run,
    Selected,
    Start,
    Started,
    Status,
    Stop,
    Trial,
)
from tightrope.run import Executor
from tightrope.store import Decision, Entry, Journal

Watch = Callable[[Event], object]


def ignore(event: Event) -> None:
    """Watch nothing."""


@dataclass(slots=True)
class Past:
    """What has happened, here or by a journal: runs, trials that were cut off, findings, and the clock.

    Trials of a journal began when their decision was made: `decided_s` is when the last one was.
    """

    runs: list[Run] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    pending: dict[int, Trial] = field(default_factory=dict)
    used_s: float = 0.0
    decided_s: float = 0.0
    began_s: dict[int, float] = field(default_factory=dict)


def drive(
    engine: Engine,
    executor: Executor,
    past: Past,
    *,
    journal: Journal | None = None,
    watch: Watch = ignore,
) -> str:
    """Turn the crank until the engine stops, and return the reason; runs are appended to those of the past.

    Trials of the past that were cut off are run again, before anything new is decided.
    """
    engine.forgive_losses()  # whoever goes on has mended what killed workers, or will be told again
    trials = past.pending
    cut_off = deque(trials.values())
    start_s = executor.clock() - past.used_s
    while True:
        while cut_off and executor.slots > engine.n_running - len(cut_off):
            _start(cut_off.popleft(), executor, watch=watch)
        reason = engine.reason_to_stop(executor.clock() - start_s)
        # Without a free slot nothing is decided: one decision more would shift the random numbers of others.
        if reason is None and executor.slots > engine.n_running:
            reason = _decide(engine, executor, trials, journal=journal, start_s=start_s, watch=watch)
        if reason is not None:
            return reason
        left_s = engine.plan.budget.wall_s - (executor.clock() - start_s)
        outcomes = executor.wait(None if left_s == inf else max(0.0, left_s))
        past.used_s = executor.clock() - start_s
        for outcome in outcomes:
            run = Run(trials.pop(outcome.trial_id), outcome)
            improved = _learn(run, engine, journal=journal)
            past.runs.append(run)
            watch(Finished(run))
            for incumbent in improved:
                watch(Improved(incumbent))
        for finding in executor.findings():
            past.findings.append(finding)
            watch(Noted(finding))
            _require_no_error(finding)


def recall(engine: Engine, entries: Iterable[Entry], past: Past | None = None) -> Past:
    """Bring a fresh engine to where the one was that wrote a journal.

    With the past that an earlier call returned, the entries are those that came after.
    """
    past = Past() if past is None else past
    for entry in entries:
        what = entry.what
        if isinstance(what, Decision):
            engine.take_up(what.number, now_s=what.now_s, challengers=what.challengers)
            engine.spend_time(what.overhead_s)
            past.decided_s = what.now_s + what.overhead_s
            past.used_s = max(past.used_s, past.decided_s)
        elif isinstance(what, Trial):
            engine.adopt(what)
            past.pending[what.id], past.began_s[what.id] = what, past.decided_s
        else:
            engine.observe(what)
            past.runs.append(Run(past.pending.pop(what.trial_id), what))
            _require_first_to_work(past.runs[-1])
            past.used_s = max(past.used_s, past.began_s.pop(what.trial_id) + what.wall_s)
    return past


def _decide(
    engine: Engine,
    executor: Executor,
    trials: dict[int, Trial],
    *,
    journal: Journal | None,
    start_s: float,
    watch: Watch,
) -> str | None:
    """Let the engine decide, write it down and act upon it; return the reason if it stops."""
    now_s = executor.clock() - start_s
    decided = engine.decide(executor.slots - engine.n_running, now_s)
    stop = _find_stop(decided.actions)
    if stop is not None:
        return stop.reason
    executor.decided(decided.number)
    overhead_s = executor.clock() - start_s - now_s
    if journal is not None:
        journal.extend(_entries(decided, now_s=now_s, overhead_s=overhead_s))
    engine.spend_time(overhead_s)
    if decided.basis is not None:
        watch(Selected(decided.challengers, decided.basis))
    trials |= _act(decided.actions, executor, watch=watch)
    return None


def _find_stop(actions: Iterable[Action]) -> Stop | None:
    return next((action for action in actions if isinstance(action, Stop)), None)


def _entries(decided: Decided, *, now_s: float, overhead_s: float) -> Iterator[Entry]:
    at_s = time.time()
    note = "" if decided.basis is None else decided.basis.value
    yield Entry(Decision(decided.number, overhead_s, now_s, decided.challengers, note), at_s)
    for action in decided.actions:
        if isinstance(action, Start):
            yield Entry(action.trial, at_s)


def _act(actions: Iterable[Action], executor: Executor, *, watch: Watch) -> dict[int, Trial]:
    """Do as the engine says; return the trials that were started."""
    started = {}
    for action in actions:
        if isinstance(action, Start):
            _start(action.trial, executor, watch=watch)
            started[action.trial.id] = action.trial
        elif isinstance(action, Cancel):
            executor.cancel(action.trial_id)
    return started


def _start(trial: Trial, executor: Executor, *, watch: Watch) -> None:
    executor.start(trial)
    watch(Started(trial, executor.slots))


def _learn(run: Run, engine: Engine, *, journal: Journal | None) -> list[Incumbent]:
    if journal is not None:
        journal.finish(run.outcome)
    improved = engine.observe(run.outcome)
    _require_first_to_work(run)
    return improved


def _require_no_error(finding: Finding) -> None:
    if finding.severity is Severity.ERROR:
        raise TargetError(f"{finding.where}: {finding.message}", hint=finding.hint)


def _require_first_to_work(run: Run) -> None:
    """Refuse to go on if the very first run, which is the default's, failed: most likely nothing works."""
    if run.trial.id == 0 and run.outcome.status is Status.FAILED:
        instance = run.trial.task.instance
        where = f" on {instance!r}" if instance else ""
        raise TargetError(
            f"the first run, of the default config{where}, failed: "
            f"{run.outcome.note or 'it does not say why'}",
            config=run.trial.config,
            hint="mend the target, and begin again with a new journal",
        )
