"""Inside a Dask worker: a plugin that owns the processes of trials, since Dask itself cannot stop a task."""

import contextlib
import select
import threading
import uuid
from dataclasses import dataclass
from math import inf
from typing import Any

from distributed import Worker, WorkerPlugin, get_worker

from tightrope.errors import Finding, TargetError
from tightrope.records import Outcome, Status, Trial
from tightrope.run.dask.log import redirect
from tightrope.run.target import Process, Target

_UNWANTED = frozenset({"cancelled", "released", "forgotten"})  # states of tasks that nobody waits for
_TEARDOWN_S = 10.0


@dataclass(frozen=True, slots=True)
class Report:
    """What comes back to the driver."""

    outcome: Outcome
    findings: tuple[Finding, ...] = ()


class TrialRunner(WorkerPlugin):  # type: ignore[misc]
    """Runs trials in the threads of a worker; each thread waits for one process.

    Targets need not be safe to use from several threads, so that all their calls are made under one lock;
    only the waiting is not.

    Parameters
    ----------
    target : Target
        What is run.
    log : str or None
        Where a worker that we have started itself logs to; None: as it likes.
    """

    def __init__(self, target: Target, log: str | None) -> None:
        self._target = target
        self._log = log

    def setup(self, worker: Worker) -> None:
        """Begin on this worker."""
        if self._log is not None:
            redirect(self._log)
        self.incarnation = uuid.uuid4().hex
        self._changed = threading.Condition()
        self._running: dict[str, Process] = {}
        self._early: set[str] = set()
        self._is_closed = False

    def transition(self, key: Any, start: str, finish: str, **kwargs: Any) -> None:
        """Stop runs that nobody waits for any more, because their driver has gone."""
        if finish in _UNWANTED:
            with self._changed:
                if process := self._running.get(str(key)):
                    process.cancel()

    def teardown(self, worker: Worker) -> None:
        """Stop all that runs, and wait until it has ended."""
        with self._changed:
            self._is_closed = True
            for process in self._running.values():
                process.cancel()
            self._changed.wait_for(lambda: not self._running, timeout=_TEARDOWN_S)
            self._target.close()

    def run(self, token: str, trial: Trial) -> Report:
        """Run a trial to its end."""
        process = self._start(token, trial)
        if isinstance(process, Outcome):
            return Report(process)
        outcome = None
        while outcome is None:
            poller = select.poll()
            poller.register(process.fileno(), select.POLLIN)
            poller.poll()
            with self._changed:
                outcome = process.poll()
        with self._changed:
            findings = process.findings
            process.close()
            del self._running[token]
            self._changed.notify_all()
        return Report(outcome, findings)

    def cancel(self, token: str) -> None:
        """Stop a trial, or let it be stopped as soon as it starts."""
        with self._changed:
            if process := self._running.get(token):
                process.cancel()
            else:
                self._early.add(token)

    def _start(self, token: str, trial: Trial) -> Process | Outcome:
        with self._changed:
            if self._is_closed:
                return lost(trial.id, "its worker was closing")
            try:
                process = self._target.start(trial)
            except TargetError as error:
                return Outcome(trial.id, Status.FAILED, inf, 0.0, note=f"cannot be started: {error}")
            self._running[token] = process
            if token in self._early:
                self._early.remove(token)
                process.cancel()
            return process


def run_trial(plugin: str, incarnation: str, token: str, trial: Trial) -> Report:
    """Run a trial on this worker (a task).

    Dask repeats the tasks of a worker that was killed if it is restarted under its old address. Whether a run
    is repeated is for the driver to decide, and so it is only told that the first one is lost.
    """
    runner = get_worker().plugins.get(plugin)
    if runner is None or runner.incarnation != incarnation:
        return Report(lost(trial.id, "its worker was restarted"))
    assert isinstance(runner, TrialRunner)
    return runner.run(token, trial)


def cancel_trial(plugin: str, token: str, dask_worker: Worker) -> None:
    """Cancel a trial on this worker (a call that does not wait for a free thread)."""
    with contextlib.suppress(KeyError):  # the plugin is gone, and all its runs with it
        dask_worker.plugins[plugin].cancel(token)


def incarnation(plugin: str, dask_worker: Worker) -> str:
    """Return which incarnation of the plugin this worker has."""
    return str(dask_worker.plugins[plugin].incarnation)


def lost(trial_id: int, note: str, *, wall_s: float = 0.0) -> Outcome:
    """Return the outcome of a trial of which nothing is known."""
    return Outcome(trial_id, Status.LOST, inf, wall_s, wall_s=wall_s, note=note)
