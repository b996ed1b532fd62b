"""FunctionProcess: a running trial of a function in a worker process."""

import select
from math import inf

from tightrope.errors import Finding
from tightrope.records import Outcome, Status, Trial
from tightrope.run.function.driver import Worker, WorkerPool
from tightrope.run.function.verdict import (
    OutcomeAndFindings,
    outcome_from_answer,
    outcome_from_ending,
    outcome_from_load_error,
)
from tightrope.run.function.worker import Request
from tightrope.run.start_error import StartError, start_error_of

_MOST_WORKERS_LOST = 3  # in a row, before the trial began


class FunctionProcess:
    """A running trial of a function; see `tightrope.run.target.Process`."""

    def __init__(self, request: Request, workers: WorkerPool) -> None:
        self._request = request
        self._workers = workers
        self._registered: set[int] = set()
        self._start_error: StartError | None = None
        # One descriptor for both pipes of a worker, also when the worker is replaced.
        self._events = select.epoll()
        try:
            self._worker = self._request_worker()
        except BaseException:
            self._events.close()
            raise
        self._n_lost = 0
        self._is_cancelled = False
        self._is_closed = False
        self._outcome: Outcome | None = None
        self._findings: tuple[Finding, ...] = ()

    def __repr__(self) -> str:
        return f"FunctionProcess(trial {self.trial.id})"

    @property
    def trial(self) -> Trial:
        """The trial that was started."""
        return self._request.trial

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Findings about this run; complete once there is an outcome."""
        return self._findings

    @property
    def start_error(self) -> StartError | None:
        """Why this machine could not start it, if that is why it is LOST."""
        return self._start_error

    def fileno(self) -> int:
        """Return a descriptor that becomes readable when there is something to `poll`."""
        return self._events.fileno()

    def watch(self) -> None:
        """Kill the worker if its supervisor no longer responds."""
        if self._outcome is None and not self._is_closed:
            self._worker.watch()

    def poll(self) -> Outcome | None:
        """Return the outcome, or None while the trial runs."""
        if self._outcome is not None or self._is_closed:
            return self._outcome
        is_over = self._worker.is_over()
        finished = self._worker.receive()  # read after the report, which is sent last
        if finished is not None and isinstance(finished.answer, StartError):
            self._conclude_unstarted(finished.answer)
        elif finished is not None:
            concluded = outcome_from_answer(self.trial, finished, clock=self._request.clock)
            self._conclude(concluded, reuse=not is_over and not self._worker.is_channel_closed)
        elif is_over:
            self._conclude_from_end()
        elif self._worker.is_channel_closed:
            self._unregister(self._worker.channel_fd)  # only the report is still to come
        return self._outcome

    def cancel(self) -> None:
        """Request that the run be stopped."""
        self._is_cancelled = True
        if self._outcome is None and not self._is_closed:
            self._worker.cancel()

    def close(self) -> None:
        """Release everything; a run that has not ended is killed."""
        if self._is_closed:
            return
        self._is_closed = True
        self._events.close()
        if self._outcome is None:
            self._worker.close()

    def _request_worker(self) -> Worker:
        return self._employ(self._workers.acquire())

    def _employ(self, worker: Worker) -> Worker:
        """Wait for this worker, and send it the request."""
        for descriptor in (worker.channel_fd, worker.report_fd):
            self._events.register(descriptor, select.EPOLLIN)
            self._registered.add(descriptor)
        worker.send(self._request)
        return worker

    def _conclude_from_end(self) -> None:
        """Derive the outcome from the end of the worker, or try another worker."""
        ending = self._worker.ending()
        clock, partial_cost = self._request.clock, self._worker.shared.partial_cost()
        if ending is not None and ending.run_number == self._worker.run_number:
            self._conclude(outcome_from_ending(self.trial, ending, clock=clock, partial=partial_cost))
        elif self._is_cancelled:
            self._conclude(_without_result(self.trial, clock, "cancelled"))
        elif ending is not None and (error := start_error_of(ending)):
            self._conclude_unstarted(error)
        elif self._worker.has_begun() and self._worker.has_stopped_it:
            note = "it stopped its supervisor"
            self._conclude((Outcome(self.trial.id, Status.FAILED, inf, 0.0, note=note), ()))
        elif self._worker.has_begun():
            self._conclude(_without_result(self.trial, "cost", "its supervisor was killed"))
        elif problem := self._worker.fork_server.problem:
            self._conclude(outcome_from_load_error(self.trial, problem))
        else:
            self._try_another()

    def _try_another(self) -> None:
        """Replace a worker that died before the run began: its previous run may have reached the cap."""
        self._n_lost += 1
        if self._n_lost >= _MOST_WORKERS_LOST:
            problem = f"{self._n_lost} workers died before it began"
            self._conclude_unstarted(StartError(problem, hint="is this machine short of memory?"))
            return
        try:
            worker = self._workers.acquire()
        except StartError as error:
            self._conclude_unstarted(error)
            return
        self._unregister_all()
        self._worker.close()
        self._worker = self._employ(worker)

    def _conclude_unstarted(self, error: StartError) -> None:
        self._start_error = error
        self._conclude(_without_result(self.trial, "cost", error.problem))

    def _conclude(self, concluded: OutcomeAndFindings, *, reuse: bool = False) -> None:
        self._outcome, self._findings = concluded
        self._unregister_all()
        if reuse:
            self._workers.release(self._worker)
        else:
            self._worker.close()

    def _unregister_all(self) -> None:
        for descriptor in tuple(self._registered):
            self._unregister(descriptor)

    def _unregister(self, descriptor: int) -> None:
        if descriptor in self._registered:
            self._registered.remove(descriptor)
            self._events.unregister(descriptor)


def _without_result(trial: Trial, clock: str, note: str) -> OutcomeAndFindings:
    """Return the outcome of a run without a result: where time is the cost, CAPPED at 0 is still a bound."""
    if clock == "cost":
        return Outcome(trial.id, Status.LOST, inf, 0.0, note=note), ()
    return Outcome(trial.id, Status.CAPPED, 0.0, 0.0, note=note), ()
