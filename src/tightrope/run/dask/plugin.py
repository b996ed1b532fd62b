"""The plugin inside a Dask worker: it owns the processes of trials, because Dask cannot stop a task."""

import contextlib
import select
import threading
import time
import uuid
from dataclasses import dataclass, replace
from math import inf
from typing import Any, NamedTuple

from distributed import Worker, WorkerPlugin, get_worker

from tightrope.errors import Finding, TargetError
from tightrope.records import Outcome, Status, Trial
from tightrope.run.backlog import FIRST_DELAY_S, LONGEST_DELAY_S, MOST_ATTEMPTS
from tightrope.run.dask.log import redirect
from tightrope.run.dask.reference import reference_s
from tightrope.run.start_error import StartError
from tightrope.run.supervise.pulse import CHECK_S
from tightrope.run.target import Process, Target

_UNWANTED = frozenset(
    {"cancelled", "released", "forgotten"}
)  # states of tasks whose result is no longer needed
_TEARDOWN_S = 10.0


@dataclass(frozen=True, slots=True)
class TrialReport:
    """What a worker returns to the driver."""

    outcome: Outcome
    findings: tuple[Finding, ...] = ()


class Introduction(NamedTuple):
    """What a worker says of itself: the id that its plugin got at its set-up, and how fast its machine is."""

    incarnation: str
    reference_s: float


class TrialRunner(WorkerPlugin):  # type: ignore[misc]
    """Runs trials in the threads of a worker; each thread waits for one process.

    Targets need not be thread-safe: one lock guards every call to them. Only the waiting happens outside it.

    Parameters
    ----------
    target : Target
        What is run.
    log : str or None
        The file that a worker started here logs to; None: its log is left alone.
    """

    def __init__(self, target: Target, log: str | None) -> None:
        self._target = target
        self._log = log

    def setup(self, worker: Worker) -> None:
        """Initialise the plugin on this worker."""
        if self._log is not None:
            redirect(self._log)
        self.introduction = Introduction(uuid.uuid4().hex, reference_s())
        self._changed = threading.Condition()
        self._running: dict[str, Process] = {}
        self._cancelled_early: set[str] = set()
        self._is_closed = False

    def transition(self, key: Any, start: str, finish: str, **kwargs: Any) -> None:
        """Stop runs whose result is no longer needed, because their driver is gone."""
        if finish in _UNWANTED:
            with self._changed:
                if process := self._running.get(str(key)):
                    process.cancel()

    def teardown(self, worker: Worker) -> None:
        """Stop all runs, and wait until they have ended."""
        with self._changed:
            self._is_closed = True
            for process in self._running.values():
                process.cancel()
            self._changed.wait_for(lambda: not self._running, timeout=_TEARDOWN_S)
            self._target.close()

    def run(self, token: str, trial: Trial) -> TrialReport:
        """Run a trial to its end; if this machine cannot start it, try again a few times."""
        delay_s = FIRST_DELAY_S
        for attempt in range(MOST_ATTEMPTS):
            if attempt:
                time.sleep(delay_s)
                delay_s = min(2 * delay_s, LONGEST_DELAY_S)
            report = self._attempt(token, trial)
            if isinstance(report, TrialReport):
                return report
        return TrialReport(lost(trial.id, str(report)))

    def _attempt(self, token: str, trial: Trial) -> TrialReport | StartError:
        process = self._start(token, trial)
        if isinstance(process, StartError):
            return process
        if isinstance(process, Outcome):
            return TrialReport(process)
        outcome = None
        while outcome is None:
            poller = select.poll()
            poller.register(process.fileno(), select.POLLIN)
            poller.poll(1000 * CHECK_S)
            with self._changed:
                process.watch()
                outcome = process.poll()
        with self._changed:
            findings, error = process.findings, process.start_error
            process.close()
            del self._running[token]
            self._changed.notify_all()
        if error is not None:
            return error
        return TrialReport(replace(outcome, reference_s=self.introduction.reference_s), findings)

    def cancel(self, token: str) -> None:
        """Stop a trial now, or as soon as it starts."""
        with self._changed:
            if process := self._running.get(token):
                process.cancel()
            else:
                self._cancelled_early.add(token)

    def _start(self, token: str, trial: Trial) -> Process | Outcome | StartError:
        with self._changed:
            if self._is_closed:
                return lost(trial.id, "its worker was closing")
            try:
                process = self._target.start(trial)
            except StartError as error:
                return error
            except TargetError as error:
                return Outcome(trial.id, Status.FAILED, inf, 0.0, note=f"cannot be started: {error}")
            self._running[token] = process
            if token in self._cancelled_early:
                self._cancelled_early.remove(token)
                process.cancel()
            return process


def run_trial(plugin: str, incarnation: str, token: str, trial: Trial) -> TrialReport:
    """Run a trial on this worker (a task).

    If a killed worker is restarted under its old address, Dask repeats its tasks. But the driver decides
    whether a run is repeated, so a repeated task only reports that the first run was lost.
    """
    runner = get_worker().plugins.get(plugin)
    if runner is None or runner.introduction.incarnation != incarnation:
        return TrialReport(lost(trial.id, "its worker was restarted"))
    assert isinstance(runner, TrialRunner)
    return runner.run(token, trial)


def cancel_trial(plugin: str, token: str, dask_worker: Worker) -> None:
    """Cancel a trial on this worker (a call that does not wait for a free thread)."""
    with contextlib.suppress(KeyError):  # the plugin is gone, and all its runs with it
        dask_worker.plugins[plugin].cancel(token)


def introduce(plugin: str, dask_worker: Worker) -> Introduction:
    """Return what the plugin on this worker says of it."""
    introduction = dask_worker.plugins[plugin].introduction
    assert isinstance(introduction, Introduction)
    return introduction


def lost(trial_id: int, note: str, *, wall_s: float = 0.0) -> Outcome:
    """Return the outcome of a trial that was lost."""
    return Outcome(trial_id, Status.LOST, inf, wall_s, wall_s=wall_s, note=note)
