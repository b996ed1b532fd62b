"""FunctionProcess: a trial of a function under way in a worker process."""

import select
from math import inf

from tightrope.errors import Finding
from tightrope.records import Outcome, Status, Trial
from tightrope.run.function.driver import Worker, WorkerPool
from tightrope.run.function.verdict import Judged, judge_answer, judge_ending, judge_unloaded
from tightrope.run.function.worker import Request

_MOST_WORKERS_LOST = 3  # one after the other, before a trial could begin


class FunctionProcess:
    """A trial of a function under way; see `tightrope.run.target.Process`."""

    def __init__(self, request: Request, crew: WorkerPool) -> None:
        self._request = request
        self._workers = crew
        self._events = select.epoll()  # one descriptor, whichever worker is on it and whatever it says
        self._registered: set[int] = set()
        self._worker = self._hire()
        self._n_lost = 0
        self._is_cancelled = False
        self._is_closed = False
        self._outcome: Outcome | None = None
        self._findings: tuple[Finding, ...] = ()

    def __repr__(self) -> str:
        return f"FunctionProcess(trial {self.trial.id})"

    @property
    def trial(self) -> Trial:
        """What was started."""
        return self._request.trial

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the user might want to know about this run."""
        return self._findings

    def fileno(self) -> int:
        """Return a descriptor that becomes readable when there is something to `poll`."""
        return self._events.fileno()

    def poll(self) -> Outcome | None:
        """Return how the trial ended, or None if it has not."""
        if self._outcome is not None or self._is_closed:
            return self._outcome
        is_over = self._worker.is_over()
        finished = self._worker.receive()  # looked for after the report, which is the last that comes
        if finished is not None:
            self._conclude(judge_answer(self.trial, finished, clock=self._request.clock), reuse=not is_over)
        elif is_over:
            self._learn_why()
        elif self._worker.has_hung_up:
            self._unregister(self._worker.channel_fd)  # nothing but the report is still to come
        return self._outcome

    def cancel(self) -> None:
        """Ask for the run to be stopped."""
        self._is_cancelled = True
        if self._outcome is None and not self._is_closed:
            self._worker.cancel()

    def close(self) -> None:
        """Release everything; a run that is still going on is killed."""
        if self._is_closed:
            return
        self._is_closed = True
        self._events.close()
        if self._outcome is None:
            self._worker.close()

    def _hire(self) -> Worker:
        worker = self._workers.hire()
        for descriptor in (worker.channel_fd, worker.report_fd):
            self._events.register(descriptor, select.EPOLLIN)
            self._registered.add(descriptor)
        worker.ask(self._request)
        return worker

    def _learn_why(self) -> None:
        """Draw conclusions from the end of the worker."""
        ending = self._worker.ending()
        clock, partial_cost = self._request.clock, self._worker.board.partial()
        if ending is not None and ending.run_number == self._worker.run_number:
            self._conclude(judge_ending(self.trial, ending, clock=clock, partial=partial_cost))
        elif self._is_cancelled:
            self._conclude(_nothing(self.trial, clock, "cancelled"))
        elif self._worker.has_begun():
            self._conclude(_nothing(self.trial, "cost", "its supervisor was killed"))
        elif problem := self._worker.fork_server.problem:
            self._conclude(judge_unloaded(self.trial, problem))
        else:
            self._try_another()

    def _try_another(self) -> None:
        """Replace a worker that was lost before the run began: its last one may have just reached the cap."""
        self._n_lost += 1
        if self._n_lost >= _MOST_WORKERS_LOST:
            self._conclude(_nothing(self.trial, "cost", f"{self._n_lost} workers died before it began"))
            return
        self._let_go()
        self._worker.close()
        self._worker = self._hire()

    def _conclude(self, judged: Judged, *, reuse: bool = False) -> None:
        self._outcome, self._findings = judged
        self._let_go()
        if reuse:
            self._workers.release(self._worker)
        else:
            self._worker.close()

    def _let_go(self) -> None:
        for descriptor in tuple(self._registered):
            self._unregister(descriptor)

    def _unregister(self, descriptor: int) -> None:
        if descriptor in self._registered:
            self._registered.remove(descriptor)
            self._events.unregister(descriptor)


def _nothing(trial: Trial, clock: str, note: str) -> Judged:
    """Judge a run of which nothing is known: where time is the cost, it took some."""
    if clock == "cost":
        return Outcome(trial.id, Status.LOST, inf, 0.0, note=note), ()
    return Outcome(trial.id, Status.CAPPED, 0.0, 0.0, note=note), ()
