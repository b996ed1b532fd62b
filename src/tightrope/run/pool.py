"""Pool: trials under way on this machine, looked after by one loop without threads."""

import selectors
import time
from collections.abc import Collection, Sequence
from math import inf
from typing import Self

from tightrope.errors import ExecutorError, Finding, TargetError
from tightrope.records import Outcome, Status, Trial
from tightrope.run.target import Process, Target

Place = Collection[int]  # the cores that a slot is pinned to; none: wherever the system likes


class Pool:
    """A live executor of as many slots as it is given places; see `tightrope.run.executor.Executor`."""

    def __init__(self, target: Target, places: Sequence[Place]) -> None:
        self._target = target
        self._free = list(places)
        self._slots = len(places)
        self._running: dict[int, tuple[Process, Place]] = {}
        self._unstarted: list[Outcome] = []
        self._selector = selectors.DefaultSelector()
        self._findings: list[Finding] = []
        self._is_closed = False

    def __repr__(self) -> str:
        state = "closed" if self._is_closed else f"{len(self._running)} under way"
        return f"Pool({self._slots} slots, {state})"

    @property
    def slots(self) -> int:
        """How many trials may be under way at once."""
        return self._slots

    def start(self, trial: Trial) -> None:
        """Start a trial and return at once."""
        self._check_open()
        if self._is_under_way(trial.id):
            raise ExecutorError(f"trial {trial.id} is under way already")
        if len(self._running) + len(self._unstarted) >= self._slots:
            raise ExecutorError(f"trial {trial.id} finds all {self._slots} slots taken")
        place = self._free[-1]
        try:
            process = self._target.start(trial, cores=place)
        except TargetError as error:
            note = f"cannot be started: {error}"
            self._unstarted.append(Outcome(trial.id, Status.FAILED, inf, 0.0, note=note))
            return
        self._free.pop()
        self._running[trial.id] = process, place
        self._selector.register(process, selectors.EVENT_READ, trial.id)

    def cancel(self, trial_id: int) -> None:
        """Ask for a trial under way to be stopped."""
        self._check_open()
        if not self._is_under_way(trial_id):
            raise ExecutorError(f"trial {trial_id} is not under way, and cannot be cancelled")
        if trial_id in self._running:
            process, _ = self._running[trial_id]
            process.cancel()

    def wait(self, timeout_s: float | None = None) -> Sequence[Outcome]:
        """Return the outcomes of trials that are over, each once; their slots are free then."""
        self._check_open()
        deadline_s = inf if timeout_s is None else self.clock() + timeout_s
        outcomes, self._unstarted = self._unstarted, []
        outcomes += self._look(0.0)
        while not outcomes and self._running:
            remaining_s = deadline_s - self.clock()
            if remaining_s <= 0:
                break
            outcomes += self._look(None if remaining_s == inf else remaining_s)
        return outcomes

    def findings(self) -> Sequence[Finding]:
        """Return what the user might want to know about runs that are over, each finding once."""
        findings, self._findings = self._findings, []
        return findings

    def clock(self) -> float:
        """Return seconds since some moment."""
        return time.monotonic()

    def decided(self, number: int) -> None:
        """Do nothing: real time passes by itself."""

    def close(self) -> None:
        """Kill what is under way and close the target."""
        if self._is_closed:
            return
        self._is_closed = True
        self._selector.close()
        try:
            for process, _ in self._running.values():
                process.close()
        finally:
            self._target.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _is_under_way(self, trial_id: int) -> bool:
        return trial_id in self._running or any(each.trial_id == trial_id for each in self._unstarted)

    def _check_open(self) -> None:
        if self._is_closed:
            raise ExecutorError("this executor has been closed", hint="open another one")

    def _look(self, timeout_s: float | None) -> list[Outcome]:
        """Take the outcomes that there are once something can be read."""
        if not self._running:
            return []
        ready = [key.data for key, _ in self._selector.select(timeout_s)]
        found = [self._poll(trial_id) for trial_id in ready]
        return [outcome for outcome in found if outcome is not None]

    def _poll(self, trial_id: int) -> Outcome | None:
        process, place = self._running[trial_id]
        descriptor = process.fileno()  # it may be closed together with the run
        outcome = process.poll()
        if outcome is not None:
            self._selector.unregister(descriptor)
            self._findings += process.findings
            process.close()
            del self._running[trial_id]
            self._free.append(place)
        return outcome
