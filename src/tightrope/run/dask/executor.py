"""DaskExecutor: runs trials on the workers of a Dask cluster."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from queue import Empty

from tightrope.errors import ExecutorError, Finding
from tightrope.records import Outcome, Status, Trial
from tightrope.run.dask.connection import Connection
from tightrope.run.dask.dispatcher import (
    ClusterEvent,
    Dispatcher,
    DispatchFailed,
    TrialEnded,
    WorkerJoined,
    WorkerLeft,
    WorkerUnfit,
)
from tightrope.run.dask.plugin import lost
from tightrope.run.dask.workers import Worker, Workers
from tightrope.run.executor import Lifecycle, RealClock
from tightrope.run.target import Target


@dataclass(slots=True)
class _RunningTrial:
    """A running trial and its worker; `token` is its Dask key."""

    trial: Trial
    token: str
    worker: Worker
    start_s: float
    is_cancelled: bool = False


class DaskExecutor(Lifecycle, RealClock):
    """An executor on a Dask cluster; see `tightrope.run.executor.Executor`.

    `slots` follows the workers that join and leave. If the last free worker leaves between a look at `slots`
    and a `start`, the trial is LOST.

    Parameters
    ----------
    connection : Connection
        The cluster; closed with the executor.
    target : Target
        What is run; closed with the executor.
    patience_s : float
        How long to wait while there is no worker.
    bench_after : int
        Bench a worker after this many losses in a row.
    """

    def __init__(
        self, connection: Connection, target: Target, *, patience_s: float, bench_after: int
    ) -> None:
        self._connection = connection
        self._target = target
        self._patience_s = patience_s
        self._name = f"tightrope-{uuid.uuid4().hex}"
        self._workers = Workers(bench_after)
        self._dispatcher = Dispatcher(connection.client, target, name=self._name, log=connection.worker_log)
        self._running: dict[int, _RunningTrial] = {}
        self._finished: list[Outcome] = []
        self._findings: list[Finding] = []
        self._unfit: dict[str, str] = {}  # address -> why it cannot run trials
        self._slots_reported = 0  # the last value of `slots` that a caller saw
        self._no_worker_since_s: float | None = self.clock()

    def __repr__(self) -> str:
        state = self._describe_state(len(self._running))
        size = f"{self._workers.size} workers, {self._workers.slots} slots"
        return f"DaskExecutor({self._connection}, {size}, {state})"

    @property
    def slots(self) -> int:
        """How many trials may run at once: one on each thread of each worker."""
        self._process_events(0.0)
        self._slots_reported = self._workers.slots
        return self._slots_reported

    @property
    def _taken(self) -> list[int]:
        """The trials that occupy a slot."""
        return [*self._running, *(each.trial_id for each in self._finished)]

    def await_workers(self, n: int) -> None:
        """Wait until `n` workers are ready; raise if fewer came in time."""
        deadline_s = self.clock() + self._patience_s
        while self._workers.size < n:
            if self.clock() >= deadline_s:
                joined = f"{self._workers.size} of {n} workers joined {self._connection}"
                raise self._no_workers_error(f"only {joined} within {self._patience_s:g} s")
            self._process_events(deadline_s - self.clock())

    def start(self, trial: Trial) -> None:
        """Start a trial and return at once."""
        self._check_open()
        self._check_startable(trial.id, self._taken, max(self._slots_reported, self.slots))
        worker = self._workers.assign(trial.id)
        if worker is None:
            self._finished.append(lost(trial.id, "its worker left before it started"))
            return
        running = _RunningTrial(trial, f"{self._name}-{uuid.uuid4().hex}", worker, self.clock())
        self._running[trial.id] = running
        self._dispatcher.start(running.token, trial, worker=worker)

    def cancel(self, trial_id: int) -> None:
        """Request that a running trial be stopped."""
        self._check_running(trial_id, self._taken)
        if running := self._running.get(trial_id):
            running.is_cancelled = True
            self._dispatcher.cancel(running.token, worker=running.worker)

    def wait(self, timeout_s: float | None = None) -> Sequence[Outcome]:
        """Return the outcomes of finished trials, each once, and free their slots.

        While there is no worker, wait for one; raise after `patience_s`.
        """
        self._check_open()
        deadline_s = inf if timeout_s is None else self.clock() + timeout_s
        self._process_events(0.0)
        while not self._finished and (self._running or self._no_worker_since_s is not None):
            since_s = self._no_worker_since_s
            limit_s = deadline_s if since_s is None else since_s + self._patience_s
            remaining_s = min(deadline_s, limit_s) - self.clock()
            if remaining_s <= 0 and limit_s < deadline_s:
                problem = f"there has been no worker at {self._connection} for {self._patience_s:g} s"
                raise self._no_workers_error(problem)
            if remaining_s <= 0:
                break
            self._process_events(None if remaining_s == inf else remaining_s)
        outcomes, self._finished = self._finished, []
        return outcomes

    def findings(self) -> Sequence[Finding]:
        """Return findings about finished runs and workers, each once."""
        findings, self._findings = [*self._findings, *self._workers.findings()], []
        return findings

    def _shut_down(self) -> None:
        try:
            self._dispatcher.close()
        finally:
            self._connection.close()
            self._target.close()

    def _process_events(self, timeout_s: float | None) -> None:
        """Process all events in the queue; if it is empty, wait for one."""
        try:
            self._process(self._dispatcher.events.get(timeout_s != 0.0, timeout_s or None))
            while True:
                self._process(self._dispatcher.events.get(block=False))
        except Empty:
            pass
        if self._workers.slots > 0:
            self._no_worker_since_s = None
        elif self._no_worker_since_s is None:
            self._no_worker_since_s = self.clock()

    def _process(self, event: ClusterEvent) -> None:
        match event:
            case WorkerJoined(worker):
                self._workers.add(worker)
                self._unfit.pop(worker.address, None)
            case WorkerLeft(address):
                self._unfit.pop(address, None)
                for trial_id in self._workers.remove(address):
                    self._lose(trial_id)
            case WorkerUnfit(address, problem):
                self._unfit[address] = problem
            case TrialEnded(token, report):
                self._end(token, report.outcome, report.findings)
            case DispatchFailed(ExecutorError() as error):
                raise error
            case DispatchFailed(error):
                raise ExecutorError(f"a trial could not be run at {self._connection}: {error}") from error

    def _lose(self, trial_id: int) -> None:
        running = self._running.pop(trial_id)
        self._dispatcher.forget(running.token)
        note = f"its worker {running.worker.name} died"
        self._finished.append(lost(trial_id, note, wall_s=self.clock() - running.start_s))

    def _end(self, token: str, outcome: Outcome, findings: Sequence[Finding]) -> None:
        running = self._running.get(outcome.trial_id)
        if running is None or running.token != token:  # already reported as lost
            return
        del self._running[outcome.trial_id]
        self._dispatcher.forget(token)
        is_lost = outcome.status is Status.LOST and not running.is_cancelled
        self._workers.end(outcome.trial_id, is_lost=is_lost)
        self._finished.append(outcome)
        self._findings += findings

    def _no_workers_error(self, problem: str) -> ExecutorError:
        hint = "start workers with `dask worker` and this address, or increase patience_s"
        if self._workers.benched:
            hint = f"benched for losing runs: {', '.join(self._workers.benched)}; {hint}"
        if self._unfit:
            (address, why), *others = self._unfit.items()
            hint = f"{1 + len(others)} cannot run trials, such as {address} ({why}); {hint}"
        return ExecutorError(problem, hint=hint)
