"""drive(): the one loop that joins engine, executor and journal; and recall(), which replays a journal.

Everything is written down before it is acted upon: a decision with its trials in one commit, an outcome
before the engine learns from it.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Protocol

from tightrope.errors import Finding, Severity, TargetError
from tightrope.records import (
    Cancel,
    Config,
    Decided,
    Decision,
    Event,
    Finished,
    Incumbent,
    Noted,
    Outcome,
    Resumed,
    Run,
    Selected,
    Start,
    Started,
    Status,
    StopKind,
    StopReason,
    Task,
    Trial,
)
from tightrope.run import Executor
from tightrope.run.executor import RealClock
from tightrope.store import Entry, Journal
from tightrope.store.collection import without_collection

Watch = Callable[[Event], object]

_GLANCE_S = 0.5  # between two looks at the journal's file while runs are under way
_MOST_LOST = 10  # in a row, or of the same config on the same task: something kills workers


class Engine(Protocol):
    """What decides: `race.Engine` for tune, `search.Engine` for minimize, `compare.Queue` for validate."""

    @property
    def n_running(self) -> int:
        """Number of trials under way."""

    def adopt(self, what: Decision | Trial) -> None:
        """Replay a decision or a trial of a journal."""

    def observe(self, outcome: Outcome) -> Sequence[Event]:
        """Learn from an outcome; return what is new."""

    def decide(self, slots: int, now_s: float) -> Decided:
        """Decide what to do with the free slots; trials that it starts count as adopted."""

    def spend_time(self, overhead_s: float) -> None:
        """Note how long the last decision took."""

    def reason_to_stop(self, now_s: float) -> StopReason | None:
        """Return why nothing more is to be started, if there is a reason."""


@dataclass(slots=True)
class Past:
    """All that has happened, live or by a journal: runs, findings, pending trials, and the time used.

    A journal does not say when a trial began; it began when its decision was made, at `decided_s`. `began_s`
    has the time of every trial of a journal.
    """

    runs: list[Run] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    pending: dict[int, Trial] = field(default_factory=dict)
    used_s: float = 0.0
    decided_s: float = 0.0
    began_s: dict[int, float] = field(default_factory=dict)

    def resumed(self, trajectory: Sequence[Incumbent]) -> Resumed:
        """Return the event that reports a journal's past, given the incumbents that it led to."""
        return Resumed(tuple(self.runs), tuple(trajectory), tuple(self.pending.values()), self.used_s)


class Losses:
    """Counts lost runs; a resumed run counts from zero, since the cause may have been fixed."""

    def __init__(self) -> None:
        self._in_a_row = 0
        self._by_run: Counter[tuple[Config, Task]] = Counter()
        self._note = ""

    def count(self, run: Run) -> None:
        """Count a run if it was lost."""
        if run.outcome.status is not Status.LOST:
            self._in_a_row = 0
            return
        self._in_a_row += 1
        self._by_run[run.trial.config, run.trial.task] += 1
        self._note = run.outcome.note

    @property
    def reason_to_stop(self) -> StopReason | None:
        """The reason to stop, if too many runs were lost."""
        why = f": {self._note}" if self._note else ""
        if self._in_a_row >= _MOST_LOST:
            return StopReason(StopKind.LOSSES, f"{self._in_a_row} runs in a row were lost{why}")
        if max(self._by_run.values(), default=0) >= _MOST_LOST:
            return StopReason(StopKind.LOSSES, f"the same run was lost {_MOST_LOST} times{why}")
        return None


def ignore(event: Event) -> None:
    """Watch nothing."""


def drive(
    engine: Engine,
    executor: Executor,
    past: Past,
    *,
    wall_s: float = inf,
    journal: Journal | None = None,
    watch: Watch = ignore,
) -> StopReason:
    """Run trials until the engine stops, and return the reason; runs are appended to those of the past.

    Pending trials of the past are run again before anything new is decided. After `wall_s` seconds in all,
    the loop asks the engine at once, whatever is under way.
    """
    losses = Losses()
    trials = past.pending
    cut_off = deque(trials.values())
    start_s = executor.clock() - past.used_s
    while True:
        while cut_off and executor.slots > engine.n_running - len(cut_off):
            trial = cut_off.popleft()
            executor.start(trial)
            watch(Started(trial, executor.slots))
        reason = losses.reason_to_stop or engine.reason_to_stop(executor.clock() - start_s)
        # Without a free slot nothing is decided: one more decision would shift the seeds of later ones.
        if reason is None and executor.slots > engine.n_running:
            reason = _decide(engine, executor, trials, journal=journal, start_s=start_s, watch=watch)
        if reason is not None:
            return reason
        left_s = wall_s - (executor.clock() - start_s)
        outcomes = _wait(executor, max(0.0, left_s), journal)
        past.used_s = executor.clock() - start_s
        findings: list[Finding] = []
        for outcome in outcomes:
            run = Run(trials.pop(outcome.trial_id), outcome)
            losses.count(run)
            findings += _learn(run, engine, past, journal=journal, watch=watch)
        _note([*executor.findings(), *findings], past, watch)


def _wait(executor: Executor, left_s: float, journal: Journal | None) -> Sequence[Outcome]:
    """Wait for outcomes; where time is real, look in between whether the journal's file is still there."""
    if journal is None or not isinstance(executor, RealClock):
        return executor.wait(None if left_s == inf else left_s)
    while True:
        began_s = executor.clock()
        outcomes = executor.wait(min(left_s, _GLANCE_S))
        passed_s = executor.clock() - began_s
        left_s -= passed_s
        if outcomes or left_s <= 0.0 or passed_s < _GLANCE_S:  # it returned before its time: there is news
            return outcomes
        journal.require_in_place()


@without_collection()
def recall(engine: Engine, entries: Iterable[Entry], past: Past | None = None) -> Past:
    """Bring a fresh engine to the state of the one that wrote a journal.

    With the past that an earlier call returned, the entries are those that came after.
    """
    past = Past() if past is None else past
    for entry in entries:
        what = entry.what
        if isinstance(what, Decision):
            engine.adopt(what)
            past.decided_s = what.now_s + what.overhead_s
            past.used_s = max(past.used_s, past.decided_s)
        elif isinstance(what, Trial):
            engine.adopt(what)
            past.pending[what.id], past.began_s[what.id] = what, past.decided_s
        else:
            engine.observe(what)
            past.runs.append(Run(past.pending.pop(what.trial_id), what))
            past.used_s = max(past.used_s, past.began_s[what.trial_id] + what.wall_s)
    return past


def _decide(
    engine: Engine,
    executor: Executor,
    trials: dict[int, Trial],
    *,
    journal: Journal | None,
    start_s: float,
    watch: Watch,
) -> StopReason | None:
    """Let the engine decide, write the decision down and act upon it; return the reason if it stops."""
    now_s = executor.clock() - start_s
    decided = engine.decide(executor.slots - engine.n_running, now_s)
    if decided.stop is not None:
        return decided.stop
    if decided.number is not None:
        executor.decided(decided.number)
    overhead_s = executor.clock() - start_s - now_s
    if journal is not None:
        journal.record(decided.steps(now_s=now_s, overhead_s=overhead_s))
    engine.spend_time(overhead_s)
    if decided.basis is not None:
        watch(Selected(decided.challengers, decided.basis))
    for action in decided.actions:
        if isinstance(action, Start):
            executor.start(action.trial)
            watch(Started(action.trial, executor.slots))
            trials[action.trial.id] = action.trial
        elif isinstance(action, Cancel):
            executor.cancel(action.trial_id)
    return None


def _learn(run: Run, engine: Engine, past: Past, *, journal: Journal | None, watch: Watch) -> list[Finding]:
    """Commit an outcome, then let the engine learn from it; return the engine's findings."""
    if journal is not None:
        journal.finish(run.outcome)
    events = engine.observe(run.outcome)
    past.runs.append(run)
    watch(Finished(run))
    for event in events:
        if not isinstance(event, Noted):
            watch(event)
    return [event.finding for event in events if isinstance(event, Noted)]


def _note(findings: Iterable[Finding], past: Past, watch: Watch) -> None:
    """Keep and show findings, up to the first error, which ends the loop."""
    for finding in findings:
        past.findings.append(finding)
        if finding.severity is Severity.ERROR:
            raise TargetError(f"{finding.where}: {finding.message}", hint=finding.hint)
        watch(Noted(finding))
