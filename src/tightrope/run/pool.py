"""The executors for this machine: Serial and LocalPool, and Pool, which runs their trials without threads."""

import os
import selectors
from collections.abc import Collection, Sequence
from dataclasses import KW_ONLY, dataclass
from math import inf

from tightrope.errors import ExecutorError, Finding, TargetError
from tightrope.records import Outcome, Status, Trial
from tightrope.run.backlog import Backlog
from tightrope.run.executor import Executor, Lifecycle, RealClock, usable_cores
from tightrope.run.start_error import StartError
from tightrope.run.supervise.pulse import CHECK_S
from tightrope.run.target import Process, Target

Cores = Collection[int]  # the cores that a slot is pinned to; empty: not pinned


@dataclass(frozen=True)
class Serial:
    """One trial at a time, on this machine.

    Examples
    --------
    >>> from tightrope.records import Config
    >>> from tightrope.run import CommandTarget
    >>> with Serial().open(CommandTarget("true")) as executor:
    ...     executor.start(Trial(7, Config({}), cap=60.0))
    ...     [(outcome.trial_id, outcome.status.name) for outcome in executor.wait()]
    [(7, 'DONE')]
    """

    def open(self, target: Target) -> Executor:
        """Return an executor with one slot."""
        return Pool(target, [()])


@dataclass(frozen=True)
class LocalPool:
    """Several trials at a time, on this machine.

    Parameters
    ----------
    n : int
        How many. At most the number of usable cores: runs that share a core slow each other down and are
        measured wrongly.
    pin : bool, default=False
        Whether each slot is pinned to its own core.
    oversubscribe : bool, default=False
        Whether there may be more slots than cores, for trials that mostly wait.

    Examples
    --------
    >>> from tightrope.records import Config
    >>> from tightrope.run import CommandTarget
    >>> with LocalPool(2, oversubscribe=True).open(CommandTarget("true")) as executor:
    ...     for number in range(2):
    ...         executor.start(Trial(number, Config({}), cap=60.0))
    ...     finished = []
    ...     while len(finished) < 2:
    ...         finished += executor.wait()
    >>> sorted(outcome.trial_id for outcome in finished)
    [0, 1]
    """

    n: int
    _: KW_ONLY
    pin: bool = False
    oversubscribe: bool = False

    def __post_init__(self) -> None:
        if not self.n >= 1:
            raise ExecutorError(f"a pool needs at least one slot, not {self.n}")
        if self.pin and self.oversubscribe:
            raise ExecutorError("pin=True and oversubscribe=True exclude each other", hint="leave one out")

    def open(self, target: Target) -> Executor:
        """Return an executor with `n` slots; raise if there are fewer cores."""
        n_cores = usable_cores()
        if self.n > n_cores and not self.oversubscribe:
            raise ExecutorError(
                f"{self.n} slots need {self.n} cores, but only {n_cores} are usable here; runs that share a "
                "core are measured wrongly",
                hint=f"use at most {n_cores}, or LocalPool({self.n}, oversubscribe=True) if runs mostly wait",
            )
        return Pool(target, _single_cores(self.n) if self.pin else [()] * self.n)


def _single_cores(n: int) -> list[tuple[int, ...]]:
    if not hasattr(os, "sched_getaffinity"):
        raise ExecutorError("runs can be pinned to cores only on Linux", hint="leave out pin=True")
    return [(core,) for core in sorted(os.sched_getaffinity(0))[:n]]


class Pool(Lifecycle, RealClock):
    """An executor with one slot per entry of `places`; see `tightrope.run.executor.Executor`.

    Parameters
    ----------
    target : Target
        What is run; closed with the pool.
    places : sequence of collections of int
        The cores of each slot; empty if the slot is not pinned.
    """

    def __init__(self, target: Target, places: Sequence[Cores]) -> None:
        self._target = target
        self._free = list(places)
        self._slots = len(places)
        self._running: dict[int, tuple[Process, Cores]] = {}
        self._unstarted: list[Outcome] = []
        self._backlog = Backlog()
        self._watched_s = -inf
        self._selector = selectors.DefaultSelector()
        self._findings: list[Finding] = []

    def __repr__(self) -> str:
        return f"Pool({self._slots} slots, {self._describe_state(len(self._running))})"

    @property
    def slots(self) -> int:
        """How many trials may run at once."""
        return self._slots

    @property
    def _taken(self) -> list[int]:
        """The trials that occupy a slot."""
        unstarted = (each.trial_id for each in self._unstarted)
        return [*self._running, *self._backlog.trial_ids, *unstarted]

    def start(self, trial: Trial) -> None:
        """Start a trial and return at once."""
        self._check_startable(trial.id, self._taken, self._slots)
        if len(self._backlog):
            self._backlog.append(trial)
        else:
            self._start(trial)

    def cancel(self, trial_id: int) -> None:
        """Request that a running trial be stopped."""
        self._check_running(trial_id, self._taken)
        if trial_id in self._running:
            process, _ = self._running[trial_id]
            process.cancel()
        elif trial_id in self._backlog.trial_ids:
            self._unstarted.append(self._backlog.cancel(trial_id))

    def wait(self, timeout_s: float | None = None) -> Sequence[Outcome]:
        """Return the outcomes of finished trials, each once, and free their slots."""
        self._check_open()
        deadline_s = inf if timeout_s is None else self.clock() + timeout_s
        outcomes, self._unstarted = self._unstarted, []
        outcomes += self._poll_ready(0.0)
        while not outcomes and (self._running or len(self._backlog)):
            outcomes += self._start_waiting()
            remaining_s = deadline_s - self.clock()
            if remaining_s <= 0 or outcomes:
                break
            nap_s = max(0.0, min(remaining_s, self._backlog.due_s - self.clock(), CHECK_S))
            outcomes += self._poll_ready(nap_s)
            outcomes += self._watch()
        return outcomes

    def findings(self) -> Sequence[Finding]:
        """Return findings about finished runs, each once."""
        findings, self._findings = self._findings, []
        return findings

    def _shut_down(self) -> None:
        self._selector.close()
        try:
            for process, _ in self._running.values():
                process.close()
        finally:
            self._target.close()

    def _start(self, trial: Trial) -> None:
        """Start a trial, or note why it cannot be started."""
        cores = self._free[-1]
        try:
            process = self._target.start(trial, cores=cores)
        except StartError as error:
            self._postpone(trial, error)
            return
        except TargetError as error:
            note = f"cannot be started: {error}"
            self._unstarted.append(Outcome(trial.id, Status.FAILED, inf, 0.0, note=note))
            return
        self._free.pop()
        self._running[trial.id] = process, cores
        self._selector.register(process, selectors.EVENT_READ, trial.id)

    def _postpone(self, trial: Trial, error: StartError) -> None:
        n_running = len(self._running)
        self._findings += self._backlog.failed(trial, error, now_s=self.clock(), n_running=n_running)

    def _start_waiting(self) -> list[Outcome]:
        """Start the trials of the backlog that are due; return the outcomes of those that are given up."""
        while self._backlog.due_s <= self.clock() and not self._backlog.is_hopeless:
            self._start(self._backlog.next())
        if self._backlog.is_hopeless:
            lost, finding = self._backlog.give_up()
            self._findings.append(finding)
            self._unstarted += lost
        outcomes, self._unstarted = self._unstarted, []
        return outcomes

    def _watch(self) -> list[Outcome]:
        """Once a second, look after all runs, even silent ones; return the outcomes of those that ended."""
        if self.clock() < self._watched_s + CHECK_S:
            return []
        self._watched_s = self.clock()
        for process, _ in self._running.values():
            process.watch()
        found = [self._poll(trial_id) for trial_id in tuple(self._running)]
        return [outcome for outcome in found if outcome is not None]

    def _poll_ready(self, timeout_s: float) -> list[Outcome]:
        """Wait until a process can be read, and return the outcomes of those that have ended."""
        if not self._running and not timeout_s:
            return []
        ready = [key.data for key, _ in self._selector.select(timeout_s)]
        found = [self._poll(trial_id) for trial_id in ready]
        return [outcome for outcome in found if outcome is not None]

    def _poll(self, trial_id: int) -> Outcome | None:
        process, cores = self._running[trial_id]
        descriptor = process.fileno()  # poll may close it
        outcome = process.poll()
        if outcome is None:
            return None
        self._selector.unregister(descriptor)
        self._findings += process.findings
        process.close()
        del self._running[trial_id]
        self._free.append(cores)
        if process.start_error is not None:
            self._postpone(process.trial, process.start_error)
            return None
        self._backlog.started()
        return outcome
