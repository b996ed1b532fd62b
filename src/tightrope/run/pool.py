"""Pool: runs trials on this machine, in one loop without threads."""

import selectors
from collections.abc import Collection, Sequence
from math import inf

from tightrope.errors import Finding, TargetError
from tightrope.records import Outcome, Status, Trial
from tightrope.run.lifecycle import Lifecycle, RealClock, check_startable, not_running
from tightrope.run.target import Process, Target

Cores = Collection[int]  # the cores that a slot is pinned to; empty: not pinned


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
        self._selector = selectors.DefaultSelector()
        self._findings: list[Finding] = []

    def __repr__(self) -> str:
        return f"Pool({self._slots} slots, {self._describe_state(len(self._running))})"

    @property
    def slots(self) -> int:
        """How many trials may run at once."""
        return self._slots

    def start(self, trial: Trial) -> None:
        """Start a trial and return at once."""
        self._check_open()
        check_startable(
            trial.id,
            is_running=self._is_running(trial.id),
            n_running=len(self._running) + len(self._unstarted),
            slots=self._slots,
        )
        cores = self._free[-1]
        try:
            process = self._target.start(trial, cores=cores)
        except TargetError as error:
            note = f"cannot be started: {error}"
            self._unstarted.append(Outcome(trial.id, Status.FAILED, inf, 0.0, note=note))
            return
        self._free.pop()
        self._running[trial.id] = process, cores
        self._selector.register(process, selectors.EVENT_READ, trial.id)

    def cancel(self, trial_id: int) -> None:
        """Request that a running trial be stopped."""
        self._check_open()
        if not self._is_running(trial_id):
            raise not_running(trial_id)
        if trial_id in self._running:
            process, _ = self._running[trial_id]
            process.cancel()

    def wait(self, timeout_s: float | None = None) -> Sequence[Outcome]:
        """Return the outcomes of finished trials, each once, and free their slots."""
        self._check_open()
        deadline_s = inf if timeout_s is None else self.clock() + timeout_s
        outcomes, self._unstarted = self._unstarted, []
        outcomes += self._poll_ready(0.0)
        while not outcomes and self._running:
            remaining_s = deadline_s - self.clock()
            if remaining_s <= 0:
                break
            outcomes += self._poll_ready(None if remaining_s == inf else remaining_s)
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

    def _is_running(self, trial_id: int) -> bool:
        return trial_id in self._running or any(each.trial_id == trial_id for each in self._unstarted)

    def _poll_ready(self, timeout_s: float | None) -> list[Outcome]:
        """Wait until a process can be read, and return the outcomes of those that have ended."""
        if not self._running:
            return []
        ready = [key.data for key, _ in self._selector.select(timeout_s)]
        found = [self._poll(trial_id) for trial_id in ready]
        return [outcome for outcome in found if outcome is not None]

    def _poll(self, trial_id: int) -> Outcome | None:
        process, cores = self._running[trial_id]
        descriptor = process.fileno()  # poll may close it
        outcome = process.poll()
        if outcome is not None:
            self._selector.unregister(descriptor)
            self._findings += process.findings
            process.close()
            del self._running[trial_id]
            self._free.append(cores)
        return outcome
