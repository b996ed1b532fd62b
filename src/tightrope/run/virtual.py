"""Virtual: an executor in simulated time, for replay, tests and experiments."""

import heapq
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from math import inf, isnan
from typing import NamedTuple

from tightrope.errors import ExecutorError, Finding, TargetError
from tightrope.records import Config, Outcome, Status, Trial
from tightrope.run.executor import Lifecycle
from tightrope.run.target import Target

_SPARE_EVENTS = 64  # stale events of cancelled runs that the queue may hold besides one per running trial


@dataclass(frozen=True, slots=True)
class Mishap:
    """A simulated run that goes wrong: FAILED as in a crash, or LOST as with a dead worker.

    Parameters
    ----------
    at : float
        Seconds after the start of the run; this time is charged. The run is CAPPED instead if its cap comes
        first, or at the same time.
    status : Status, default=Status.FAILED
        FAILED or LOST.
    note : str, default=""
        The reason, for the outcome's note.
    """

    at: float
    status: Status = Status.FAILED
    note: str = ""

    def __post_init__(self) -> None:
        if self.status not in (Status.FAILED, Status.LOST):
            raise TargetError(f"a mishap makes a run FAILED or LOST, not {self.status.name}")


Cost = Callable[[Config, str, int], float | Mishap]


@dataclass(frozen=True)
class Virtual:
    """Any number of simulated trials at once: nothing really runs, and the clock jumps from event to event.

    Equal trials, started and cancelled in the same order, give equal outcomes at equal times.

    Parameters
    ----------
    cost : callable
        `cost(config, instance, seed)` is called once per trial. It returns the seconds that the trial takes,
        which are also its cost (inf: it never ends), or a `Mishap`. Its exceptions are not caught: a missing
        entry in a table is not a crash of the program that the table describes.
    slots : int, default=1
        How many trials may run at once.
    overhead : float, callable or None, default=None
        Seconds per decision, or a function from the decision's number (0, 1, ...) to seconds; `decided`
        advances the clock by them. None: decisions take no time.

    Examples
    --------
    >>> with Virtual(lambda config, instance, seed: config["x"] * 3600.0, slots=2).open() as executor:
    ...     executor.start(Trial(0, Config({"x": 2.0}), cap=5400.0))
    ...     executor.start(Trial(1, Config({"x": 1.0}), cap=5400.0))
    ...     for _ in range(2):
    ...         (outcome,) = executor.wait()
    ...         print(executor.clock(), outcome.trial_id, outcome.status.name, outcome.cost)
    3600.0 1 DONE 3600.0
    5400.0 0 CAPPED 5400.0
    """

    cost: Cost
    _: KW_ONLY
    slots: int = 1
    overhead: float | Callable[[int], float] | None = None

    def __post_init__(self) -> None:
        if not self.slots >= 1:
            raise ExecutorError(f"a simulation needs at least one slot, not {self.slots}")

    def open(self, target: Target | None = None) -> "Simulation":
        """Return an executor whose clock shows 0; `cost` replaces the target, which is never started."""
        return Simulation(self, target)


class _Event(NamedTuple):
    """The end of a run. Runs that end at the same time are reported in the order of their starts."""

    end_s: float
    number: int
    start_s: float
    outcome: Outcome


class Simulation(Lifecycle):
    """An executor in simulated time; see `tightrope.run.executor.Executor`."""

    def __init__(self, settings: Virtual, target: Target | None) -> None:
        self._settings = settings
        self._target = target
        self._now_s = 0.0
        self._running: dict[int, _Event] = {}
        self._queue: list[_Event] = []
        self._n_started = 0

    def __repr__(self) -> str:
        state = self._describe_state(len(self._running))
        return f"Simulation({self.slots} slots, {state}, {self._now_s:.6g} s)"

    @property
    def slots(self) -> int:
        """How many trials may run at once."""
        return self._settings.slots

    def start(self, trial: Trial) -> None:
        """Start a trial. Its cost is computed now and fixes its end, unless it is cancelled."""
        self._check_startable(trial.id, self._running, self.slots)
        outcome = _simulate(trial, self._settings.cost)
        self._push(_Event(self._now_s + outcome.wall_s, self._n_started, self._now_s, outcome))
        self._n_started += 1

    def cancel(self, trial_id: int) -> None:
        """Stop a trial now: it is CAPPED at the time it has run, unless it has already ended."""
        self._check_running(trial_id, self._running)
        event = self._running[trial_id]
        if event.end_s > self._now_s:
            reached_s = min(self._now_s - event.start_s, event.outcome.wall_s)
            outcome = _end(trial_id, Status.CAPPED, reached_s, cost=reached_s, note="cancelled")
            self._push(event._replace(end_s=self._now_s, outcome=outcome))
            self._forget_cancelled()

    def wait(self, timeout_s: float | None = None) -> Sequence[Outcome]:
        """Move the clock to the next end of a run, or by the timeout; return the outcomes until then.

        Outcomes come in the order in which the runs end.
        """
        self._check_open()
        if not self._running:
            return []
        next_s = self._next_s()
        deadline_s = inf if timeout_s is None else self._now_s + timeout_s
        if next_s > deadline_s:
            self._now_s = max(self._now_s, deadline_s)
            return []
        if next_s == inf:
            raise ExecutorError(
                f"no running trial ever ends: trial {min(self._running)} has infinite cost and no cap",
                hint="give every trial a cap, or pass a timeout to wait()",
            )
        self._now_s = max(self._now_s, next_s)
        return self._take_due()

    def findings(self) -> Sequence[Finding]:
        """Return none: simulated runs give no findings."""
        return ()

    def clock(self) -> float:
        """Return simulated seconds since the start."""
        return self._now_s

    def advance(self, seconds: float) -> None:
        """Move the clock forward; runs that end meanwhile are returned by the next `wait`."""
        self._check_open()
        if not 0 <= seconds < inf:
            raise ExecutorError(f"the clock cannot be advanced by {seconds} seconds")
        self._now_s += seconds

    def decided(self, number: int) -> None:
        """Advance the clock by the time that a decision takes."""
        overhead = self._settings.overhead
        self.advance(overhead(number) if callable(overhead) else (overhead or 0.0))

    def _shut_down(self) -> None:
        self._running.clear()
        self._queue.clear()
        if self._target is not None:
            self._target.close()

    def _push(self, event: _Event) -> None:
        self._running[event.outcome.trial_id] = event
        heapq.heappush(self._queue, event)

    def _is_cancelled(self, event: _Event) -> bool:
        return self._running.get(event.outcome.trial_id) is not event

    def _forget_cancelled(self) -> None:
        """Drop stale events once they outnumber the running trials; amortised constant cost per cancel."""
        if len(self._queue) > 2 * len(self._running) + _SPARE_EVENTS:
            self._queue = list(self._running.values())
            heapq.heapify(self._queue)

    def _next_s(self) -> float:
        while self._is_cancelled(self._queue[0]):
            heapq.heappop(self._queue)
        return self._queue[0].end_s

    def _take_due(self) -> list[Outcome]:
        outcomes = []
        while self._queue and self._queue[0].end_s <= self._now_s:
            event = heapq.heappop(self._queue)
            if not self._is_cancelled(event):
                del self._running[event.outcome.trial_id]
                outcomes.append(event.outcome)
        return outcomes


def _simulate(trial: Trial, cost: Cost) -> Outcome:
    """Return the outcome of a trial that is not cancelled; `wall_s` says when it ends."""
    if not trial.cap > 0:
        note = f"cannot be started: its cap of {trial.cap} is not positive"
        return Outcome(trial.id, Status.FAILED, inf, 0.0, note=note)
    answer = cost(trial.config, trial.task.instance, trial.task.seed)
    needed_s = answer.at if isinstance(answer, Mishap) else answer
    if isnan(needed_s) or needed_s < 0:
        raise TargetError(
            f"the simulated cost {answer!r} is not a number of seconds",
            config=trial.config,
            hint="return seconds >= 0, or a Mishap for a run that fails",
        )
    if needed_s >= trial.cap:  # also at the cap itself, as for real runs
        return _end(trial.id, Status.CAPPED, trial.cap, cost=trial.cap)
    if isinstance(answer, Mishap):
        return _end(trial.id, answer.status, needed_s, cost=inf, note=answer.note)
    return _end(trial.id, Status.DONE, needed_s, cost=needed_s)


def _end(trial_id: int, status: Status, took_s: float, *, cost: float, note: str = "") -> Outcome:
    return Outcome(trial_id, status, cost, took_s, wall_s=took_s, cpu_s=took_s, note=note)
